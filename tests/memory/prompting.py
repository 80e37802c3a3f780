"""Turns, segments and questions as prompts and replies are tested with."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from memory.domain.types import Question, Role, SegmentText, Turn

SPACE = UUID(int=1)
SESSION = UUID(int=2)
SAID_AT = datetime(2023, 5, 8, 12, 56, tzinfo=UTC)  # a Monday


def turn(
    index: int,
    text: str,
    *,
    role: Role = Role.USER,
    speaker: str = "Alice",
    said_at: datetime | None = None,
) -> Turn:
    return Turn(
        id=UUID(int=100 + index),
        space_id=SPACE,
        private_to=None,
        session_id=SESSION,
        session_name="talk",
        index=index,
        role=role,
        speaker="assistant" if role is Role.ASSISTANT else speaker,
        text=text,
        said_at=said_at or SAID_AT + timedelta(minutes=index),
    )


def segment(*turns: Turn, zone: str = "UTC", reference: Sequence[str] = ()) -> SegmentText:
    return SegmentText(turns, zone, tuple(reference))


def question(
    text: str, *recent: Turn, zone: str = "UTC", now: datetime = SAID_AT + timedelta(hours=1)
) -> Question:
    return Question(text, now, zone, recent)


BERLIN = segment(
    turn(3, "I moved to Berlin yesterday. My sister Rose lives in Paris."),
    turn(4, "Congratulations on the move!", role=Role.ASSISTANT),
    turn(5, "Thanks. I never eat meat."),
)

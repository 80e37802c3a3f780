"""Conversations by hand for the tests of writing and answering."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from uuid_utils.compat import uuid7

from memory.domain.types import Evidence, Hit, Kind, Role, SegmentText, Temporal, Turn

THURSDAY = datetime(2026, 5, 7, 10, tzinfo=UTC)
Line = tuple[str, str]  # speaker ("" for the assistant, "!name" for a tool) and text


def talk(
    *lines: Line, at: datetime = THURSDAY, space_id: UUID | None = None, session_id: UUID | None = None
) -> tuple[Turn, ...]:
    """Turns in order, a minute apart. Texts are counted as one token a word."""
    space_id, session_id = space_id or uuid4(), session_id or uuid4()
    return tuple(
        Turn(
            id=uuid7(),  # as stored turns have: in the order of their storing
            space_id=space_id,
            private_to=None,
            session_id=session_id,
            session_name="main",
            index=index,
            role=_role(speaker),
            speaker=speaker.lstrip("!"),
            text=text,
            said_at=at + timedelta(minutes=index),
            tokens=len(text.split()),
        )
        for index, (speaker, text) in enumerate(lines)
    )


def segment(*lines: Line, at: datetime = THURSDAY, time_zone: str = "UTC") -> SegmentText:
    return SegmentText(turns=talk(*lines, at=at), time_zone=time_zone)


def record_hit(text: str, *, said: Sequence[Line] = (), at: datetime = THURSDAY, **fields: object) -> Hit:
    """A record's hit, resting on the lines if any are given."""
    values: dict[str, object] = {"memory_type": "fact", "subject": "Alice", "temporal": Temporal()} | fields
    return _hit(Kind.RECORD, text, said, at, values)


def turn_hit(speaker: str, text: str, *, at: datetime = THURSDAY) -> Hit:
    """A turn's hit."""
    return _hit(Kind.TURN, text, [(speaker, text)], at, {"memory_type": "episode", "subject": speaker})


def _hit(kind: Kind, text: str, said: Sequence[Line], at: datetime, fields: dict[str, object]) -> Hit:
    values: dict[str, object] = {
        "score": 0.7,
        "rank_score": 0.7,
        "breakdown": {},
        "entities": (),
        "temporal": Temporal(),
        "source_role": Role.USER,
        "matched_routes": (0,),
        "reason": "",
    } | fields
    evidence = tuple(
        Evidence(t.id, t.session_id, t.session_name, t.index, t.role, t.speaker, t.text, t.said_at)
        for t in talk(*said, at=at)
    )
    return Hit(kind=kind, id=uuid4(), text=text, said_at=at, evidence=evidence, **values)  # type: ignore[arg-type]


def _role(speaker: str) -> Role:
    if speaker.startswith("!"):
        return Role.TOOL
    return Role.USER if speaker else Role.ASSISTANT

"""Sessions and their transcripts on the wire."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ninja import Schema

from accounts.paging import Page
from sessions_app.selectors import SessionSummary, Unfiled

if TYPE_CHECKING:
    from sessions_app.models import SessionTurn


class SessionFacts(Schema):
    """A session. `session_id` is what you may ask for it by: your name for it, else its id."""

    session_id: str
    session_uuid: UUID
    title: str
    topic: str
    tags: list[str]
    author: str
    is_own: bool
    is_private: bool
    turn_count: int
    token_total: int
    created_at: datetime
    last_turn_at: datetime


def facts_of(summary: SessionSummary) -> dict[str, Any]:
    """A session as the reader sees it."""
    same = {name: getattr(summary, name) for name in SessionFacts.model_fields if hasattr(summary, name)}
    handle = summary.name if summary.is_own else str(summary.id)
    return {**same, "session_id": handle, "session_uuid": summary.id}


class SessionOut(SessionFacts):
    """A session in a list, with the beginning of what was said last."""

    last_message: str

    @classmethod
    def of(cls, summary: SessionSummary) -> "SessionOut":
        """From a session as the reader sees it."""
        return cls(**facts_of(summary), last_message=summary.preview)


class SessionList(Schema):
    """A page of sessions, last used first; `total` counts all of them."""

    items: list[SessionOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[SessionSummary]) -> "SessionList":
        """From a page of the selector."""
        return cls(
            items=[SessionOut.of(item) for item in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )


class TurnOut(Schema):
    """One utterance as it was stored. `state` is `complete`, `pending` or `interrupted`; `trace`
    tells of an answer's stages what `/chat` told, counted where that holds texts.
    """

    turn_id: UUID
    index: int
    role: str
    speaker: str
    content: str
    tokens: int
    created_at: datetime
    state: str
    metadata: dict[str, Any]
    trace: dict[str, Any]

    @classmethod
    def of(cls, turn: "SessionTurn") -> "TurnOut":
        """From a stored turn."""
        return cls(
            turn_id=turn.id,
            index=turn.index,
            role=turn.role,
            speaker=turn.speaker,
            content=turn.content,
            tokens=turn.tokens,
            created_at=turn.said_at,
            state=turn.state,
            metadata=turn.metadata,
            trace=turn.trace,
        )


class UnfiledOut(Schema):
    """Turns [first, end): already searchable, not yet filed."""

    first_turn: int
    end_turn: int
    tokens: int


class Transcript(SessionFacts):
    """A session with a page of its turns, in order."""

    turns: list[TurnOut]
    summaries: list[Any] = []
    wm_token_usage: int
    unfiled: UnfiledOut | None
    next_cursor: str | None

    @classmethod
    def with_turns(
        cls, summary: SessionSummary, page: "Page[SessionTurn]", unfiled: Unfiled | None
    ) -> "Transcript":
        """From the session, a page of its turns and what is not filed yet."""
        return cls(
            **facts_of(summary),
            turns=[TurnOut.of(turn) for turn in page.items],
            wm_token_usage=summary.token_total,
            unfiled=UnfiledOut(
                first_turn=unfiled.first_turn, end_turn=unfiled.end_turn, tokens=unfiled.tokens
            )
            if unfiled
            else None,
            next_cursor=page.next_cursor or None,
        )


class Deleted(Schema):
    """A conversation that is gone, and what became of its memories."""

    status: str = "deleted"
    session_id: str
    memories: str

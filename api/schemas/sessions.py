"""Sessions and their transcripts on the wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.paging import Page
from api.schemas.chat import WindowOut
from api.schemas.wire import Clean, Flag, OptionalText, RequestBody
from memory.domain.summaries import SECTIONS
from memory.domain.types import Role
from sessions_app.config import MetaConfig
from sessions_app.domain.types import Anchor, Window
from sessions_app.selectors import SessionSummary, Unfiled

if TYPE_CHECKING:
    from sessions_app.models import SessionTurn

Seen = Literal["whole", "excerpt", "summary", "nothing"]


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
    tells of an answer's stages what `/chat` told, counted where that holds texts. `seen_as` is what the
    model sees of it now: the `whole` text, the `excerpt` of one longer than the window, a `summary` where
    it `is_summarised`, or `nothing`.
    """

    turn_id: UUID
    index: int
    role: str
    speaker: str
    content: str
    tokens: int
    created_at: datetime
    state: str
    is_summarised: bool
    seen_as: Seen
    excerpt: str
    metadata: dict[str, Any]
    trace: dict[str, Any]

    @classmethod
    def of(cls, turn: "SessionTurn", *, summarised_until: int, shown: Mapping[UUID, str]) -> "TurnOut":
        """From a stored turn; summaries stand for those before `summarised_until`, and the model reads
        the texts `shown`, by turn.
        """
        is_summarised = turn.index < summarised_until and turn.role != Role.SYSTEM
        text = shown.get(turn.id)
        is_excerpt = text is not None and text != turn.content
        seen: Seen = "summary" if is_summarised else "nothing" if text is None else "whole"
        return cls(
            turn_id=turn.id,
            index=turn.index,
            role=turn.role,
            speaker=turn.speaker,
            content=turn.content,
            tokens=turn.tokens,
            created_at=turn.said_at,
            state=turn.state,
            is_summarised=is_summarised,
            seen_as="excerpt" if is_excerpt else seen,
            excerpt=text if text is not None and is_excerpt else "",
            metadata=turn.metadata,
            trace=turn.trace,
        )


class UnfiledOut(Schema):
    """Turns [first, end): already searchable, not yet filed."""

    first_turn: int
    end_turn: int
    tokens: int


class SummaryOut(Schema):
    """What the model sees instead of the turns [first_turn, end_turn), in the conversation's language."""

    summary_id: UUID
    first_turn: int
    end_turn: int
    goals: list[str]
    decisions: list[str]
    facts: list[str]
    open_points: list[str]
    tool_results: list[str]
    tokens: int
    made_by: str
    created_at: datetime

    @classmethod
    def of(cls, anchor: Anchor) -> "SummaryOut":
        """From the summary of a window."""
        return cls(
            summary_id=anchor.id,
            first_turn=anchor.first_turn,
            end_turn=anchor.end_turn,
            **{name: list(getattr(anchor.summary, name)) for name in SECTIONS},
            tokens=anchor.tokens,
            made_by=anchor.made_by,
            created_at=anchor.made_at,
        )


class Transcript(SessionFacts):
    """A session with a page of its turns, in order, and what a model would see of it now:
    `wm_token_usage` tokens, the summaries' included.
    """

    turns: list[TurnOut]
    summaries: list[SummaryOut]
    wm_token_usage: int
    window: WindowOut
    unfiled: UnfiledOut | None
    next_cursor: str | None

    @classmethod
    def with_turns(
        cls, summary: SessionSummary, page: "Page[SessionTurn]", unfiled: Unfiled | None, window: Window
    ) -> "Transcript":
        """From the session, a page of its turns, what is not filed yet and its window."""
        shown = {turn.id: turn.text for turn in window.recent}
        until = max((anchor.end_turn for anchor in window.summaries), default=0)
        return cls(
            **facts_of(summary),
            turns=[TurnOut.of(turn, summarised_until=until, shown=shown) for turn in page.items],
            summaries=[SummaryOut.of(anchor) for anchor in window.summaries],
            wm_token_usage=window.tokens,
            window=WindowOut.of(window),
            unfiled=UnfiledOut(
                first_turn=unfiled.first_turn, end_turn=unfiled.end_turn, tokens=unfiled.tokens
            )
            if unfiled
            else None,
            next_cursor=page.next_cursor or None,
        )


class SessionMeta(RequestBody):
    """What to call a conversation, what to file it under, and who sees it; what is left out stays."""

    title: Annotated[str, Field(min_length=1, max_length=MetaConfig().title_chars), Clean] | None = None
    topic: Annotated[str, Field(max_length=MetaConfig().topic_chars), Clean] | None = None
    tags: Annotated[list[OptionalText], Field(max_length=MetaConfig().max_tags)] | None = None
    private: Flag | None = Field(None, description="For its author: seen by you alone, or by the space.")


class Deleted(Schema):
    """A conversation that is gone, and what became of its memories."""

    status: str = "deleted"
    session_id: str
    memories: str

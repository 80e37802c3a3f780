"""Turns to append on the wire, and what came of them."""

from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from api.schemas.wire import Count, Flag, Instant, Name, RequestBody, SessionName, Text
from memory.domain.types import Role
from sessions_app.domain.types import NewTurn


class TurnIn(RequestBody):
    """One utterance. Metadata is yours; `space`, `user_id` and `tenant` are refused in it."""

    role: Role
    content: Text
    speaker: Name = ""
    created_at: Instant | None = None
    token_count: Count | None = Field(None, description="Accepted and counted again here.")
    metadata: dict[str, Any] | None = None
    consolidate: Flag = Field(default=True, description="False: findable, and never made a memory.")

    def to_turn(self) -> NewTurn:
        """As the service takes it."""
        return NewTurn(
            role=self.role,
            content=self.content,
            speaker=self.speaker,
            said_at=self.created_at,
            metadata=self.metadata or {},
            is_consolidated=self.consolidate,
        )


class OneTurn(TurnIn):
    """A turn and the session it belongs to."""

    session_id: SessionName


class ManyTurns(RequestBody):
    """Turns in order; all are stored, or none."""

    session_id: SessionName
    turns: Annotated[list[TurnIn], Field(min_length=1, max_length=1_000)]


class Appended(Schema):
    """The session's count after the turn, and the turn's index from 0."""

    status: str = "appended"
    session_id: str
    turn_count: int
    turn_index: int


class AppendedMany(Schema):
    """The session's count after the turns, and their indexes."""

    status: str = "appended"
    session_id: str
    turn_count: int
    turn_indexes: list[int]

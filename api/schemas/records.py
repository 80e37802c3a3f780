"""Records on the wire: what is remembered, and what a person may correct."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.paging import Page
from api.schemas.provenance import TemporalOut
from api.schemas.wire import Clean, Count, Flag, Instant, Name, RequestBody, Text
from memory.domain.types import MemoryType

if TYPE_CHECKING:
    from memory.models import MemoryRecord, RecordEvidence
    from memory.selectors import Change

Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=128), Clean]], Field(max_length=50)]


class EvidenceOut(Schema):
    """A turn that a record rests on; its index counts from 0 in its session."""

    session_id: UUID
    turn_id: UUID
    turn_index: int

    @classmethod
    def of(cls, evidence: "RecordEvidence") -> "EvidenceOut":
        """From a stored evidence row."""
        return cls(session_id=evidence.session_id, turn_id=evidence.turn_id, turn_index=evidence.turn_index)


class RecordOut(Schema):
    """One self-contained fact with type, entities, time and provenance."""

    record_id: UUID
    memory_type: str
    semantic_text: str
    subject: str
    slot: str
    value: str
    entities: list[str]
    topics: list[str]
    tags: dict[str, list[str]]
    temporal: TemporalOut
    said_at: datetime
    learned_at: datetime
    expired_at: datetime | None
    expired_reason: str
    superseded_by: UUID | None = Field(description="The record that tells a newer value of the attribute.")
    superseded_at: datetime | None
    origin: str = Field(description="`said` here, or `imported`: then there is no session and no evidence.")
    source_role: str
    is_confirmed: bool
    is_suspicious: bool
    confidence: float
    seen_count: int
    source_session_id: UUID | None
    edited_at: datetime | None
    is_pinned: bool
    version: int
    evidence: list[EvidenceOut]

    @classmethod
    def of(cls, record: "MemoryRecord") -> "RecordOut":
        """From a stored record."""
        temporal = TemporalOut(
            t_ref=record.time_ref, t_valid_from=record.valid_from, t_valid_to=record.valid_to
        )
        same = {name: getattr(record, name) for name in _SAME}
        return cls(
            record_id=record.id,
            temporal=temporal,
            source_session_id=record.session_id if record.origin == "said" else None,
            superseded_by=record.superseded_by_id,
            evidence=[EvidenceOut.of(row) for row in record.evidence.all()],
            **same,
        )


_SAME = tuple(
    name
    for name in RecordOut.model_fields
    if name not in ("record_id", "temporal", "source_session_id", "superseded_by", "evidence")
)


class RecordList(Schema):
    """A page of records, newest first; `total` counts every record that matches."""

    items: list[RecordOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: "Page[MemoryRecord]") -> "RecordList":
        """From a page of the selector."""
        return cls(
            items=[RecordOut.of(record) for record in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )


class RecordChange(RequestBody):
    """A correction; what is left out stays, and null clears a time.

    A field that there is not is refused: its sender would believe it corrected.
    """

    semantic_text: Text | None = None
    memory_type: MemoryType | None = None
    subject: Name | None = None
    entities: Words | None = None
    topics: Words | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    version: Count | None = Field(None, description="The version you read: 409 if it has moved on.")

    def changes(self) -> dict[str, Any]:
        """What was sent, by the names the service knows; null means nothing but for times."""
        sent = self.dict(exclude_unset=True)
        times = ("valid_from", "valid_to")
        return {name: value for name, value in sent.items() if value is not None or name in times}


class RecordIn(RequestBody):
    """A single fact brought along; what is left out is read from its text.

    A field that there is not is refused: its sender would believe it kept.
    """

    semantic_text: Text
    memory_type: MemoryType = MemoryType.FACT
    subject: Name | None = Field(None, description="About whom; without, whom the text names, or its teller.")
    entities: Words | None = None
    topics: Words | None = None
    slot: Name | None = Field(None, description="An attribute of one value, such as `residence`.")
    value: Text | None = Field(None, description="Its value; a newer one supersedes it.")
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    said_at: Instant | None = Field(None, description="When it was stated; now unless told.")
    private: Flag | None = Field(None, description="Known to you alone; without, as the space has it.")

    def values(self) -> dict[str, Any]:
        """What the record is to state, by the names the service knows."""
        sent = self.dict(exclude={"said_at", "private"}, exclude_none=True)
        return dict(sent)


class Expiry(RequestBody):
    """Why a record is taken out of recall."""

    reason: Name = ""


class Purged(Schema):
    """What was erased: all that can be told of it is its id."""

    status: Literal["purged"] = "purged"
    record_id: UUID


class Pinning(RequestBody):
    """Whether a record is kept whatever happens."""

    pinned: bool = True


class Merge(RequestBody):
    """The records that become one with the addressed one."""

    record_ids: Annotated[list[UUID], Field(min_length=1, max_length=20)]


class ValuesOut(Schema):
    """A field before and after a change."""

    before: Any
    after: Any


class ChangeOut(Schema):
    """One change of a record: who did what when. `who` is null for what the memory did itself."""

    at: datetime
    action: str
    who: str | None
    user_id: UUID | None
    fields: list[str]
    changes: dict[str, ValuesOut]
    version: int | None = Field(description="The record's version after it.")

    @classmethod
    def of(cls, change: "Change") -> "ChangeOut":
        """From the selector's value."""
        return cls(
            at=change.at,
            action=change.action,
            who=change.who or None,
            user_id=change.user_id,
            fields=list(change.fields),
            changes={name: ValuesOut(before=old, after=new) for name, (old, new) in change.changes.items()},
            version=change.version,
        )


class HistoryOut(Schema):
    """What became of a record, newest first."""

    items: list[ChangeOut]

    @classmethod
    def of(cls, changes: "Sequence[Change]") -> "HistoryOut":
        """From the selector."""
        return cls(items=[ChangeOut.of(change) for change in changes])

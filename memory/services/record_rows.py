"""One encoded record to its row, its evidence and its index entry; used by every writer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.domain.encoding import content_hash, is_suspicious, normalized_text
from memory.domain.secrets import screen
from memory.domain.text import clean_text
from memory.domain.types import EncodedRecord, IndexItem, Kind, MemoryType, Turn
from memory.models import MemoryRecord, RecordEvidence

MAX_SUBJECT_CHARS = 128
MAX_SLOT_CHARS = 64
MAX_VALUE_CHARS = 512


@dataclass(frozen=True, slots=True)
class RecordScope:
    """To whom and where a record belongs."""

    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    segment_id: UUID | None


def cleaned_record(record: EncodedRecord, *, is_screening: bool) -> EncodedRecord:
    """The record with hygiene on every text, and once more without secrets."""

    def clean(text: str) -> str:
        text = clean_text(text)
        return screen(text) if is_screening else text

    return replace(
        record,
        semantic_text=clean(record.semantic_text),
        subject=clean_text(record.subject)[:MAX_SUBJECT_CHARS],
        slot=clean_text(record.slot)[:MAX_SLOT_CHARS],
        value=clean(record.value)[:MAX_VALUE_CHARS],
        entities=tuple(dict.fromkeys(clean(name) for name in record.entities if name.strip())),
        topics=tuple(dict.fromkeys(clean(topic) for topic in record.topics if topic.strip())),
        relations=tuple(
            replace(each, source=clean(each.source), type=clean_text(each.type), target=clean(each.target))
            for each in record.relations
        ),
    )


def hash_of(record: EncodedRecord) -> str:
    """The content hash of an encoded record."""
    event_time = record.temporal.ref or record.temporal.valid_from
    return content_hash(
        record.memory_type, record.semantic_text, subject=record.subject, event_time=event_time
    )


def build_row(record: EncodedRecord, scope: RecordScope, *, said_at: datetime, now: datetime) -> MemoryRecord:
    """The unsaved row of a cleaned record."""
    return MemoryRecord(
        space_id=scope.space_id,
        private_to_id=scope.private_to,
        session_id=scope.session_id,
        segment_id=scope.segment_id,
        memory_type=record.memory_type,
        semantic_text=record.semantic_text,
        normalized_text=normalized_text(record.semantic_text, subject=record.subject),
        subject=record.subject,
        slot=record.slot,
        value=record.value,
        entities=list(record.entities),
        topics=list(record.topics),
        tags={name: list(tags) for name, tags in record.tags.items()},
        time_ref=record.temporal.ref,
        valid_from=record.temporal.valid_from,
        valid_to=record.temporal.valid_to,
        learned_at=now,
        said_at=said_at,
        source_role=record.source_role,
        is_confirmed=record.is_confirmed,
        is_suspicious=is_suspicious(record.semantic_text),
        confidence=record.confidence,
        content_hash=hash_of(record),
    )


def refresh_derived(row: MemoryRecord) -> None:
    """Compute anew what follows from a changed row's text, type, subject and time."""
    row.normalized_text = normalized_text(row.semantic_text, subject=row.subject)
    row.is_suspicious = is_suspicious(row.semantic_text)
    row.content_hash = content_hash(
        MemoryType(row.memory_type),
        row.semantic_text,
        subject=row.subject,
        event_time=row.time_ref or row.valid_from,
    )


def build_evidence(row: MemoryRecord, turns: Sequence[Turn], segment_id: UUID | None) -> list[RecordEvidence]:
    """The unsaved links from a row to the turns it rests on."""
    return [
        RecordEvidence(
            space_id=row.space_id,
            private_to_id=row.private_to_id,
            record=row,
            session_id=turn.session_id,
            turn_id=turn.id,
            turn_index=turn.index,
            segment_id=segment_id,
            said_at=turn.said_at,
        )
        for turn in turns
    ]


def index_item(row: MemoryRecord, *, position: int) -> IndexItem:
    """What the indexes know of the row; `position`: the index of its first evidence turn."""
    return IndexItem(
        kind=Kind.RECORD,
        id=row.id,
        space_id=row.space_id,
        private_to=row.private_to_id,
        session_id=row.session_id,
        position=position,
        speaker=row.subject,
        text=row.semantic_text,
    )


def evidence_turns(record: EncodedRecord, turns: Mapping[int, Turn]) -> list[Turn]:
    """The turns a record rests on, first and most relevant first; unknown indexes are ignored."""
    return [turns[index] for index in dict.fromkeys(record.evidence_turns) if index in turns]

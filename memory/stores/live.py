"""Records as a recall reads them: current rows by hand-written SQL, a third of their columns."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from memory.domain.types import LostTurn, MemoryType, Reader
from memory.domain.validity import Lifespan
from memory.stores.sql import as_instant, as_uuid, fetch_all, marks, uuid_value

# COALESCE keeps SQLite from walking the whole space by its index when ids are given: 2 ms a query.
_COLUMNS = (
    "id, session_id, memory_type, semantic_text, subject, slot, entities, time_ref, valid_from, valid_to,"
    " learned_at, expired_at, said_at, source_role, is_confirmed, superseded_at, stated_valid_to"
)
_RECORDS = (
    f"SELECT {_COLUMNS} FROM memory_memoryrecord"  # noqa: S608 (no value is put in)
    " WHERE COALESCE(space_id, NULL) = %s AND COALESCE(private_to_id, %s) = %s AND id IN ({})"
)
_EVIDENCE = (
    "SELECT record_id, turn_id FROM memory_recordevidence"
    " WHERE COALESCE(space_id, NULL) = %s AND record_id IN ({}) ORDER BY id"
)
_PLACES = (
    "SELECT turn_id, session_id, turn_index FROM memory_recordevidence"
    " WHERE COALESCE(space_id, NULL) = %s AND turn_id IN ({})"
)
_SILENCED = "SELECT turn_id FROM memory_silencedturn WHERE space_id = %s AND turn_id IN ({})"
ERASED = datetime.min.replace(tzinfo=UTC)  # the expiry of what was erased: it was never known
_EXPIRIES = (
    "SELECT e.turn_id, r.expired_at, r.corrected_at, e.created_at, r.superseded_at, r.slot, b.slot"
    " FROM memory_recordevidence e"
    " JOIN memory_memoryrecord r ON r.id = e.record_id"
    " LEFT JOIN memory_memoryrecord b ON b.id = r.superseded_by_id"
    " WHERE COALESCE(r.space_id, NULL) = %s AND COALESCE(r.private_to_id, %s) = %s"
    " AND e.space_id = %s AND e.turn_id IN ({})"
)


_COMPOSITES = (
    "SELECT i.id, c.id, c.representative_id, c.semantic_text, c.memory_type, c.subjects, c.entities,"
    " c.valid_from, c.valid_to, c.said_at, c.title FROM memory_compositerecord c"
    " JOIN memory_indexeditem i ON i.uid = c.id AND i.kind = 'composite'"
    " WHERE COALESCE(c.space_id, NULL) = %s AND COALESCE(c.private_to_id, %s) = %s AND i.id IN ({})"
)


@dataclass(frozen=True, slots=True)
class CompositeRow:
    """What a recall needs of a composite."""

    id: UUID
    representative_id: UUID
    semantic_text: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    entities: tuple[str, ...]
    valid_from: datetime | None
    valid_to: datetime | None
    said_at: datetime
    title: str


class Fate(NamedTuple):
    """What became of a record that rests on a turn: when it was expired, since when the words of the turn
    are no longer its own, as they were corrected, and since when a later statement is known that left
    nothing of it, another than the next value of its attribute; None: never.
    """

    expired_at: datetime | None = None
    reworded_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """What a recall needs of a record."""

    id: UUID
    session_id: UUID
    memory_type: MemoryType
    semantic_text: str
    subject: str
    slot: str
    entities: tuple[str, ...]
    time_ref: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    learned_at: datetime
    expired_at: datetime | None
    said_at: datetime
    source_role: str
    is_confirmed: bool
    superseded_at: datetime | None = None
    stated_valid_to: datetime | None = None

    @property
    def lifespan(self) -> Lifespan:
        """Its instants."""
        return Lifespan(
            said_at=self.said_at,
            learned_at=self.learned_at,
            expired_at=self.expired_at,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            superseded_at=self.superseded_at,
            stated_valid_to=self.stated_valid_to,
            is_event=self.memory_type is MemoryType.EVENT,
        )


def record_rows(reader: Reader, ids: Sequence[UUID]) -> list[RecordRow]:
    """Those of the records that exist and that the reader may see, expired ones included."""
    if not ids:
        return []
    user = uuid_value(reader.user_id)
    owner = [uuid_value(reader.space_id), user, user]
    found = fetch_all(_RECORDS.format(marks(len(ids))), [*owner, *map(uuid_value, ids)])
    return [_record(row) for row in found]


def composite_rows(reader: Reader, items: Sequence[int]) -> dict[int, CompositeRow]:
    """By index number those of the composites that exist and that the reader may see."""
    if not items:
        return {}
    user = uuid_value(reader.user_id)
    found = fetch_all(
        _COMPOSITES.format(marks(len(items))), [uuid_value(reader.space_id), user, user, *items]
    )
    return {row[0]: _composite(row[1:]) for row in found}


def evidence_of(space_id: UUID, record_ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, ...]]:
    """Turn ids by record, in the order in which they were linked."""
    evidence: dict[UUID, tuple[UUID, ...]] = {}
    if not record_ids:
        return evidence
    sql = _EVIDENCE.format(marks(len(record_ids)))
    for record, turn in fetch_all(sql, [uuid_value(space_id), *map(uuid_value, record_ids)]):
        record_id = as_uuid(record)
        evidence[record_id] = (*evidence.get(record_id, ()), as_uuid(turn))
    return evidence


def lost_turns(space_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, LostTurn]:
    """Where turns stood of which nothing but the records' evidence is left."""
    if not turn_ids:
        return {}
    rows = fetch_all(_PLACES.format(marks(len(turn_ids))), [uuid_value(space_id), *map(uuid_value, turn_ids)])
    lost = [LostTurn(as_uuid(turn), as_uuid(session), index) for turn, session, index in rows]
    return {turn.turn_id: turn for turn in lost}


def fates_of(reader: Reader, turn_ids: Collection[UUID]) -> dict[UUID, tuple[Fate, ...]]:
    """By turn, what became of each record that rests on it and that the reader may see.

    One that was erased counts as expired and reworded before all time. A turn that was linked
    after the correction says what the record says.
    """
    fates: dict[UUID, tuple[Fate, ...]] = {}
    if not turn_ids:
        return fates
    user, space = uuid_value(reader.user_id), uuid_value(reader.space_id)
    sql = _EXPIRIES.format(marks(len(turn_ids)))
    for turn, expired, corrected, linked, superseded, slot, slot_of_later in fetch_all(
        sql, [space, user, user, space, *map(uuid_value, turn_ids)]
    ):
        corrected_at = _optional(corrected)
        is_older = corrected_at is not None and as_instant(linked) <= corrected_at
        ended_at = _optional(superseded) if not slot or slot_of_later == "" else None
        fate = Fate(_optional(expired), corrected_at if is_older else None, ended_at)
        fates[as_uuid(turn)] = (*fates.get(as_uuid(turn), ()), fate)
    for (turn,) in fetch_all(_SILENCED.format(marks(len(turn_ids))), [space, *map(uuid_value, turn_ids)]):
        fates[as_uuid(turn)] = (*fates.get(as_uuid(turn), ()), Fate(ERASED, ERASED))
    return fates


def _record(row: Sequence[Any]) -> RecordRow:
    return RecordRow(
        id=as_uuid(row[0]),
        session_id=as_uuid(row[1]),
        memory_type=MemoryType(row[2]),
        semantic_text=row[3],
        subject=row[4],
        slot=row[5],
        entities=_texts(row[6]),
        time_ref=_optional(row[7]),
        valid_from=_optional(row[8]),
        valid_to=_optional(row[9]),
        learned_at=as_instant(row[10]),
        expired_at=_optional(row[11]),
        said_at=as_instant(row[12]),
        source_role=row[13],
        is_confirmed=bool(row[14]),
        superseded_at=_optional(row[15]),
        stated_valid_to=_optional(row[16]),
    )


def _composite(row: Sequence[Any]) -> CompositeRow:
    return CompositeRow(
        id=as_uuid(row[0]),
        representative_id=as_uuid(row[1]),
        semantic_text=row[2],
        memory_type=MemoryType(row[3]),
        subjects=_texts(row[4]),
        entities=_texts(row[5]),
        valid_from=_optional(row[6]),
        valid_to=_optional(row[7]),
        said_at=as_instant(row[8]),
        title=row[9],
    )


def _texts(value: Any) -> tuple[str, ...]:
    """A JSON list as the driver gives it: text on SQLite."""
    return tuple(json.loads(value) if isinstance(value, str) else value)


def _optional(value: datetime | None) -> datetime | None:
    return None if value is None else as_instant(value)

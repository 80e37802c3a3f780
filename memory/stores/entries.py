"""Rows of the index by number, read by hand-written SQL: every recall reads hundreds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.domain.types import Kind
from memory.ports import session_code
from memory.stores.sql import as_uuid, fetch_all, marks, uuid_value

Ints = npt.NDArray[np.int64]

_NEWEST = 1_000  # of the items that wait: what was said in the last minutes
_CHUNK = 500  # parameters of one statement
# COALESCE keeps SQLite from walking the whole space by its index when ids are given.
_OF_ITEMS = " FROM memory_indexeditem WHERE COALESCE(space_id, NULL) = %s AND id IN ({})"
_ENTRIES = f"SELECT id, uid, speaker, length, terms{_OF_ITEMS}"
_AWAITING = "SELECT item FROM memory_indexoutbox WHERE space_id = %s AND kind = %s ORDER BY id DESC LIMIT %s"
_AROUND = (
    "SELECT here.id, near.id FROM memory_indexeditem here JOIN memory_indexeditem near"
    " ON near.space_id = here.space_id AND near.kind = here.kind AND near.session_id = here.session_id"
    " AND near.position BETWEEN here.position - {reach} AND here.position + {reach}"
    " WHERE COALESCE(here.space_id, NULL) = %s AND here.id IN ({})"
)
_PLACES = f"SELECT id, session_id, position{_OF_ITEMS}"


class EntryRow(NamedTuple):
    """A row of the index as the driver gives it."""

    item: int
    uid: UUID | str
    speaker: str
    length: int
    terms: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An indexed item: the id of its turn or record, who speaks or is spoken of, its terms."""

    item: int
    uid: UUID
    speaker: str
    terms: frozenset[str]

    @classmethod
    def of(cls, row: EntryRow) -> "Entry":
        """The entry of a row."""
        return cls(row.item, as_uuid(row.uid), row.speaker, frozenset(row.terms.split()))


def entries_of(space_id: UUID, items: Sequence[int]) -> dict[int, EntryRow]:
    """The rows of these items; those that are gone are absent."""
    return {row[0]: EntryRow(*row) for row in _rows(_ENTRIES, space_id, items)}


def places_of(space_id: UUID, items: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """Items, session codes and positions of those that are there, side by side."""
    rows = [(row[0], session_code(as_uuid(row[1])), row[2]) for row in _rows(_PLACES, space_id, items)]
    columns = np.array(rows, np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def awaiting_of(space_id: UUID, kind: Kind) -> Ints:
    """Items whose vectors are still to be written, of a long queue the newest."""
    rows = fetch_all(_AWAITING, [uuid_value(space_id), kind.value, _NEWEST])
    return np.array([row[0] for row in rows], np.int64)


def items_around(space_id: UUID, items: Sequence[int], *, reach: int) -> dict[int, list[int]]:
    """For each item those of its kind at most `reach` positions away in its session, itself included."""
    around: dict[int, list[int]] = {}
    for item, near in _rows(_AROUND.replace("{reach}", str(int(reach))), space_id, items):
        around.setdefault(item, []).append(near)
    return around


def _rows(sql: str, space_id: UUID, items: Sequence[int]) -> Iterable[tuple[Any, ...]]:
    for start in range(0, len(items), _CHUNK):
        chunk = items[start : start + _CHUNK]
        yield from fetch_all(sql.format(marks(len(chunk))), [uuid_value(space_id), *chunk])

"""The writing side of the text index: an item's entry, its postings, its scope's sums.

Everything is keyed, so a write costs the same in a large space as in a small one.
Appending a turn comes through here, hence the statements written by hand.
"""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from memory.domain.text import TERMS_VERSION, index_terms
from memory.domain.types import IndexItem, Kind
from memory.models import IndexedItem, IndexScope
from memory.stores.sql import fetch_all, uuid_value

MAX_FREQUENCY = 0xFF  # 8 bits of a posting's weight
MAX_LENGTH = 0xFFFF  # 16 bits above them

_WRITE = "INSERT INTO memory_posting (scope_id, term, item, weight) VALUES (%s, %s, %s, %s)"
_DELETE = "DELETE FROM memory_posting WHERE scope_id = %s AND term = %s AND item = %s"
_COUNT_ITEMS = (
    "UPDATE memory_indexscope SET items = items + %s, total_length = total_length + %s WHERE id = %s"
)
_SCOPE = "SELECT id FROM memory_indexscope WHERE space_id = %s AND kind = %s AND private_to_id "
_LOCK = "SELECT id FROM memory_indexscope WHERE space_id = %s ORDER BY id FOR NO KEY UPDATE"
_CHANGED = ["private_to", "scope", "session_id", "position", "speaker", "length", "terms", "seq"]


def write_entries(space_id: UUID, kind: Kind, items: Sequence[IndexItem]) -> list[IndexedItem]:
    """Write or replace the entries of one space and kind; returns their rows."""
    _lock_scopes(space_id)
    known = {row.uid: row for row in _entries_of(space_id, kind, [item.id for item in items])}
    _remove_postings(list(known.values()))
    scopes = {owner: _scope_id(space_id, owner, kind) for owner in {item.private_to for item in items}}
    counts = [Counter(index_terms(item.text)) for item in items]
    rows = [
        _entry(item, scopes[item.private_to], terms, known.get(item.id))
        for item, terms in zip(items, counts, strict=True)
    ]
    IndexedItem.objects.bulk_create([row for row in rows if row.pk is None])
    if known:
        IndexedItem.objects.bulk_update(list(known.values()), _CHANGED)
    _insert_postings(rows, counts)
    return rows


def delete_entries(space_id: UUID, kind: Kind, ids: Sequence[UUID]) -> dict[UUID, int]:
    """Remove the entries; returns the ids of those that were there."""
    _lock_scopes(space_id)
    rows = _entries_of(space_id, kind, ids)
    _remove_postings(rows)
    IndexedItem.objects.filter(id__in=[row.id for row in rows]).delete()
    return {row.uid: row.id for row in rows}


def pack_weight(frequency: int, length: int) -> int:
    """A posting's weight; both parts saturate."""
    return min(length, MAX_LENGTH) << 8 | min(frequency, MAX_FREQUENCY)


def _lock_scopes(space_id: UUID) -> None:
    """Let one transaction at a time write to the indexes of a space; SQLite lets one anyway.

    Else two that write the same item would both take away its old postings, and two that write
    records and composites in another order would wait for each other.
    """
    if connection.features.has_select_for_update:
        fetch_all(_LOCK, [uuid_value(space_id)])


def _entries_of(space_id: UUID, kind: Kind, ids: Sequence[UUID]) -> list[IndexedItem]:
    """The entries that are there: none, nearly always, when turns are appended."""
    if not ids:
        return []
    names = ", ".join(["%s"] * len(ids))
    sql = f"SELECT id FROM memory_indexeditem WHERE kind = %s AND uid IN ({names})"  # noqa: S608
    if not (found := fetch_all(sql, [kind.value, *map(uuid_value, ids)])):
        return []
    return list(IndexedItem.objects.filter(id__in=[row[0] for row in found], space_id=space_id))


def _entry(item: IndexItem, scope_id: int, terms: Counter[str], known: IndexedItem | None) -> IndexedItem:
    """The item's row, new or brought up to date; its vector is due."""
    row = known or IndexedItem(space_id=item.space_id, kind=item.kind, uid=item.id)
    row.private_to_id = item.private_to
    row.scope_id = scope_id
    row.session_id = item.session_id
    row.position = item.position
    row.speaker = item.speaker
    row.length = terms.total()
    row.terms = " ".join(terms)
    row.seq = None
    return row


def _insert_postings(rows: Sequence[IndexedItem], counts: Sequence[Counter[str]]) -> None:
    entries = [
        (row.scope_id, term, row.id, pack_weight(frequency, row.length))
        for row, terms in zip(rows, counts, strict=True)
        for term, frequency in terms.items()
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_WRITE, entries)
    _count_items(rows, sign=1)


def _remove_postings(rows: Sequence[IndexedItem]) -> None:
    if not rows:
        return
    keys = [(row.scope_id, term, row.id) for row in rows for term in row.terms.split(" ") if term]
    with connection.cursor() as cursor:
        cursor.executemany(_DELETE, keys)
    _count_items(rows, sign=-1)


def _count_items(rows: Sequence[IndexedItem], *, sign: int) -> None:
    """Keep the scopes' sums; always in id order, so that two writers never wait in a ring."""
    with connection.cursor() as cursor:
        for scope_id in sorted({row.scope_id for row in rows}):
            lengths = [row.length for row in rows if row.scope_id == scope_id]
            cursor.execute(_COUNT_ITEMS, [sign * len(lengths), sign * sum(lengths), scope_id])


def _scope_id(space_id: UUID, owner: UUID | None, kind: Kind) -> int:
    """The scope's id; made on first use, and never again changed but for its sums."""
    place = [uuid_value(space_id), kind.value]
    found = (
        fetch_all(f"{_SCOPE} = %s", [*place, uuid_value(owner)])
        if owner
        else fetch_all(f"{_SCOPE} IS NULL", place)
    )
    if found:
        return int(found[0][0])
    made, _ = IndexScope.objects.get_or_create(
        space_id=space_id, private_to_id=owner, kind=kind, defaults={"terms_version": TERMS_VERSION}
    )
    return made.id

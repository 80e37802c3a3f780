"""Rows become findable: words at once, vectors when the outbox is drained.

Called by every service that writes a turn or record, in its transaction.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Min

from accounts.registries import wake_on_commit
from memory.domain.types import IndexItem, Kind, Turn
from memory.models import IndexOutbox, MemoryRecord, RecordEvidence
from memory.services.record_rows import index_item
from memory.stores.registry import text_index


def index_items(items: Sequence[IndexItem]) -> None:
    """Write the items' words and queue their vectors, in the caller's transaction.

    Repeating it replaces. Of two items with one id the last counts.
    """
    if not items:
        return
    with transaction.atomic(savepoint=False):
        ids = text_index().upsert(items)
        spaces = {(item.kind, item.id): item.space_id for item in items}
        _queue([_Entry(spaces[key], *key, item) for key, item in ids.items()])


def unindex_items(space_id: UUID, kind: Kind, ids: Sequence[UUID]) -> None:
    """Remove the items' words and queue the removal of their vectors; unknown ids are ignored."""
    if not ids:
        return
    with transaction.atomic(savepoint=False):
        gone = text_index().delete(space_id, kind, ids)
        _queue([_Entry(space_id, kind, uid, item) for uid, item in gone.items()])


def turn_item(turn: Turn) -> IndexItem:
    """What the indexes know of a turn."""
    return IndexItem(
        kind=Kind.TURN,
        id=turn.id,
        space_id=turn.space_id,
        private_to=turn.private_to,
        session_id=turn.session_id,
        position=turn.index,
        speaker=turn.speaker,
        text=turn.text,
    )


def record_items(records: Sequence[MemoryRecord]) -> list[IndexItem]:
    """What the indexes know of records; each stands at its first evidence turn."""
    first: dict[UUID, int] = {}
    for space_id in {record.space_id for record in records}:
        evidence = RecordEvidence.objects.for_space(space_id).filter(record__in=records)
        firsts = evidence.values("record_id").annotate(first=Min("turn_index"))
        first.update(firsts.values_list("record_id", "first"))
    return [index_item(record, position=first.get(record.id, 0)) for record in records]


class _Entry(NamedTuple):
    """What the outbox must know of an item; `item` is its id in the indexes."""

    space_id: UUID
    kind: Kind
    uid: UUID
    item: int


def _queue(entries: list[_Entry]) -> None:
    IndexOutbox.objects.bulk_create([IndexOutbox(**entry._asdict()) for entry in entries])
    for space_id in {entry.space_id for entry in entries}:
        wake_on_commit("index", space_id)

"""Indexes are made anew from the rows, compared with them, and mended.

Rows are the truth: whatever an index holds beside them is dropped, whatever it
lacks is queued and drained.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memory.config import IndexConfig
from memory.domain.types import TEXT_KINDS, IndexItem, Kind, Role
from memory.errors import ProviderUnavailable
from memory.models import CompositeRecord, IndexedItem, IndexOutbox, MemoryRecord
from memory.providers.registry import embedder
from memory.registries import index_sources, turn_source
from memory.services.communities import refresh_communities
from memory.services.composite_rows import composite_item
from memory.services.drain import (
    CONFIG,
    NO_VECTOR,
    await_vectors,
    drain_held,
    drain_outbox,
    turn_vectors,
)
from memory.services.evidence_rows import rebuild_evidence
from memory.services.index import index_items, record_items, turn_item, unindex_items
from memory.services.lease import claim_space
from memory.stores.registry import text_index, token_store, vector_index

__all__ = [
    "Drift",
    "KindDrift",
    "await_vectors",
    "check_space",
    "drain_outbox",
    "maintain_indexes",
    "rebuild_space",
    "repair_space",
    "turn_vectors",
]

OnProgress = Callable[[str, int, int], None]  # stage, done, of how many (0: not known yet)

RECALLED_ROLES = frozenset({Role.USER, Role.ASSISTANT})  # tool and system turns are never recalled


@dataclass(frozen=True, slots=True)
class KindDrift:
    """How the indexes of one kind differ from the rows.

    `missing`: rows without words, vector or tokens; `stale`: rows whose vector is of
    another write than noted; `orphaned`: indexed ids without a row, with what they
    are called if that is known.
    """

    missing: frozenset[UUID] = frozenset()
    stale: frozenset[UUID] = frozenset()
    orphaned: Mapping[int, UUID | None] | None = None

    @property
    def total(self) -> int:
        """How many items are wrong."""
        return len(self.missing) + len(self.stale) + len(self.orphaned or {})


@dataclass(frozen=True, slots=True)
class Drift:
    """How a space's indexes differ from its rows; what is queued counts as right."""

    kinds: Mapping[Kind, KindDrift]

    @property
    def total(self) -> int:
        """How many items are wrong."""
        return sum(drift.total for drift in self.kinds.values())


def rebuild_space(
    space_id: UUID, on_progress: OnProgress = lambda stage, done, total: None, *, config: IndexConfig = CONFIG
) -> int:
    """Drop the space's indexes and make them from its rows; how many items they hold.

    Recall goes on meanwhile with what is there. Raises ProviderUnavailable while
    another worker drains the space.
    """
    with claim_space(space_id, config) as lease:
        if lease is None:
            raise ProviderUnavailable("The space's index is being written by another worker; try again.")
        vector_index().drop_space(space_id)
        token_store().drop_space(space_id)
        with transaction.atomic():
            IndexOutbox.objects.filter(space_id=space_id).delete()
            text_index().drop_space(space_id)
        words = 0
        for items in live_items(space_id, config.rebuild_batch):
            index_items(items)
            words += len(items)
            on_progress("words", words, 0)
            lease.renew()
        done = 0
        while step := drain_held(space_id, lease, config=config, most=config.drain_batch):
            done += step
            on_progress("vectors", done, words)

        def hung(records: int, total: int) -> None:
            lease.renew()
            on_progress("evidence", records, total)

        rebuild_evidence(space_id, hung)
        refresh_communities(space_id)
    return words


def check_space(space_id: UUID) -> Drift:
    """Compare every index with the rows. Raises IndexMismatch."""
    rows: dict[Kind, set[UUID]] = {kind: set() for kind in TEXT_KINDS}
    for items in live_items(space_id, CONFIG.rebuild_batch):
        for item in items:
            rows[item.kind].add(item.id)
    return Drift({kind: _compare(space_id, kind, rows[kind]) for kind in TEXT_KINDS})


def repair_space(space_id: UUID, drift: Drift) -> None:
    """Queue what is missing or stale, remove what is orphaned, and drain."""
    for kind, found in drift.kinds.items():
        orphaned = found.orphaned or {}
        unindex_items(space_id, kind, [uid for uid in orphaned.values() if uid])
        nameless = [item for item, uid in orphaned.items() if uid is None]
        vector_index().delete(space_id, kind, nameless)
        token_store().delete(space_id, kind, nameless)
    wrong = {(kind, uid) for kind, found in drift.kinds.items() for uid in found.missing | found.stale}
    for items in live_items(space_id, CONFIG.rebuild_batch):
        index_items([item for item in items if (item.kind, item.id) in wrong])
    drain_outbox(space_id)


def maintain_indexes() -> None:
    """Put the vector store's small files together and forget its old versions."""
    vector_index().optimize()


def live_items(space_id: UUID, batch: int) -> Iterator[list[IndexItem]]:
    """What should be indexed of the space: recalled turns, live records, composites, then what other
    apps keep.
    """
    for turns in turn_source().scan(space_id):
        yield [turn_item(turn) for turn in turns if turn.role in RECALLED_ROLES]
    records = MemoryRecord.objects.for_space(space_id).filter(expired_at=None)
    for page in _pages(records, batch):
        yield record_items(page)
    for page in _pages(CompositeRecord.objects.for_space(space_id), batch):
        yield [composite_item(row) for row in page]
    for source in index_sources().values():
        yield from source.scan(space_id, batch=batch)


def _pages(rows: "QuerySet[Any]", batch: int) -> Iterator[list[Any]]:
    """The rows by id, so many at a time."""
    last: UUID | None = None
    ordered = rows.order_by("id")
    while page := list((ordered.filter(id__gt=last) if last else ordered)[:batch]):
        yield page
        last = page[-1].id


def _compare(space_id: UUID, kind: Kind, rows: set[UUID]) -> KindDrift:
    entries = IndexedItem.objects.filter(space_id=space_id, kind=kind).values_list("id", "uid", "seq")
    by_uid = {uid: (item, seq) for item, uid, seq in entries}
    queued = set(IndexOutbox.objects.filter(space_id=space_id, kind=kind).values_list("item", flat=True))
    stored, tokens = vector_index().seqs(space_id, kind), token_store().items(space_id, kind)
    missing, stale = rows - by_uid.keys(), set()
    has_tokens = embedder().makes_tokens
    for uid, (item, seq) in by_uid.items():
        if uid not in rows or item in queued or seq == NO_VECTOR:
            continue
        if item not in stored or (has_tokens and item not in tokens):
            missing.add(uid)
        elif stored[item] != seq:
            stale.add(uid)
    orphaned: dict[int, UUID | None] = {by_uid[uid][0]: uid for uid in by_uid.keys() - rows}
    known = {item for item, seq in by_uid.values() if seq != NO_VECTOR}
    orphaned |= dict.fromkeys((stored.keys() | tokens) - known - orphaned.keys())
    settled = {item: uid for item, uid in orphaned.items() if item not in queued}
    return KindDrift(frozenset(missing), frozenset(stale), settled)

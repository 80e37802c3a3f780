"""The outbox is drained into the vector index and the token store, space by space.

A drainer writes the *current* state of each row, a missing or expired one being a
delete; so any entry may be drained twice, late, or after a crash, with the same end.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memory.config import IndexConfig
from memory.domain.types import TEXT_KINDS, Kind, Usage
from memory.errors import IndexMismatch
from memory.models import CompositeRecord, IndexedItem, IndexOutbox, IndexState, MemoryRecord
from memory.ports import Embedding, OnUsage, VectorEntry, Vectors
from memory.providers.registry import embedder
from memory.registries import index_sources, turn_source, usage_sinks
from memory.services.lease import Lease, claim_space
from memory.stores.registry import token_store, vector_index

NO_VECTOR = 0  # the seq of an item whose text has none
CONFIG = IndexConfig()
_LOOK_SECONDS = 0.02  # between two looks while another worker drains


def drain_outbox(space_id: UUID, *, config: IndexConfig = CONFIG) -> int:
    """Bring the space's vectors up to its rows; how many entries were done.

    Returns at once if another worker is at it. Raises ProviderError; what was not
    done stays queued.
    """
    done = 0
    while _pending(space_id).exists():
        with claim_space(space_id, config) as lease:
            if lease is None:
                return done
            done += drain_held(space_id, lease, config=config)
        # Entries queued after the last look found the lease taken: look again.
    return done


def await_vectors(space_id: UUID, *, within_seconds: float, config: IndexConfig = CONFIG) -> bool:
    """Drain, or wait while another worker does, until all that is queued now is written.

    False if that took too long. What is queued meanwhile is not waited for. Raises ProviderError.
    """
    newest = _pending(space_id).order_by("-id").values_list("id", flat=True).first()
    due = _pending(space_id).filter(id__lte=newest or 0)
    deadline = monotonic() + within_seconds
    while due.exists():
        if monotonic() > deadline:
            return False
        if not drain_outbox(space_id, config=config):
            sleep(_LOOK_SECONDS)
    return True


def drain_held(space_id: UUID, lease: Lease, *, config: IndexConfig = CONFIG, most: int | None = None) -> int:
    """Drain as the holder of the space's lease, at least `most` entries if so many are queued.

    Raises ProviderError; IndexMismatch before anything is embedded in vain.
    """
    if is_of_other_embedder(space_id):
        raise IndexMismatch
    done = 0
    while batch := list(_pending(space_id).order_by("id")[: config.drain_batch]):
        for kind in TEXT_KINDS:
            _write_batch(space_id, kind, [row for row in batch if row.kind == kind])
        done += len(batch)
        if not lease.renew() or (most and done >= most):
            break
    return done


def is_of_other_embedder(space_id: UUID) -> bool:
    """Whether the space holds vectors that another embedder than the one in use has made."""
    using = embedder()
    states = IndexState.objects.filter(space_id=space_id, kind__in=TEXT_KINDS)
    return states.exclude(embedder=using.name, dimension=using.dimension).exists()


def turn_vectors(space_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, Vectors | None]:
    """The vector of each turn, None for a text that has none or a turn that is gone.

    Vectors that are due are written first; while another worker does so, or under an
    index of another embedder, the texts are embedded here and not stored.
    """
    try:
        found = _stored_vectors(space_id, turn_ids)
        if len(found) < len(turn_ids) and drain_outbox(space_id):
            found = _stored_vectors(space_id, turn_ids)
    except IndexMismatch:
        found = {}
    missing = [i for i in turn_ids if i not in found]
    turns = turn_source().current(space_id, missing)
    made: dict[UUID, Embedding] = {}
    for owner in dict.fromkeys(turn.private_to for turn in turns.values()):
        texts = {turn.id: turn.text for turn in turns.values() if turn.private_to == owner}
        with _told(space_id, owner) as on_usage:
            embeddings = embedder().embed(list(texts.values()), on_usage=on_usage)
        made.update(zip(texts, embeddings, strict=True))
    for turn_id in missing:
        found[turn_id] = made[turn_id].vector if turn_id in made else None
    return found


@dataclass(frozen=True, slots=True)
class _Live:
    """An item as it should stand in the index."""

    item: IndexedItem
    text: str


class _Made(NamedTuple):
    """A live item and what the embedder made of it."""

    item: IndexedItem
    embedding: Embedding


def _pending(space_id: UUID) -> "QuerySet[IndexOutbox]":
    return IndexOutbox.objects.filter(space_id=space_id)


def _write_batch(space_id: UUID, kind: Kind, rows: Sequence[IndexOutbox]) -> None:
    """Vectors and tokens first, then the entries' removal: a crash between repeats it."""
    if not rows:
        return
    live = _live_items(space_id, kind, {row.uid for row in rows})
    made = _embedded(space_id, live)
    readable = [one for one in made if one.embedding.vector is not None]
    unreadable = [one for one in made if one.embedding.vector is None]
    seq = vector_index().upsert(space_id, kind, list(_entries(readable)))
    tokens = {one.item.id: one.embedding.tokens for one in readable}
    token_store().write(space_id, kind, {item: t for item, t in tokens.items() if t is not None})
    gone = {row.item for row in rows} - {one.item.id for one in made}
    # A deletion makes every process look again: not for texts that never had a vector.
    gone |= vector_index().vectors(space_id, kind, [one.item.id for one in unreadable]).keys()
    vector_index().delete(space_id, kind, sorted(gone))
    token_store().delete(space_id, kind, sorted(gone))
    with transaction.atomic():
        IndexOutbox.objects.filter(id__in=[row.id for row in rows]).delete()
        _note_seq(space_id, readable, seq)
        _note_seq(space_id, unreadable, NO_VECTOR)


def _embedded(space_id: UUID, live: Sequence[_Live]) -> list[_Made]:
    """What the embedder makes of the items; each person's private ones in a call of their own,
    so that what it took is theirs to see.
    """
    made: list[_Made] = []
    for owner in dict.fromkeys(entry.item.private_to_id for entry in live):
        own = [entry for entry in live if entry.item.private_to_id == owner]
        with _told(space_id, owner) as on_usage:
            embeddings = embedder().embed([each.text for each in own], with_tokens=True, on_usage=on_usage)
        made += [_Made(entry.item, embedding) for entry, embedding in zip(own, embeddings, strict=True)]
    return made


@contextmanager
def _told(space_id: UUID, private_to: UUID | None) -> Iterator[OnUsage]:
    """Collect what calls take, and hand it on at the end, also when one fails."""
    took: list[Usage] = []
    try:
        yield took.append
    finally:
        for tell in usage_sinks():
            tell(space_id, private_to, took)


def _entries(made: Iterable[_Made]) -> Iterable[VectorEntry]:
    for item, embedding in made:
        if embedding.vector is not None:
            yield VectorEntry(item.id, item.private_to_id, item.session_id, item.position, embedding.vector)


def _note_seq(space_id: UUID, made: Iterable[_Made], seq: int) -> None:
    """An item queued again meanwhile stays due."""
    queued = _pending(space_id).values("item")
    settled = IndexedItem.objects.filter(id__in=[one.item.id for one in made]).exclude(id__in=queued)
    settled.update(seq=seq)


def _live_items(space_id: UUID, kind: Kind, ids: set[UUID]) -> list[_Live]:
    """Those of the items that have an entry and whose row counts, with the row's text."""
    texts = current_texts(space_id, kind, ids)
    rows = IndexedItem.objects.filter(space_id=space_id, kind=kind, uid__in=texts)
    return [_Live(row, texts[row.uid]) for row in rows.order_by("id")]


def current_texts(space_id: UUID, kind: Kind, ids: Iterable[UUID]) -> dict[UUID, str]:
    """What is embedded of each row that exists and is not expired."""
    if kind is Kind.TURN:
        turns = turn_source().current(space_id, list(ids))
        return {turn.id: turn.text for turn in turns.values()}
    if kind is Kind.COMPOSITE:
        composites = CompositeRecord.objects.for_space(space_id).filter(id__in=list(ids))
        return dict(composites.values_list("id", "semantic_text"))
    if kind is not Kind.RECORD:
        source = index_sources().get(kind)
        return source.current(space_id, list(ids)) if source else {}
    records = MemoryRecord.objects.for_space(space_id).filter(id__in=list(ids), expired_at=None)
    return dict(records.values_list("id", "semantic_text"))


def _stored_vectors(space_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, Vectors | None]:
    """Of the turns whose vector is not due: the vector, or None where there is none."""
    rows = IndexedItem.objects.filter(space_id=space_id, kind=Kind.TURN, uid__in=turn_ids)
    settled = {row.uid: row for row in rows.exclude(seq=None)}
    wanted = [row.id for row in settled.values() if row.seq != NO_VECTOR]
    vectors = vector_index().vectors(space_id, Kind.TURN, wanted)
    return {
        uid: vectors.get(row.id) for uid, row in settled.items() if row.seq == NO_VECTOR or row.id in vectors
    }

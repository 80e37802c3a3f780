"""One level of the memory tree as fusion sees it: records, or the composites of a level.

A layer finds its nodes by id, tells which others are alike, and gives their vectors;
records are looked up through the vector index, composites by their stored centroids.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.models import Q, QuerySet

from memory.config import FusionConfig
from memory.domain.fusion.clusters import Member, are_alike
from memory.domain.fusion.composites import Child, Representative
from memory.domain.text import fold
from memory.domain.types import Kind, Reader, Role
from memory.models import CompositeRecord, IndexedItem, MemoryRecord
from memory.ports import VectorMatches, Vectors
from memory.services.composite_rows import Audience, in_batches
from memory.services.drain import NO_VECTOR
from memory.stores.registry import vector_index

NOBODY = UUID(int=0)  # sees what a space shares
Alike = Iterator[tuple[UUID, UUID]]
OnStep = Callable[[str, int, int], None]  # stage, done, of how many


@dataclass(frozen=True, slots=True)
class Node:
    """A record or composite that takes part, with the version and the due mark that were read."""

    child: Child
    member: Member
    version: int
    due: int


class Layer(Protocol):
    """The nodes of one level; level 0 are the records."""

    @property
    def level(self) -> int:
        """What its parents are one above."""
        ...

    def find(self, ids: Iterable[UUID]) -> dict[UUID, Node]:
        """Those of the nodes that take part: current, trusted, with a vector."""
        ...

    def alike(self, ids: Sequence[UUID], *, besides: Collection[UUID]) -> Alike:
        """Pairs of one of the ids and any other node beyond the edges' cosine, but `besides`."""
        ...

    def vectors(self, ids: Sequence[UUID]) -> Vectors:
        """(n, d) unit rows in the order of the ids, which `find` gave."""
        ...


class RecordLayer:
    """The records of an audience."""

    level = 0

    def __init__(self, audience: Audience, config: FusionConfig, on_step: OnStep) -> None:
        self._audience = audience
        self._config = config
        self._on_step = on_step
        self._items: dict[UUID, int] = {}
        self._known: dict[UUID, Vectors] = {}
        reader = Reader(audience.space_id, audience.private_to or NOBODY)
        self._index = vector_index().open(reader, Kind.RECORD)

    def find(self, ids: Iterable[UUID]) -> dict[UUID, Node]:
        """Live, not superseded, no order to a model, nothing that an assistant alone said."""
        unsure = Q(source_role=Role.ASSISTANT, is_confirmed=False)
        rows = self._audience.records().filter(
            expired_at__isnull=True, superseded_at__isnull=True, is_suspicious=False
        )
        found: dict[UUID, Node] = {}
        for batch in in_batches(sorted(ids)):
            items = self.items(batch)
            taking_part = rows.filter(id__in=list(items)).exclude(unsure)
            found.update((row.id, _record_node(row)) for row in taking_part.order_by("id"))
        return found

    def items(self, ids: Sequence[UUID]) -> dict[UUID, int]:
        """The numbers under which the vectors of these records are kept; of those that have one."""
        rows = self._entries().filter(uid__in=ids).exclude(seq=None).exclude(seq=NO_VECTOR)
        found = dict(rows.values_list("uid", "id"))
        self._items.update(found)
        return found

    def alike(self, ids: Sequence[UUID], *, besides: Collection[UUID]) -> Alike:
        """See Layer."""
        left_out = [self._items[id_] for id_ in besides if id_ in self._items]
        for batch, matches in self._searched(ids, "neighbours"):
            alike = are_alike(matches.cosines, self._config.edge_cosine)
            alike &= ~np.isin(matches.items, left_out)
            yield from self._pairs(batch, matches, alike)

    def likest(self, ids: Sequence[UUID], *, threshold: float, most: int) -> Alike:
        """Pairs of one of the ids and each of its nearest beyond the threshold, itself included."""
        for batch, matches in self._searched(ids, "duplicates"):
            alike = are_alike(matches.cosines, threshold)
            for row in np.flatnonzero(alike.sum(axis=1) > most):
                cosines = np.where(alike[row], matches.cosines[row], -1)
                alike[row] = False
                alike[row, np.argpartition(-cosines, most)[:most]] = True
            yield from self._pairs(batch, matches, alike)

    def vectors(self, ids: Sequence[UUID]) -> Vectors:
        """See Layer. Raises KeyError for one that has been removed meanwhile."""
        missing = [id_ for id_ in ids if id_ not in self._known]
        for batch in in_batches(missing):
            stored = vector_index().vectors(
                self._audience.space_id, Kind.RECORD, [self._items[id_] for id_ in batch]
            )
            self._known.update((id_, stored[self._items[id_]]) for id_ in batch if self._items[id_] in stored)
        return np.stack([self._known[id_] for id_ in ids])

    def _searched(self, ids: Sequence[UUID], stage: str) -> Iterator[tuple[Sequence[UUID], VectorMatches]]:
        for number, batch in enumerate(in_batches(ids, self._config.query_batch)):
            self._on_step(stage, number * self._config.query_batch, len(ids))
            yield batch, self._index.search(self.vectors(batch), limit=self._config.searched)

    def _pairs(self, ids: Sequence[UUID], matches: VectorMatches, alike: npt.NDArray[np.bool_]) -> Alike:
        places, columns = np.nonzero(alike)
        wanted = np.unique(matches.items[columns]).tolist()
        names: dict[int, UUID] = {}
        for batch in in_batches(wanted):
            names.update(self._entries().filter(id__in=batch).values_list("id", "uid"))
        for place, item in zip(places.tolist(), matches.items[columns].tolist(), strict=True):
            if item in names:
                yield ids[place], names[item]

    def _entries(self) -> "QuerySet[IndexedItem]":
        return IndexedItem.objects.filter(
            space_id=self._audience.space_id, private_to=self._audience.private_to, kind=Kind.RECORD
        )


class CompositeLayer:
    """The composites of one level of an audience, their centroids held as one matrix."""

    def __init__(self, audience: Audience, level: int, config: FusionConfig) -> None:
        self.level = level
        self._config = config
        self._rows = audience.composites().filter(level=level)
        stored = list(self._rows.order_by("id").values_list("id", "centroid"))
        size = max((len(centroid) for _, centroid in stored), default=0)
        kept = [(id_, centroid) for id_, centroid in stored if len(centroid) == size]
        self._ids = [id_ for id_, _ in kept]
        self._places = {id_: place for place, id_ in enumerate(self._ids)}
        flat = np.frombuffer(b"".join(bytes(centroid) for _, centroid in kept), np.float32)
        self._centroids: Vectors = flat.reshape(len(kept), -1) if kept else np.empty((0, 0), np.float32)

    def find(self, ids: Iterable[UUID]) -> dict[UUID, Node]:
        """See Layer; every composite takes part."""
        found: dict[UUID, Node] = {}
        for batch in in_batches(sorted(id_ for id_ in ids if id_ in self._places)):
            rows = self._rows.filter(id__in=batch).select_related("representative").order_by("id")
            found.update((row.id, _composite_node(row)) for row in rows)
        return found

    def alike(self, ids: Sequence[UUID], *, besides: Collection[UUID]) -> Alike:
        """See Layer."""
        left_out = [self._places[id_] for id_ in besides if id_ in self._places]
        for batch in in_batches(ids, self._config.query_batch):
            alike = are_alike(self.vectors(batch) @ self._centroids.T, self._config.edge_cosine)
            alike[:, left_out] = False
            for place, other in zip(*(each.tolist() for each in np.nonzero(alike)), strict=True):
                yield batch[place], self._ids[other]

    def vectors(self, ids: Sequence[UUID]) -> Vectors:
        """See Layer."""
        return self._centroids[[self._places[id_] for id_ in ids]]


def _record_node(row: MemoryRecord) -> Node:
    leader = Representative(
        row.id, row.semantic_text, row.memory_type, row.session_id, row.confidence, row.said_at
    )
    child = Child(
        id=row.id,
        representative=leader,
        subjects=(row.subject,) if row.subject else (),
        entities=tuple(row.entities),
        topics=tuple(row.topics),
        said_at=row.said_at,
        tags=_tags(row.tags),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
    )
    return Node(child, _member(child), row.version, row.fusion_due)


def _composite_node(row: CompositeRecord) -> Node:
    record = row.representative
    leader = Representative(
        record.id, row.semantic_text, row.memory_type, row.session_id, row.confidence, record.said_at
    )
    child = Child(
        id=row.id,
        representative=leader,
        subjects=tuple(row.subjects),
        entities=tuple(row.entities),
        topics=tuple(row.topics),
        said_at=row.said_at,
        tags=_tags(row.tags),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        leaf_count=row.leaf_count,
    )
    return Node(child, _member(child), row.version, row.fusion_due)


def _tags(tags: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(values) for name, values in tags.items() if values}


def _member(child: Child) -> Member:
    labels = {f"entity {fold(name)}" for name in child.entities} | {f"topic {fold(t)}" for t in child.topics}
    return Member(child.id, frozenset(map(fold, child.subjects)), frozenset(labels))

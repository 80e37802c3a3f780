"""The vector index: a table of vectors, and in front of it the hot spaces' matrices.

A matrix is kept right by the space's version row: a process that is behind reads
the rows written since, so a warm search costs one small query and one product.
Spaces too large for memory are searched by the table itself.
"""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import numpy as np

from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import TEXT_KINDS, Kind, Reader
from memory.errors import IndexMismatch, ProviderUnavailable
from memory.ports import VectorEntry, VectorMatches, VectorReader, Vectors, session_code
from memory.stores.index_state import States, Version
from memory.stores.matrix import SHARED, Rows, Snapshot, best_places
from memory.stores.matrix_cache import MatrixCache, RowSource

_PUBLISH_ATTEMPTS = 20

_Key = tuple[UUID, Kind]


class VectorTable(RowSource, Protocol):
    """Where vectors are kept; thread-safe, and other processes' writes are seen."""

    def write(self, space_id: UUID, kind: Kind, rows: Rows) -> None:
        """Write or replace by item."""
        ...

    def remove(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove by item."""
        ...

    def fetch(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> Rows:
        """The rows of these items."""
        ...

    def count(self, space_id: UUID, kind: Kind) -> int:
        """How many rows the space has."""
        ...

    def nearest(self, reader: Reader, kind: Kind, query: Vectors, *, limit: int) -> Rows:
        """Of what the reader may see the `limit` nearest to the query (d,)."""
        ...

    def drop_space(self, space_id: UUID) -> None:
        """Remove the space's rows from the tables of every embedder."""
        ...

    def optimize(self) -> None:
        """Maintenance."""
        ...


class HotVectors:
    """The VectorIndex port over a VectorTable."""

    def __init__(
        self,
        spec: EmbedderSpec,
        table: VectorTable,
        config: IndexConfig | None = None,
        *,
        kinds: tuple[Kind, ...] = TEXT_KINDS,
    ) -> None:
        self._spec = spec
        self._table = table
        self._config = config or IndexConfig()
        self._states = States(spec, kinds)
        self._large: dict[_Key, Version] = {}
        self._cache = MatrixCache(spec.dimension, table, self._config.hot_cache_bytes)

    def open(self, reader: Reader, kind: Kind) -> VectorReader:
        """A handle that sees what the reader may see. Raises IndexMismatch."""
        version = self._states.read(reader.space_id, kind)
        return HotReader(self, reader, kind, version)

    def upsert(self, space_id: UUID, kind: Kind, entries: Sequence[VectorEntry]) -> int:
        """Write or replace by `item`; returns the seq of this write."""
        for _ in range(_PUBLISH_ATTEMPTS):
            seen = self._states.ensure(space_id, kind)
            if not entries:
                return seen.seq
            self._table.write(space_id, kind, self._rows(entries, seq=seen.seq + 1))
            if self._states.publish(space_id, kind, seen):
                return seen.seq + 1
            # Another writer published first; under its number a reader may have passed ours.
        raise ProviderUnavailable("Too many processes write vectors of one space; try again.")

    def delete(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove; unknown ones are ignored."""
        if not items or self._states.read(space_id, kind) is None:
            return
        self._table.remove(space_id, kind, items)
        self._states.note_deletion(space_id, kind)

    def vectors(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> dict[int, Vectors]:
        """Stored vectors by item; missing ones are absent."""
        if not items or self._states.read(space_id, kind) is None:
            return {}
        rows = self._table.fetch(space_id, kind, items)
        return dict(zip(rows.items.tolist(), rows.vectors, strict=True))

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        """Every stored item with its seq."""
        return {} if self._states.read(space_id, kind) is None else self._table.seqs(space_id, kind)

    def drop_space(self, space_id: UUID) -> None:
        """Remove every vector of the space, whatever embedder made it."""
        self._table.drop_space(space_id)
        self._states.reset(space_id)
        self._cache.forget(space_id)

    def optimize(self) -> None:
        """Put small files together, forget old versions."""
        self._table.optimize()

    def search(
        self, reader: Reader, kind: Kind, version: Version | None, queries: Vectors, limit: int
    ) -> VectorMatches:
        """From the hot matrix if the space fits, else from the table."""
        if queries.ndim != 2 or queries.shape[1] != self._spec.dimension:
            raise IndexMismatch(f"A query of shape {queries.shape} meets {self._spec.dimension} dimensions.")
        if version is None or limit < 1 or not len(queries):
            return _nothing(len(queries))
        snapshot = self._snapshot(reader.space_id, kind, version)
        if snapshot is not None:
            return snapshot.search(reader, queries, limit=limit)
        return self._search_table(reader, kind, queries, limit)

    def _snapshot(self, space_id: UUID, kind: Kind, version: Version) -> Snapshot | None:
        """The hot rows at this version; None for a space too large to be held."""
        held = self._cache.current(space_id, kind, version)
        if held is not None:
            return held
        if not self._cache.holds(space_id, kind) and self._is_large(space_id, kind, version):
            return None
        return self._cache.refresh(space_id, kind, version)

    def _is_large(self, space_id: UUID, kind: Kind, version: Version) -> bool:
        """Whether the table must search; asked once a version, as counting takes 10 ms."""
        if self._large.get((space_id, kind)) == version:
            return True
        if self._table.count(space_id, kind) <= self._config.hot_space_items:
            self._large.pop((space_id, kind), None)
            return False
        self._large[space_id, kind] = version
        return True

    def _search_table(self, reader: Reader, kind: Kind, queries: Vectors, limit: int) -> VectorMatches:
        found = [self._table.nearest(reader, kind, query, limit=limit) for query in queries]
        _, first = np.unique(np.concatenate([rows.items for rows in found]), return_index=True)
        items, sessions, positions, vectors = (
            np.concatenate([getattr(rows, column) for rows in found])[first]
            for column in ("items", "sessions", "positions", "vectors")
        )
        cosines = queries @ vectors.T
        if len(items) > limit:
            best = best_places(cosines, limit)
            items, sessions, positions, cosines = (
                items[best],
                sessions[best],
                positions[best],
                cosines[:, best],
            )
        return VectorMatches(items, sessions, positions, cosines)

    def _rows(self, entries: Sequence[VectorEntry], *, seq: int) -> Rows:
        last = list({entry.item: entry for entry in entries}.values())
        if any(entry.vector.shape != (self._spec.dimension,) for entry in last):
            raise IndexMismatch(f"Vectors here have {self._spec.dimension} dimensions.")
        return Rows(
            items=np.array([entry.item for entry in last], np.int64),
            seqs=np.full(len(last), seq, np.int64),
            sessions=np.array([session_code(entry.session_id) for entry in last], np.int64),
            positions=np.array([entry.position for entry in last], np.int32),
            owners=np.array([str(e.private_to) if e.private_to else SHARED for e in last], np.str_),
            vectors=np.stack([entry.vector for entry in last]).astype(np.float32),
        )


class HotReader:
    """One reader's view of one kind, at the version it was opened."""

    def __init__(self, index: HotVectors, reader: Reader, kind: Kind, version: Version | None) -> None:
        self._index = index
        self._reader = reader
        self._kind = kind
        self._version = version

    def search(self, queries: Vectors, *, limit: int) -> VectorMatches:
        """All of the reader's items, or the best `limit` by their best cosine."""
        return self._index.search(self._reader, self._kind, self._version, queries, limit)


def _nothing(queries: int) -> VectorMatches:
    empty = np.empty(0, np.int64)
    return VectorMatches(empty, empty, np.empty(0, np.int32), np.empty((queries, 0), np.float32))

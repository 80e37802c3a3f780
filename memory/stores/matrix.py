"""A space's vectors in memory: grown in place, searched by one product.

Searches run on snapshots. Rows are only ever appended behind a snapshot's end
and what is replaced or removed is marked in a new mask, so that a search never
sees half a change and needs no lock.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.domain.types import Reader
from memory.ports import VectorMatches, Vectors, session_code

SHARED = ""  # the owner of what the space shares
_GROWTH = 1.5
_MOST_DEAD = 0.5  # share of rows, before they are thrown away
_COLUMNS = ("items", "sessions", "positions", "owners")


@dataclass(frozen=True, slots=True)
class Rows:
    """Stored vectors, columnar. `owners`: (n,) strings, SHARED or a user's UUID."""

    items: npt.NDArray[np.int64]
    seqs: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int32]
    owners: npt.NDArray[np.str_]
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The rows of one moment; `owners` are codes of `names`, `is_live` masks the rest."""

    items: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int32]
    owners: npt.NDArray[np.int32]
    vectors: Vectors
    is_live: npt.NDArray[np.bool_]
    names: dict[str, int]

    def search(self, reader: Reader, queries: Vectors, *, limit: int) -> VectorMatches:
        """What the reader may see, all or the best `limit`."""
        seen = self._visible_to(reader)
        cosines = np.ascontiguousarray((self.vectors @ queries.T).T)
        if seen.all() and len(seen) <= limit:
            return VectorMatches(self.items, self.sessions, self.positions, cosines)
        rows = np.flatnonzero(seen)
        cosines = cosines[:, rows]
        if len(rows) > limit:
            best = best_places(cosines, limit)
            rows, cosines = rows[best], cosines[:, best]
        return VectorMatches(self.items[rows], self.sessions[rows], self.positions[rows], cosines)

    def _visible_to(self, reader: Reader) -> npt.NDArray[np.bool_]:
        own = self.names.get(str(reader.user_id), -1)
        shared = self.names.get(SHARED, -1)
        seen: npt.NDArray[np.bool_] = self.is_live & ((self.owners == shared) | (self.owners == own))
        if reader.exclude_session_ids:
            seen &= ~np.isin(self.sessions, [session_code(i) for i in reader.exclude_session_ids])
        return seen


class SpaceMatrix:
    """The rows of one space and kind, kept up to date. Callers hold its lock to change it."""

    def __init__(self, dimension: int) -> None:
        self._places: dict[int, int] = {}
        self._names: dict[str, int] = {}
        self._size = 0
        self._vectors: Vectors = np.empty((0, dimension), np.float32)
        self._items = np.empty(0, np.int64)
        self._sessions = np.empty(0, np.int64)
        self._positions = np.empty(0, np.int32)
        self._owners = np.empty(0, np.int32)
        self._is_live = np.empty(0, np.bool_)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes; the vectors are nearly all of it."""
        return self._vectors.nbytes + 32 * len(self._items)

    def apply(self, rows: Rows) -> None:
        """Write or replace by item; of two rows of an item the later seq counts."""
        if not len(rows):
            return
        order = np.argsort(rows.seqs, kind="stable")
        last = {int(rows.items[place]): int(place) for place in order}
        chosen = np.fromiter(last.values(), np.int64, len(last))
        self._mark_dead(last)
        self._reserve(self._size + len(chosen))
        end = self._size + len(chosen)
        span = slice(self._size, end)
        self._vectors[span] = rows.vectors[chosen]
        self._items[span] = rows.items[chosen]
        self._sessions[span] = rows.sessions[chosen]
        self._positions[span] = rows.positions[chosen]
        self._owners[span] = self._codes(rows.owners[chosen])
        self._is_live = np.append(self._is_live, np.ones(len(chosen), np.bool_))
        self._places.update(zip(last, range(self._size, end), strict=True))
        self._size = end
        self._compact()

    def retain(self, items: Iterable[int]) -> None:
        """Keep these items only."""
        kept = set(items)
        self._mark_dead([item for item in self._places if item not in kept])
        self._compact()

    def snapshot(self) -> Snapshot:
        """The rows as they are now."""
        end = self._size
        return Snapshot(
            items=self._items[:end],
            sessions=self._sessions[:end],
            positions=self._positions[:end],
            owners=self._owners[:end],
            vectors=self._vectors[:end],
            is_live=self._is_live,
            names=dict(self._names),
        )

    def _codes(self, owners: npt.NDArray[np.str_]) -> npt.NDArray[np.int32]:
        names, codes = np.unique(owners, return_inverse=True)
        known = [self._names.setdefault(str(name), len(self._names)) for name in names]
        return np.array(known, np.int32)[codes]

    def _mark_dead(self, items: Iterable[int]) -> None:
        places = [self._places.pop(item) for item in items if item in self._places]
        if places:
            self._is_live = self._is_live.copy()
            self._is_live[places] = False

    def _reserve(self, size: int) -> None:
        if size <= len(self._items):
            return
        # The first fill is exact: most spaces are read once and then grow slowly.
        capacity = size if not self._size else int(size * _GROWTH)
        for name in (*_COLUMNS, "vectors"):
            old = getattr(self, f"_{name}")
            grown = np.empty((capacity, *old.shape[1:]), old.dtype)
            grown[: self._size] = old[: self._size]
            setattr(self, f"_{name}", grown)

    def _compact(self) -> None:
        live = np.flatnonzero(self._is_live)
        if len(live) >= self._size * (1 - _MOST_DEAD):
            return
        for name in (*_COLUMNS, "vectors"):
            setattr(self, f"_{name}", getattr(self, f"_{name}")[live])
        self._is_live = np.ones(len(live), np.bool_)
        self._size = len(live)
        self._places = {int(item): place for place, item in enumerate(self._items)}


def best_places(cosines: npt.NDArray[np.float32], limit: int) -> npt.NDArray[np.intp]:
    """Places of the `limit` columns with the best cosine over the rows (q, n), unordered."""
    best = cosines.max(axis=0)
    return np.argpartition(-best, limit - 1)[:limit]

"""The matrices of the spaces used last, brought up to date when their version says so."""

from collections import OrderedDict
from threading import Lock
from typing import Protocol
from uuid import UUID

from memory.domain.types import Kind
from memory.stores.index_state import Version
from memory.stores.matrix import Rows, Snapshot, SpaceMatrix


class RowSource(Protocol):
    """Where the rows come from."""

    def read(self, space_id: UUID, kind: Kind, *, after_seq: int) -> Rows:
        """The rows written after that seq."""
        ...

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        """Every item with its seq."""
        ...


class _Held:
    """A matrix in the cache, its version, and the lock of whoever brings it up to date."""

    def __init__(self, matrix: SpaceMatrix) -> None:
        self.lock = Lock()
        self.matrix = matrix
        self.version = Version(0, 0, 0)
        self.snapshot = matrix.snapshot()


class MatrixCache:
    """The matrices of the spaces used last, up to a number of bytes."""

    def __init__(self, dimension: int, table: RowSource, limit_bytes: int) -> None:
        self._dimension = dimension
        self._table = table
        self._limit_bytes = limit_bytes
        self._lock = Lock()
        self._held: OrderedDict[tuple[UUID, Kind], _Held] = OrderedDict()

    def current(self, space_id: UUID, kind: Kind, version: Version) -> Snapshot | None:
        """The snapshot if it is held and not behind."""
        with self._lock:
            held = self._held.get((space_id, kind))
            if held is None or held.version < version:
                return None
            self._held.move_to_end((space_id, kind))
            return held.snapshot

    def holds(self, space_id: UUID, kind: Kind) -> bool:
        """Whether a matrix is there, perhaps behind."""
        with self._lock:
            return (space_id, kind) in self._held

    def refresh(self, space_id: UUID, kind: Kind, version: Version) -> Snapshot:
        """Read what is missing and give the snapshot."""
        with self._lock:
            held = self._held.setdefault((space_id, kind), _Held(SpaceMatrix(self._dimension)))
            self._held.move_to_end((space_id, kind))
        with held.lock:
            if held.version < version:
                self._catch_up(held, space_id, kind, version)
        self._evict()
        return held.snapshot

    def forget(self, space_id: UUID) -> None:
        """Give the space's memory back."""
        with self._lock:
            for kind in Kind:
                self._held.pop((space_id, kind), None)

    def _catch_up(self, held: _Held, space_id: UUID, kind: Kind, version: Version) -> None:
        behind = held.version
        if behind.epoch != version.epoch:
            held.matrix = SpaceMatrix(self._dimension)
            behind = Version(version.epoch, -1, version.deletions)
        if behind.seq < version.seq:
            held.matrix.apply(self._table.read(space_id, kind, after_seq=behind.seq))
        if behind.deletions != version.deletions:
            held.matrix.retain(self._table.seqs(space_id, kind))
        held.snapshot = held.matrix.snapshot()
        held.version = version

    def _evict(self) -> None:
        with self._lock:
            total = sum(held.matrix.nbytes for held in self._held.values())
            while total > self._limit_bytes and len(self._held) > 1:
                _, held = self._held.popitem(last=False)
                total -= held.matrix.nbytes

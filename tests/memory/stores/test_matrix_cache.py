"""The cache reads no more than what its version lacks, and holds no more than its bytes."""

from uuid import UUID, uuid4

import numpy as np
import pytest

from memory.domain.types import Kind, Reader
from memory.stores.index_state import Version
from memory.stores.matrix import Rows, Snapshot
from memory.stores.matrix_cache import MatrixCache
from tests.memory.stores.test_matrix import rows

SPACE = uuid4()


class Ledger:
    """A table whose rows are written by hand; it remembers what was asked."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[int, float]] = {}
        self.asked: list[object] = []

    def read(self, space_id: UUID, kind: Kind, *, after_seq: int) -> Rows:
        self.asked.append(after_seq)
        fresh = {item: row for item, row in self.rows.items() if row[0] > after_seq}
        made = rows({item: value for item, (_, value) in fresh.items()})
        return Rows(
            made.items,
            np.array([seq for seq, _ in fresh.values()], np.int64),
            made.sessions,
            made.positions,
            made.owners,
            made.vectors,
        )

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        self.asked.append("seqs")
        return {item: seq for item, (seq, _) in self.rows.items()}


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def cache(ledger: Ledger) -> MatrixCache:
    return MatrixCache(2, ledger, limit_bytes=10_000_000)


def items(snapshot: Snapshot) -> set[int]:
    query = np.array([[1, 0]], np.float32)
    return set(snapshot.search(Reader(SPACE, uuid4()), query, limit=100).items.tolist())


def test_a_space_is_read_once(cache: MatrixCache, ledger: Ledger):
    ledger.rows = {1: (1, 0.5), 2: (2, 0.5)}
    version = Version(1, 2, 0)
    assert cache.current(SPACE, Kind.TURN, version) is None
    assert items(cache.refresh(SPACE, Kind.TURN, version)) == {1, 2}
    ledger.asked.clear()
    held = cache.current(SPACE, Kind.TURN, version)
    assert held is not None
    assert items(held) == {1, 2}
    assert ledger.asked == []


def test_a_newer_version_reads_only_what_was_written_since(cache: MatrixCache, ledger: Ledger):
    ledger.rows = {1: (1, 0.5)}
    cache.refresh(SPACE, Kind.TURN, Version(1, 1, 0))
    ledger.rows[2] = (2, 0.5)
    ledger.asked.clear()
    assert items(cache.refresh(SPACE, Kind.TURN, Version(1, 2, 0))) == {1, 2}
    assert ledger.asked == [1]


def test_a_deletion_reads_which_items_are_left(cache: MatrixCache, ledger: Ledger):
    ledger.rows = {1: (1, 0.5), 2: (2, 0.5)}
    cache.refresh(SPACE, Kind.TURN, Version(1, 2, 0))
    del ledger.rows[1]
    ledger.asked.clear()
    assert items(cache.refresh(SPACE, Kind.TURN, Version(1, 2, 1))) == {2}
    assert ledger.asked == ["seqs"]


def test_another_epoch_forgets_everything(cache: MatrixCache, ledger: Ledger):
    ledger.rows = {1: (5, 0.5)}
    cache.refresh(SPACE, Kind.TURN, Version(1, 5, 0))
    ledger.rows = {9: (3, 0.5)}
    assert items(cache.refresh(SPACE, Kind.TURN, Version(2, 6, 0))) == {9}


def test_an_older_version_is_served_by_what_is_held(cache: MatrixCache, ledger: Ledger):
    ledger.rows = {1: (2, 0.5)}
    cache.refresh(SPACE, Kind.TURN, Version(1, 2, 0))
    assert cache.current(SPACE, Kind.TURN, Version(1, 1, 0)) is not None


def test_the_space_used_longest_ago_gives_way(ledger: Ledger):
    ledger.rows = dict.fromkeys(range(100), (1, 0.5))
    cache = MatrixCache(2, ledger, limit_bytes=2 * 100 * (2 * 4 + 32))
    first, second, third = uuid4(), uuid4(), uuid4()
    version = Version(1, 1, 0)
    for space in (first, second):
        cache.refresh(space, Kind.TURN, version)
    assert cache.current(first, Kind.TURN, version) is not None
    cache.refresh(third, Kind.TURN, version)
    assert [cache.holds(space, Kind.TURN) for space in (first, second, third)] == [True, False, True]


def test_a_forgotten_space_is_not_held(cache: MatrixCache, ledger: Ledger):
    cache.refresh(SPACE, Kind.TURN, Version(1, 0, 0))
    cache.forget(SPACE)
    assert not cache.holds(SPACE, Kind.TURN)

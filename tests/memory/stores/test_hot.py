"""The hot index: what it asks of its table, and what it does when writers meet."""

from collections.abc import Callable
from pathlib import Path
from uuid import UUID, uuid4

import numpy as np
import pytest

from accounts.models import Space, User
from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind, Reader
from memory.errors import ProviderUnavailable
from memory.models import IndexState
from memory.ports import VectorEntry, Vectors
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors
from memory.stores.index_state import States
from memory.stores.matrix import Rows
from tests.memory.indexing import make_space, make_user, reader_of

pytestmark = pytest.mark.django_db
SPEC = EmbedderSpec("test-model", 2)
EAST = np.array([1, 0], np.float32)


class WatchedTable(ExactTable):
    """An exact table that notes what it is asked, and lets a test step in before a write ends."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SPEC)
        self.asked: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def write(self, space_id: UUID, kind: Kind, rows: Rows) -> None:
        super().write(space_id, kind, rows)
        self.asked.append(f"write {rows.seqs[0]}")
        self.meanwhile()

    def read(self, space_id: UUID, kind: Kind, *, after_seq: int) -> Rows:
        self.asked.append(f"read after {after_seq}")
        return super().read(space_id, kind, after_seq=after_seq)

    def count(self, space_id: UUID, kind: Kind) -> int:
        self.asked.append("count")
        return super().count(space_id, kind)

    def nearest(self, reader: Reader, kind: Kind, query: Vectors, *, limit: int) -> Rows:
        self.asked.append("nearest")
        return super().nearest(reader, kind, query, limit=limit)


@pytest.fixture
def table(tmp_path: Path) -> WatchedTable:
    return WatchedTable(tmp_path)


@pytest.fixture
def space() -> Space:
    return make_space("space-a")


@pytest.fixture
def alice() -> User:
    return make_user("alice")


def entries(*items: int) -> list[VectorEntry]:
    return [VectorEntry(item, None, uuid4(), 0, EAST) for item in items]


def found(index: HotVectors, space: Space, alice: User) -> set[int]:
    matches = index.open(reader_of(space, alice), Kind.TURN).search(EAST[None], limit=100)
    return set(matches.items.tolist())


def test_a_warm_search_asks_the_table_nothing(table: WatchedTable, space: Space, alice: User):
    index = HotVectors(SPEC, table)
    index.upsert(space.id, Kind.TURN, entries(1, 2))
    found(index, space, alice)
    table.asked.clear()
    assert found(index, space, alice) == {1, 2}
    assert table.asked == []


def test_a_search_behind_one_write_reads_that_write_only(table: WatchedTable, space: Space, alice: User):
    index = HotVectors(SPEC, table)
    index.upsert(space.id, Kind.TURN, entries(1, 2))
    found(index, space, alice)
    index.upsert(space.id, Kind.TURN, entries(3))
    table.asked.clear()
    assert found(index, space, alice) == {1, 2, 3}
    assert table.asked == ["read after 1"]


def test_a_large_space_is_counted_once_a_version_and_searched_by_its_table(
    table: WatchedTable, space: Space, alice: User
):
    index = HotVectors(SPEC, table, IndexConfig(hot_space_items=1))
    index.upsert(space.id, Kind.TURN, entries(1, 2))
    table.asked.clear()
    for _ in range(2):
        assert found(index, space, alice) == {1, 2}
    assert table.asked == ["count", "nearest", "nearest"]
    index.delete(space.id, Kind.TURN, [1])
    assert found(index, space, alice) == {2}
    assert table.asked[3] == "count"


def test_a_writer_that_was_overtaken_writes_again_under_the_next_number(
    table: WatchedTable, space: Space, alice: User
):
    states = States(SPEC)

    def overtake() -> None:
        table.meanwhile = lambda: None
        states.publish(space.id, Kind.TURN, states.ensure(space.id, Kind.TURN))

    table.meanwhile = overtake
    index = HotVectors(SPEC, table)
    assert index.upsert(space.id, Kind.TURN, entries(1)) == 2
    assert table.asked == ["write 1", "write 2"]
    assert index.seqs(space.id, Kind.TURN) == {1: 2}
    assert found(index, space, alice) == {1}


def test_a_writer_that_is_always_overtaken_gives_up_and_may_try_again(table: WatchedTable, space: Space):
    states = States(SPEC)
    table.meanwhile = lambda: states.publish(space.id, Kind.TURN, states.ensure(space.id, Kind.TURN))
    with pytest.raises(ProviderUnavailable):
        HotVectors(SPEC, table).upsert(space.id, Kind.TURN, entries(1))


def test_a_space_dropped_while_it_is_written_holds_the_write_in_its_new_epoch(
    table: WatchedTable, space: Space, alice: User
):
    index = HotVectors(SPEC, table)

    def drop() -> None:
        table.meanwhile = lambda: None
        index.drop_space(space.id)

    table.meanwhile = drop
    index.upsert(space.id, Kind.TURN, entries(1))
    assert IndexState.objects.get().epoch == 2
    assert found(index, space, alice) == {1}


def test_a_crash_before_publishing_shows_nothing_until_the_write_is_repeated(
    table: WatchedTable, space: Space, alice: User
):
    index = HotVectors(SPEC, table)
    index.upsert(space.id, Kind.TURN, entries(1))
    found(index, space, alice)

    def crash() -> None:
        raise KeyboardInterrupt

    table.meanwhile = crash
    with pytest.raises(KeyboardInterrupt):
        index.upsert(space.id, Kind.TURN, entries(2))
    assert found(index, space, alice) == {1}
    table.meanwhile = lambda: None
    index.upsert(space.id, Kind.TURN, entries(2))
    assert found(index, space, alice) == {1, 2}


def test_no_queries_and_no_room_give_no_items(table: WatchedTable, space: Space, alice: User):
    index = HotVectors(SPEC, table)
    index.upsert(space.id, Kind.TURN, entries(1))
    reader = index.open(reader_of(space, alice), Kind.TURN)
    assert reader.search(np.empty((0, 2), np.float32), limit=5).cosines.shape == (0, 0)
    assert len(reader.search(EAST[None], limit=0).items) == 0

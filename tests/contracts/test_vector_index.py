"""The promises of the VectorIndex port, held by every adapter, hot and cold."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import numpy as np
import pytest
from django.db import connection, connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Space, User
from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind
from memory.errors import IndexMismatch
from memory.ports import VectorEntry, VectorIndex, Vectors, session_code
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors, VectorTable
from memory.stores.vectors import LanceTable
from tests.memory.indexing import make_space, make_user, reader_of

pytestmark = pytest.mark.django_db

SPEC = EmbedderSpec("test-model", 4)
HOT = IndexConfig(optimize_commits=1)
COLD = IndexConfig(hot_space_items=0, optimize_commits=1)  # every space is too large for memory
ADAPTERS = ["lancedb", "lancedb-cold", "exact", "exact-cold"]


def make_index(name: str, folder: Path, spec: EmbedderSpec = SPEC) -> VectorIndex:
    store, _, cold = name.partition("-")
    config = COLD if cold else HOT
    table: VectorTable = LanceTable(folder, spec, config) if store == "lancedb" else ExactTable(folder, spec)
    return HotVectors(spec, table, config)


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def index(adapter: str, tmp_path: Path) -> VectorIndex:
    return make_index(adapter, tmp_path)


def unit(*numbers: float) -> Vectors:
    vector = np.array(numbers, np.float32)
    return vector / np.linalg.norm(vector)


EAST, NORTH, UP = unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(0, 0, 1, 0)
BETWEEN = unit(1, 1, 0, 0)


def entry(
    item: int, vector: Vectors, *, owner: User | None = None, session: UUID | None = None, position: int = 0
) -> VectorEntry:
    return VectorEntry(item, owner.id if owner else None, session or uuid4(), position, vector)


def found(
    index: VectorIndex,
    space: Space,
    user: User,
    *queries: Vectors,
    limit: int = 100,
    exclude: Sequence[UUID] = (),
) -> dict[int, float]:
    """Items with their best cosine."""
    reader = index.open(reader_of(space, user, exclude=exclude), Kind.TURN)
    matches = reader.search(np.stack(queries or (EAST,)), limit=limit)
    assert matches.cosines.shape == (max(1, len(queries)), len(matches.items))
    return dict(zip(matches.items.tolist(), matches.cosines.max(axis=0).tolist(), strict=True))


def test_a_written_vector_is_found_with_its_cosine(index: VectorIndex, space: Space, alice: User):
    index.upsert(space.id, Kind.TURN, [entry(1, EAST), entry(2, BETWEEN), entry(3, NORTH)])
    cosines = found(index, space, alice, EAST)
    assert cosines == {1: pytest.approx(1), 2: pytest.approx(0.7071, abs=1e-4), 3: pytest.approx(0, abs=1e-6)}


def test_a_space_without_vectors_gives_none(index: VectorIndex, space: Space, alice: User):
    assert found(index, space, alice, EAST, NORTH) == {}
    index.upsert(space.id, Kind.TURN, [])
    assert found(index, space, alice, EAST) == {}


def test_matches_carry_session_and_position(index: VectorIndex, space: Space, alice: User):
    session = uuid4()
    index.upsert(space.id, Kind.TURN, [entry(1, EAST, session=session, position=7)])
    matches = index.open(reader_of(space, alice), Kind.TURN).search(EAST[None], limit=5)
    assert matches.sessions.tolist() == [session_code(session)]
    assert matches.positions.tolist() == [7]


def test_the_best_of_many_are_kept_over_all_queries(index: VectorIndex, space: Space, alice: User):
    entries = [entry(n, unit(n, 20 - n, 5, 0)) for n in range(1, 20)]
    index.upsert(space.id, Kind.TURN, entries)
    assert set(found(index, space, alice, EAST, limit=2)) == {18, 19}
    assert set(found(index, space, alice, EAST, NORTH, limit=2)) == {1, 19}


def test_writing_an_item_again_replaces_it(index: VectorIndex, space: Space, alice: User):
    first = index.upsert(space.id, Kind.TURN, [entry(1, EAST), entry(2, EAST)])
    assert found(index, space, alice, EAST)[1] == pytest.approx(1)
    second = index.upsert(space.id, Kind.TURN, [entry(1, NORTH)])
    assert found(index, space, alice, EAST) == {1: pytest.approx(0, abs=1e-6), 2: pytest.approx(1)}
    assert index.seqs(space.id, Kind.TURN) == {1: second, 2: first}
    assert second > first


def test_of_two_entries_of_an_item_the_last_counts(index: VectorIndex, space: Space, alice: User):
    index.upsert(space.id, Kind.TURN, [entry(1, NORTH), entry(1, EAST)])
    assert found(index, space, alice, EAST) == {1: pytest.approx(1)}


def test_a_deleted_item_is_not_found_again(index: VectorIndex, space: Space, alice: User):
    index.upsert(space.id, Kind.TURN, [entry(n, EAST) for n in range(1, 6)])
    found(index, space, alice, EAST)
    index.delete(space.id, Kind.TURN, [2, 4, 99])
    index.delete(space.id, Kind.TURN, [2])
    assert set(found(index, space, alice, EAST)) == {1, 3, 5}
    assert set(index.seqs(space.id, Kind.TURN)) == {1, 3, 5}
    index.upsert(space.id, Kind.TURN, [entry(2, NORTH)])
    assert set(found(index, space, alice, EAST)) == {1, 2, 3, 5}


def test_stored_vectors_are_given_back_by_item(index: VectorIndex, space: Space):
    assert index.vectors(space.id, Kind.TURN, [1]) == {}
    index.upsert(space.id, Kind.TURN, [entry(1, EAST), entry(2, BETWEEN)])
    stored = index.vectors(space.id, Kind.TURN, [2, 3])
    assert list(stored) == [2]
    assert np.allclose(stored[2], BETWEEN)
    assert index.vectors(space.id, Kind.TURN, []) == {}


def test_another_space_is_never_found(index: VectorIndex, space: Space, other_space: Space, alice: User):
    index.upsert(other_space.id, Kind.TURN, [entry(n, EAST) for n in range(50)])
    index.upsert(space.id, Kind.TURN, [entry(100, NORTH)])
    assert set(found(index, space, alice, EAST, limit=5)) == {100}
    assert index.vectors(space.id, Kind.TURN, [1]) == {}
    index.delete(space.id, Kind.TURN, [1])
    assert len(found(index, other_space, alice, EAST)) == 50


def test_another_members_private_items_never_take_a_place(
    index: VectorIndex, space: Space, alice: User, bob: User
):
    index.upsert(space.id, Kind.TURN, [entry(n, EAST, owner=bob) for n in range(20)])
    index.upsert(space.id, Kind.TURN, [entry(50, NORTH), entry(51, UP, owner=alice)])
    assert set(found(index, space, alice, EAST, limit=2)) == {50, 51}
    assert set(found(index, space, bob, NORTH, limit=100)) == {*range(20), 50}


def test_excluded_sessions_never_take_a_place(index: VectorIndex, space: Space, alice: User):
    session = uuid4()
    index.upsert(space.id, Kind.TURN, [entry(n, EAST, session=session) for n in range(5)])
    index.upsert(space.id, Kind.TURN, [entry(9, NORTH)])
    assert set(found(index, space, alice, EAST, limit=1, exclude=[session])) == {9}


def test_kinds_are_kept_apart(index: VectorIndex, space: Space, alice: User):
    index.upsert(space.id, Kind.RECORD, [entry(1, EAST)])
    assert found(index, space, alice, EAST) == {}


def test_an_owner_with_a_quote_in_the_name_of_a_filter_reads_nothing(
    index: VectorIndex, space: Space, alice: User
):
    index.upsert(space.id, Kind.TURN, [entry(1, EAST)])
    reader = index.open(reader_of(make_space("x-or-1"), alice), Kind.TURN)
    assert len(reader.search(EAST[None], limit=9).items) == 0


def test_dropping_a_space_leaves_the_others_and_it_can_be_filled_again(
    index: VectorIndex, space: Space, other_space: Space, alice: User
):
    for place in (space, other_space):
        index.upsert(place.id, Kind.TURN, [entry(place.id.int % 1000, EAST)])
        found(index, place, alice, EAST)
    index.drop_space(space.id)
    assert found(index, space, alice, EAST) == {}
    assert len(found(index, other_space, alice, EAST)) == 1
    index.upsert(space.id, Kind.TURN, [entry(7, EAST)])
    assert set(found(index, space, alice, EAST)) == {7}


def test_maintenance_changes_nothing_that_is_seen(index: VectorIndex, space: Space, alice: User):
    for n in range(6):
        index.upsert(space.id, Kind.TURN, [entry(n % 2, unit(1, n, 0, 0))])
    before = found(index, space, alice, EAST)
    index.optimize()
    assert found(index, space, alice, EAST) == before
    index.delete(space.id, Kind.TURN, [0])
    index.optimize()
    assert set(found(index, space, alice, EAST)) == {1}


def test_vectors_of_another_length_are_refused(index: VectorIndex, space: Space, alice: User):
    with pytest.raises(IndexMismatch):
        index.upsert(space.id, Kind.TURN, [entry(1, np.ones(3, np.float32))])
    index.upsert(space.id, Kind.TURN, [entry(1, EAST)])
    with pytest.raises(IndexMismatch):
        found(index, space, alice, np.ones(3, np.float32))


def test_vectors_of_another_embedder_are_refused_until_the_space_is_dropped(
    adapter: str, tmp_path: Path, space: Space, alice: User
):
    old = make_index(adapter, tmp_path)
    old.upsert(space.id, Kind.TURN, [entry(1, EAST)])
    new = make_index(adapter, tmp_path, EmbedderSpec("other-model", 4))
    with pytest.raises(IndexMismatch, match="rebuild_index"):
        new.open(reader_of(space, alice), Kind.TURN)
    with pytest.raises(IndexMismatch):
        new.upsert(space.id, Kind.TURN, [entry(1, EAST)])
    new.drop_space(space.id)
    new.upsert(space.id, Kind.TURN, [entry(2, EAST)])
    assert set(found(new, space, alice, EAST)) == {2}
    with pytest.raises(IndexMismatch):
        old.open(reader_of(space, alice), Kind.TURN)


VECTORS = st.lists(st.integers(-3, 3), min_size=4, max_size=4).filter(any)
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "delete"]), st.integers(0, 5), VECTORS, st.booleans()),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("name", ["lancedb", "exact", "exact-cold"])
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, query=VECTORS, limit=st.integers(1, 8))
def test_any_history_gives_what_brute_force_gives(
    name: str,
    tmp_path: Path,
    space: Space,
    alice: User,
    bob: User,
    steps: list[tuple[str, int, list[int], bool]],
    query: list[int],
    limit: int,
):
    index = make_index(name, tmp_path)
    index.drop_space(space.id)
    truth: dict[int, tuple[Vectors, bool]] = {}
    for action, item, numbers, is_bobs in steps:
        if action == "write":
            truth[item] = (unit(*numbers), is_bobs)
            index.upsert(space.id, Kind.TURN, [entry(item, unit(*numbers), owner=bob if is_bobs else None)])
        else:
            truth.pop(item, None)
            index.delete(space.id, Kind.TURN, [item])
        expected = {item: float(v @ unit(*query)) for item, (v, hidden) in truth.items() if not hidden}
        got = found(index, space, alice, unit(*query), limit=limit)
        best = sorted(expected.values(), reverse=True)[:limit]
        assert sorted(got.values(), reverse=True) == pytest.approx(best, abs=1e-5)
        assert all(got[item] == pytest.approx(expected[item], abs=1e-5) for item in got)


WRITER = """
import sys, django
django.setup()
from pathlib import Path
from uuid import UUID
from tests.contracts.test_vector_index import EAST, entry, make_index
from memory.domain.types import Kind
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[4]
index = make_index(sys.argv[1], Path(sys.argv[2]))
index.upsert(UUID(sys.argv[3]), Kind.TURN, [entry(77, EAST)])
index.delete(UUID(sys.argv[3]), Kind.TURN, [1])
"""


@pytest.mark.django_db(transaction=True)
def test_what_another_process_wrote_and_deleted_is_seen(adapter: str, tmp_path: Path):
    space, alice = make_space("space-a"), make_user("alice")
    index = make_index(adapter, tmp_path)
    index.upsert(space.id, Kind.TURN, [entry(1, EAST), entry(2, EAST)])
    assert set(found(index, space, alice, EAST)) == {1, 2}
    database = str(connection.settings_dict["NAME"])
    subprocess.run(
        [sys.executable, "-c", WRITER, adapter, str(tmp_path), str(space.id), database],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "lychee_site.settings_test", "PYTHONPATH": "."},
        check=True,
    )
    assert set(found(index, space, alice, EAST)) == {2, 77}


@pytest.fixture
def closing() -> Iterator[None]:
    """Threads of the pool leave no connection open."""
    yield
    connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_two_writers_of_one_space_lose_nothing(adapter: str, tmp_path: Path, closing: None):
    space, alice = make_space("space-a"), make_user("alice")
    indexes = [make_index(adapter, tmp_path), make_index(adapter, tmp_path)]

    def write(n: int) -> None:
        indexes[n % 2].upsert(space.id, Kind.TURN, [entry(n, EAST)])
        found(indexes[n % 2], space, alice, EAST)
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(8)))
    for index in indexes:
        assert set(found(index, space, alice, EAST)) == set(range(8))


@pytest.mark.django_db(transaction=True)
def test_writers_of_several_spaces_and_maintenance_do_not_disturb_each_other(
    adapter: str, tmp_path: Path, closing: None
):
    alice, spaces = make_user("alice"), [make_space(f"space-{n}") for n in range(3)]
    indexes = [make_index(adapter, tmp_path) for _ in range(4)]

    def write(number: int) -> None:
        for step in range(6):
            first = 100 * number + 2 * step
            indexes[number].upsert(
                spaces[number].id, Kind.TURN, [entry(first, EAST), entry(first + 1, NORTH)]
            )
            indexes[number].delete(spaces[number].id, Kind.TURN, [first + 1])
        connection.close()

    def maintain() -> None:
        for _ in range(3):
            indexes[3].optimize()
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(write, number) for number in range(3)] + [pool.submit(maintain)]
        for future in done:
            future.result()
    for number, space in enumerate(spaces):
        expected = {100 * number + 2 * step for step in range(6)}
        assert set(found(indexes[3], space, alice, EAST)) == expected
        assert set(indexes[number].seqs(space.id, Kind.TURN)) == expected


def test_a_space_with_many_private_scopes_shows_each_member_their_own(
    index: VectorIndex, space: Space, alice: User
):
    members = [make_user(f"member-{n}") for n in range(4)]
    for number, member in enumerate(members):
        index.upsert(space.id, Kind.TURN, [entry(number, EAST, owner=member)])
    index.upsert(space.id, Kind.TURN, [entry(9, EAST)])
    assert set(found(index, space, alice, EAST)) == {9}
    for number, member in enumerate(members):
        assert set(found(index, space, member, EAST)) == {number, 9}


def test_an_item_made_private_is_hidden_from_the_others(
    index: VectorIndex, space: Space, alice: User, bob: User
):
    index.upsert(space.id, Kind.TURN, [entry(1, EAST)])
    assert set(found(index, space, bob, EAST)) == {1}
    index.upsert(space.id, Kind.TURN, [entry(1, EAST, owner=alice)])
    assert found(index, space, bob, EAST) == {}
    assert set(found(index, space, alice, EAST)) == {1}

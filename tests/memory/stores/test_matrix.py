"""A space's matrix: any history of writes gives the last state, snapshots stay as they were."""

from uuid import UUID, uuid4

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.types import Reader
from memory.ports import session_code
from memory.stores.matrix import SHARED, Rows, SpaceMatrix, best_places

READER = Reader(uuid4(), uuid4())


def rows(items: dict[int, float], *, seq: int = 1, owner: str = SHARED, session: UUID | None = None) -> Rows:
    """Vectors (x, 0), so that the cosine with (1, 0) is x."""
    count = len(items)
    return Rows(
        items=np.array(list(items), np.int64),
        seqs=np.full(count, seq, np.int64),
        sessions=np.full(count, session_code(session) if session else 0, np.int64),
        positions=np.arange(count, dtype=np.int32),
        owners=np.array([owner] * count, np.str_),
        vectors=np.array([[x, 0] for x in items.values()], np.float32).reshape(-1, 2),
    )


def seen(matrix: SpaceMatrix, reader: Reader = READER, limit: int = 1_000) -> dict[int, float]:
    matches = matrix.snapshot().search(reader, np.array([[1, 0]], np.float32), limit=limit)
    return dict(zip(matches.items.tolist(), matches.cosines[0].tolist(), strict=True))


def test_a_new_matrix_is_empty():
    assert seen(SpaceMatrix(2)) == {}


def test_rows_are_added_and_replaced():
    matrix = SpaceMatrix(2)
    matrix.apply(rows({1: 0.5, 2: 0.25}))
    matrix.apply(rows({2: 1.0, 3: 0.75}))
    assert seen(matrix) == {1: 0.5, 2: 1.0, 3: 0.75}


def test_of_an_items_rows_the_latest_write_counts():
    matrix = SpaceMatrix(2)
    one, two = rows({1: 0.5}, seq=9), rows({1: 0.25}, seq=3)
    joined = Rows(*(np.concatenate([getattr(one, n), getattr(two, n)]) for n in Rows.__slots__))
    matrix.apply(joined)
    assert seen(matrix) == {1: 0.5}


def test_only_the_retained_are_left():
    matrix = SpaceMatrix(2)
    matrix.apply(rows({1: 0.5, 2: 0.25, 3: 1.0}))
    matrix.retain([3, 1, 99])
    assert seen(matrix) == {1: 0.5, 3: 1.0}


def test_a_snapshot_does_not_change_under_a_reader():
    matrix = SpaceMatrix(2)
    matrix.apply(rows(dict.fromkeys(range(10), 0.5)))
    before = matrix.snapshot()
    matrix.apply(rows({1: 1.0, 50: 1.0}))
    matrix.retain([1])
    matches = before.search(READER, np.array([[1, 0]], np.float32), limit=100)
    assert matches.items.tolist() == list(range(10))
    assert set(matches.cosines[0].tolist()) == {0.5}


def test_owners_and_excluded_sessions_are_filtered_before_the_limit():
    matrix, session, stranger = SpaceMatrix(2), uuid4(), uuid4()
    matrix.apply(rows({1: 1.0}, owner=str(stranger)))
    matrix.apply(rows({2: 0.9}, session=session))
    matrix.apply(rows({3: 0.5}, owner=str(READER.user_id)))
    matrix.apply(rows({4: 0.4}))
    reader = Reader(READER.space_id, READER.user_id, frozenset({session}))
    assert seen(matrix, reader, limit=2).keys() == {3, 4}
    assert seen(matrix, limit=1).keys() == {2}
    assert seen(matrix, Reader(READER.space_id, stranger), limit=1).keys() == {1}


def test_dead_rows_give_their_memory_back():
    matrix = SpaceMatrix(2)
    matrix.apply(rows(dict.fromkeys(range(1000), 0.5)))
    full = matrix.nbytes
    matrix.retain(range(10))
    assert matrix.nbytes < full / 10
    assert seen(matrix).keys() == set(range(10))


ACTIONS = st.lists(
    st.tuples(
        st.booleans(), st.dictionaries(st.integers(0, 12), st.sampled_from([0.25, 0.5, 1.0]), max_size=6)
    ),
    max_size=15,
)


@given(ACTIONS)
def test_any_history_gives_the_last_state(actions: list[tuple[bool, dict[int, float]]]):
    matrix, truth = SpaceMatrix(2), {}
    for seq, (is_write, items) in enumerate(actions):
        if is_write:
            matrix.apply(rows(items, seq=seq))
            truth.update(items)
        else:
            matrix.retain(items)
            truth = {item: x for item, x in truth.items() if item in items}
        assert seen(matrix) == truth


def test_the_best_places_are_those_of_the_best_query():
    cosines = np.array([[0.1, 0.9, 0.3, 0.2], [0.8, 0.0, 0.1, 0.2]], np.float32)
    assert set(best_places(cosines, 2).tolist()) == {0, 1}

"""An attribute's history follows the time of what was said, not the order of learning."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.fusion.updates import Claim, Split, Successor, find_splits, find_successors, is_same_value

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


def on(day: int) -> datetime:
    return MONDAY + timedelta(days=day)


def claim(number: int, value: str, *days: int) -> Claim:
    return Claim(UUID(int=number), value, tuple(map(on, days)))


def test_each_period_is_ended_by_the_first_statement_of_the_next():
    claims = [claim(1, "Paris", 0), claim(2, "Berlin", 5), claim(3, "Berlin", 7), claim(4, "Rome", 9)]
    assert find_successors(claims) == {
        UUID(int=1): Successor(UUID(int=2), on(5)),
        UUID(int=2): Successor(UUID(int=4), on(9)),
        UUID(int=3): Successor(UUID(int=4), on(9)),
        UUID(int=4): None,
    }


def test_a_value_that_comes_back_is_a_period_of_its_own():
    claims = [claim(1, "Paris", 0), claim(2, "Berlin", 5), claim(3, "Paris", 9)]
    assert find_successors(claims)[UUID(int=1)] == Successor(UUID(int=2), on(5))
    assert find_successors(claims)[UUID(int=2)] == Successor(UUID(int=3), on(9))
    assert find_splits(claims) == []


def test_a_record_said_on_both_sides_of_another_value_is_split_there():
    claims = [claim(1, "Paris", 0, 2, 9, 12), claim(2, "Berlin", 5), claim(3, "Rome", 10)]
    assert find_splits(claims) == [Split(UUID(int=1), on(9)), Split(UUID(int=1), on(12))]


def test_a_lone_claim_has_no_successor_and_none_gives_nothing():
    assert find_successors([claim(1, "Paris", 0)]) == {UUID(int=1): None}
    assert find_successors([]) == {}
    assert find_splits([]) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Berlin", "berlin", True),
        ("Berlin", "Berlin, Germany", True),
        ("New York City", "New York", True),
        ("York", "New York", False),
        ("Paris", "Berlin", False),
        ("柏林", "柏林", True),
        ("", "Berlin", False),
    ],
)
def test_values_are_one_when_one_tells_the_other_more_fully(one, other, same):
    assert is_same_value(one, other) is same
    assert is_same_value(other, one) is same


CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(["Paris", "Berlin", "Rome"]),
        st.lists(st.integers(0, 40), min_size=1, max_size=3, unique=True).map(sorted),
    ),
    max_size=8,
)


@settings(deadline=None)
@given(CLAIMS, st.randoms())
def test_the_order_of_learning_makes_no_difference(drawn, random):
    claims = [claim(n, value, *days) for n, (value, days) in enumerate(drawn)]
    shuffled = random.sample(claims, len(claims))
    assert find_successors(shuffled) == find_successors(claims)
    assert find_splits(shuffled) == find_splits(claims)


@settings(deadline=None)
@given(CLAIMS)
def test_after_splitting_there_is_nothing_to_split_and_only_the_last_value_holds(drawn):
    claims = [claim(n, value, *days) for n, (value, days) in enumerate(drawn)]
    by_id = {each.id: each for each in claims}
    while splits := find_splits(list(by_id.values())):
        for id_, moment in reversed(splits):
            whole, new_id = by_id[id_], UUID(int=1_000 + len(by_id))
            later = tuple(m for m in whole.moments if m >= moment)
            by_id[id_] = Claim(id_, whole.value, whole.moments[: -len(later)])
            by_id[new_id] = Claim(new_id, whole.value, later)
    assert sum(len(each.moments) for each in by_id.values()) == sum(len(each.moments) for each in claims)
    successors = find_successors(list(by_id.values()))
    assert len({by_id[id_].value for id_, successor in successors.items() if successor is None}) <= 1
    for id_, successor in successors.items():
        if successor is not None:
            assert not is_same_value(by_id[id_].value, by_id[successor.id].value)
            assert successor.start >= by_id[id_].moments[-1]

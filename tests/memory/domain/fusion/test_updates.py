"""An attribute's history follows the time of what was said, not the order of learning."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.fusion import updates
from memory.domain.fusion.updates import Claim, Split, Successor, is_same_value

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
find_splits = partial(updates.find_splits, news=timedelta(days=31))
find_successors = partial(updates.find_successors, news=timedelta(days=31))


def on(day: int) -> datetime:
    return MONDAY + timedelta(days=day)


def claim(number: int, value: str, *days: int) -> Claim:
    return Claim(UUID(int=number), value, tuple(map(on, days)))


def dated(number: int, value: str, since: int, told: int, *, is_lasting: bool = False) -> Claim:
    return Claim(UUID(int=number), value, (on(since),), told_at=on(told), is_lasting=is_lasting)


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


def test_news_of_a_change_stands_after_what_was_said_without_regard_to_it():
    claims = [claim(1, "Lisbon", 10), dated(2, "Porto", since=3, told=11)]
    assert find_successors(claims) == {UUID(int=1): Successor(UUID(int=2), on(3)), UUID(int=2): None}


@pytest.mark.parametrize(
    "other",
    [
        dated(2, "Porto", since=-60, told=11),  # told long after: history, no news
        dated(2, "Porto", since=3, told=9),  # told before: "Lisbon" was said knowing it
        claim(2, "Porto", 3),
    ],
)
def test_what_is_no_news_stands_where_it_began(other):
    claims = [claim(1, "Lisbon", 10), other]
    assert find_successors(claims) == {UUID(int=2): Successor(UUID(int=1), on(10)), UUID(int=1): None}


def test_two_dated_changes_stand_in_the_order_of_their_dates():
    claims = [dated(1, "Lisbon", since=8, told=10), dated(2, "Porto", since=3, told=11)]
    assert find_successors(claims) == {UUID(int=2): Successor(UUID(int=1), on(8)), UUID(int=1): None}


def test_said_again_after_the_news_it_holds_again():
    claims = [claim(1, "Lisbon", 10, 20), dated(2, "Porto", since=3, told=11)]
    assert find_splits(claims) == [Split(UUID(int=1), on(20))]


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
        st.none() | st.integers(0, 60),
    ),
    max_size=8,
)


def claims_of(drawn) -> list[Claim]:
    """Of those with a lag the first day is when it began, told that many days later."""
    return [
        claim(n, value, *days) if lag is None else dated(n, value, days[0], days[0] + lag)
        for n, (value, days, lag) in enumerate(drawn)
    ]


@given(CLAIMS, st.randoms())
def test_the_order_of_learning_makes_no_difference(drawn, random):
    claims = claims_of(drawn)
    shuffled = random.sample(claims, len(claims))
    assert find_successors(shuffled) == find_successors(claims)
    assert find_splits(shuffled) == find_splits(claims)


@given(CLAIMS)
def test_after_splitting_there_is_nothing_to_split_and_only_the_last_value_holds(drawn):
    claims = claims_of(drawn)
    by_id = {each.id: each for each in claims}
    while splits := find_splits(list(by_id.values())):
        for id_, moment in reversed(splits):
            whole, new_id = by_id[id_], UUID(int=1_000 + len(by_id))
            later = tuple(m for m in whole.moments if m >= moment)
            by_id[id_] = replace(whole, moments=whole.moments[: -len(later)])
            by_id[new_id] = replace(whole, id=new_id, moments=later)
    assert sum(len(each.moments) for each in by_id.values()) == sum(len(each.moments) for each in claims)
    successors = find_successors(list(by_id.values()))
    assert len({by_id[id_].value for id_, successor in successors.items() if successor is None}) <= 1
    for id_, successor in successors.items():
        if successor is not None:
            assert not is_same_value(by_id[id_].value, by_id[successor.id].value)
            is_plain = all(each.told_at is None for each in claims)
            assert successor.start >= by_id[id_].moments[-1] or not is_plain


def test_what_is_so_since_long_ago_stands_after_what_was_said_before_it_was_told():
    claims = [claim(1, "Lisbon", 10), dated(2, "Porto", since=-60, told=11, is_lasting=True)]
    assert find_successors(claims) == {UUID(int=1): Successor(UUID(int=2), on(-60)), UUID(int=2): None}


def test_what_is_said_after_it_was_told_stands_after_it():
    claims = [dated(1, "Porto", since=-60, told=9, is_lasting=True), claim(2, "Lisbon", 10)]
    assert find_successors(claims)[UUID(int=2)] is None

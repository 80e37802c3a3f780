"""A context tells all that fits briefly before it tells anything at length."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.composing import Composed, Layout, compose_context
from memory.domain.formatting import Detail
from memory.domain.types import Hit
from tests.memory.talking import record_hit, turn_hit

FULL, BRIEF = Detail(1_000, has_neighbours=False), Detail(20, has_neighbours=False)
LAYOUT = Layout(Detail(1_000), FULL, BRIEF, foremost=0)


def words(text: str) -> int:
    return len(text.split())


def compose(*hits: Hit, budget: int = 10_000, layout: Layout = LAYOUT) -> Composed:
    return compose_context(hits, budget_tokens=budget, layout=layout, count=words, time_zone="UTC")


def with_neighbour(hit: Hit, text: str) -> Hit:
    """The hit with another's turn around its own."""
    (near,) = turn_hit("Ben", text).evidence
    own = hit.evidence[0]
    return replace(hit, evidence=(own, replace(near, session_id=own.session_id, index=1, is_neighbour=True)))


def test_items_are_numbered_in_their_order():
    composed = compose(turn_hit("Alice", "one"), turn_hit("Ben", "two"))
    assert [line[:3] for line in composed.text.splitlines() if line.startswith("[")] == ["[1]", "[2]"]
    assert [hit.text for hit in composed.kept] == ["one", "two"]


def test_items_of_one_conversation_and_day_share_a_heading_and_the_latest_stand_first():
    """Where two contradict each other, the newer is read before the one that it replaces."""
    near, far, again = turn_hit("Alice", "one"), turn_hit("Ben", "two"), turn_hit("Alice", "three")
    session = near.evidence[0].session_id
    later = far.said_at + timedelta(days=2)
    far = replace(
        far, said_at=later, evidence=(replace(far.evidence[0], session_name="call", said_at=later),)
    )
    again = replace(again, evidence=(replace(again.evidence[0], session_id=session, index=7),))
    assert compose(near, far, again).text.split("\n\n") == [
        "Sat 2026-05-09, call:\n[2] episode · 10:00 · turn 0\n    Ben: two",
        "Thu 2026-05-07, main:\n[1] episode · 10:00 · turn 0\n    Alice: one\n"
        "[3] episode · 10:00 · turn 7\n    Alice: three",
    ]


def test_of_nothing_nothing_comes():
    assert compose() == Composed("", (), ())


def test_a_turn_is_quoted_once_and_referred_to_afterwards():
    first = record_hit("Alice has a dog.", said=[("Alice", "My dog is Rex.")])
    second = replace(record_hit("The dog is called Rex."), evidence=first.evidence)
    text = compose(first, second).text
    assert text.count("My dog is Rex.") == 1
    assert "turn 0: quoted under [1]" in text


def test_a_neighbour_that_is_an_item_itself_is_told_there_alone():
    second = turn_hit("Ben", "Is it a terrier?")
    first = turn_hit("Alice", "My dog is Rex.")
    near = replace(second.evidence[0], is_neighbour=True)
    text = compose(replace(first, evidence=(*first.evidence, near)), second).text
    assert text.count("Is it a terrier?") == 1
    assert "Is it a terrier?" in text.split("\n\n")[1]


def test_every_item_is_told_before_one_is_told_with_its_surroundings():
    first = with_neighbour(turn_hit("Alice", "My dog is Rex."), "oh " * 20)
    second = turn_hit("Alice", "My cat is Pixel.")
    whole = words(compose(first, second).text)
    composed = compose(first, second, budget=whole - 5)
    assert len(composed.kept) == 2
    assert "oh" not in composed.text
    assert "oh" in compose(first, second, budget=whole + 4).text


def test_what_is_left_goes_to_the_first():
    hits = [turn_hit("Alice", f"number {n} " + "woof " * 30) for n in range(2)]
    blocks = compose(*hits, budget=70).text.split("\n\n")
    assert [block.count("woof") for block in blocks] == [30, 2]
    assert "[…]" in blocks[1]


def test_the_foremost_are_cut_only_where_they_would_not_fit_at_all():
    hits = [turn_hit("Alice", f"number {n} " + "woof " * 30) for n in range(3)]
    foremost = replace(LAYOUT, foremost=1)
    roomy, narrow = compose(*hits, budget=50, layout=foremost), compose(hits[0], budget=30, layout=foremost)
    assert (roomy.text.count("woof"), len(roomy.kept)) == (30, 1)
    assert "[…]" in narrow.text


def test_a_smaller_item_may_follow_one_that_is_too_long():
    long, short = record_hit("x " * 60), turn_hit("Ben", "y")
    composed = compose(long, short, budget=25, layout=replace(LAYOUT, brief=FULL))
    assert (composed.kept, composed.over) == ((short,), (long,))


ITEMS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60), st.booleans()), max_size=8)


@pytest.mark.parametrize("foremost", [0, 2, 9])
@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60), st.booleans()), max_size=8),
    st.integers(0, 200),
)
def test_the_budget_holds_and_nothing_is_lost(foremost, drawn, budget):
    hits = [
        with_neighbour(record_hit("r " * size, said=[("Alice", "w " * size)]), "n " * near)
        if is_record
        else with_neighbour(turn_hit("Alice", "w " * size), "n " * near)
        for size, near, is_record in drawn
    ]
    composed = compose(*hits, budget=budget, layout=replace(LAYOUT, foremost=foremost))
    assert words(composed.text) <= budget
    assert sorted(hit.id for hit in (*composed.kept, *composed.over)) == sorted(hit.id for hit in hits)
    assert [hit for hit in hits if hit in composed.kept] == list(composed.kept)

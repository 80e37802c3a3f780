"""A reranker's scores into the order found without it."""

from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.reranking import RERANKER, weigh_reranker
from memory.domain.selection import Candidate
from memory.domain.types import Kind


def candidates(*scores: float) -> list[Candidate]:
    return [Candidate(Kind.TURN, uuid4(), 0.5, 0.5, score, (), frozenset()) for score in scores]


def floats(*values: float):
    return np.array(values, np.float32)


def test_both_orders_are_stretched_and_count_as_the_weight_says():
    found = candidates(3.0, 2.0, 1.0)  # stretched: 1, 0.5, 0
    first, second, third = weigh_reranker(found, floats(-10, 10, 0), weight=1.0)  # 0, 1, 0.5
    assert [first.id, second.id, third.id] == [found[1].id, found[0].id, found[2].id]
    assert [first.score, second.score, third.score] == pytest.approx([0.75, 0.5, 0.25])
    assert [each.breakdown[RERANKER] for each in (first, second, third)] == [1.0, 0.0, 0.5]
    heavy = weigh_reranker(found, floats(-10, 10, 0), weight=9.0)
    assert [each.id for each in heavy] == [found[1].id, found[2].id, found[0].id]
    light = weigh_reranker(found, floats(-10, 10, 0), weight=0.0)
    assert [each.id for each in light] == [each.id for each in found]


def test_what_was_not_reread_comes_after_and_says_nothing_of_it():
    found = candidates(0.9, 0.8, 0.7, 0.6)
    made = weigh_reranker(found, floats(1, 2), weight=1.0)
    assert [each.id for each in made] == [found[1].id, found[0].id, found[2].id, found[3].id]
    assert RERANKER not in made[2].breakdown


def test_equal_scores_change_no_order():
    found = candidates(0.9, 0.8, 0.7)
    assert [each.id for each in weigh_reranker(found, floats(4, 4, 4), weight=1.0)] == [e.id for e in found]


def test_of_one_or_none_there_is_nothing_to_order():
    assert weigh_reranker([], floats(), weight=1.0) == []
    (only,) = weigh_reranker(candidates(0.3), floats(-7), weight=1.0)
    assert 0 < only.score <= 1


@given(
    st.lists(st.tuples(st.floats(-5, 5, width=32), st.floats(-20, 20, width=32)), min_size=1, max_size=30),
    st.floats(0, 5),
)
def test_every_candidate_stays_once_best_first_in_zero_to_one(pairs, weight):
    found = sorted(candidates(*(score for score, _ in pairs)), key=lambda each: -each.score)
    made = weigh_reranker(found, floats(*(score for _, score in pairs)), weight=weight)
    assert {each.id for each in made} == {each.id for each in found}
    totals = [each.score for each in made]
    assert totals == sorted(totals, reverse=True)
    assert all(0 <= total <= 1.0001 for total in totals)

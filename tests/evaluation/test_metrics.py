"""The measures, by hand and by property."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import (
    MEASURES,
    all_at,
    hit_at,
    interval,
    mcnemar,
    ndcg_at,
    recall_at,
    reciprocal_rank,
)

RANKING = ("a", "b", "c", "d")
RELEVANT = frozenset({"b", "d"})

keys = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def test_each_measure_of_one_ranking_is_what_a_hand_computes() -> None:
    assert hit_at(RANKING, RELEVANT, 1) == 0
    assert hit_at(RANKING, RELEVANT, 2) == 1
    assert recall_at(RANKING, RELEVANT, 3) == 0.5
    assert all_at(RANKING, RELEVANT, 3) == 0
    assert all_at(RANKING, RELEVANT, 4) == 1
    assert reciprocal_rank(RANKING, RELEVANT, 4) == 0.5
    best = 1 + 1 / math.log2(3)
    assert ndcg_at(RANKING, RELEVANT, 4) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_found_scores_nothing(name: str) -> None:
    assert MEASURES[name]((), RELEVANT, 10) == 0


@pytest.mark.parametrize("name", MEASURES)
@given(ranking=keys, relevant=st.frozensets(st.sampled_from("abcdefgh"), min_size=1), k=st.integers(1, 10))
def test_measures_stay_in_range_and_never_fall_with_k(
    name: str, ranking: list[str], relevant: frozenset[str], k: int
) -> None:
    score = MEASURES[name](ranking, relevant, k)
    assert 0 <= score <= 1 + 1e-9
    if name != "ndcg":  # its ideal grows with k
        assert MEASURES[name](ranking, relevant, k + 1) >= score


@given(relevant=st.frozensets(st.sampled_from("abcd"), min_size=1))
def test_the_best_order_scores_one(relevant: frozenset[str]) -> None:
    for name in MEASURES:
        assert MEASURES[name](sorted(relevant), relevant, len(relevant)) == pytest.approx(1)


def test_the_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few = np.array([0.0, 1.0] * 10)
    many = np.array([0.0, 1.0] * 1_000)
    low, high = interval(few)
    assert low < 0.5 < high
    assert interval(many)[1] - interval(many)[0] < (high - low) / 5
    assert interval(few) == (low, high), "seeded"


@pytest.mark.parametrize(
    ("only_first", "only_second", "p_value"),
    [(0, 0, 1.0), (3, 0, 0.25), (0, 5, 2 / 32), (1, 1, 1.0), (8, 1, 2 * 10 / 512)],
)
def test_the_paired_test_is_that_of_a_fair_coin(only_first: int, only_second: int, p_value: float) -> None:
    first = [True] * only_first + [False] * only_second + [True, False]
    second = [False] * only_first + [True] * only_second + [True, False]
    test = mcnemar(first, second)
    assert (test.only_first, test.only_second, test.both, test.neither) == (only_first, only_second, 1, 1)
    assert test.p_value == pytest.approx(p_value)
    assert mcnemar(second, first).p_value == test.p_value


def test_pairs_must_match() -> None:
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True], [])

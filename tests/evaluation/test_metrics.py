"""The measures, by hand and by property."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import MEASURES, all_at, hit_at, interval, ndcg_at, recall_at, reciprocal_rank

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

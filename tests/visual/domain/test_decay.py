"""The law of forgetting: its worked numbers, its bounds, its order."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visual.config import DecayLaw
from visual.domain.decay import (
    earliest_forgotten,
    half_life_days,
    is_forgotten,
    retention,
    retention_at,
)

LAW = DecayLaw()
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
SHARES = st.floats(0, 1)
RECALLS = st.integers(0, 1_000)


@pytest.mark.parametrize(
    ("importance", "recalls", "days"),
    [(0.5, 0, 18.5), (0.5, 6, 24.05), (0.5, 100, 24.05), (0.0, 0, 7.0), (1.0, 0, 30.0), (1.0, 6, 39.0)],
)
def test_half_is_left_at_the_half_life(importance: float, recalls: int, days: float):
    assert half_life_days(importance, recalls, LAW) == pytest.approx(days)
    assert retention(days, importance=importance, recalls=recalls, law=LAW) == pytest.approx(0.5)


def test_all_is_left_at_the_beginning_and_never_more():
    assert retention(0, importance=0.3, recalls=2, law=LAW) == 1.0
    assert retention(-3, importance=0.3, recalls=2, law=LAW) == 1.0


@given(importance=SHARES, recalls=RECALLS, earlier=st.floats(0, 400), later=st.floats(0, 400))
def test_what_is_left_never_grows_with_time(importance: float, recalls: int, earlier: float, later: float):
    first, last = sorted((earlier, later))
    left = [retention(days, importance=importance, recalls=recalls, law=LAW) for days in (first, last)]
    assert 0 <= left[1] <= left[0] <= 1


@given(days=st.floats(0, 400), low=SHARES, high=SHARES, few=RECALLS, many=RECALLS)
def test_importance_and_recalls_never_hasten_forgetting(
    days: float, low: float, high: float, few: int, many: int
):
    low, high = sorted((low, high))
    few, many = sorted((few, many))
    less = retention(days, importance=low, recalls=few, law=LAW)
    assert retention(days, importance=high, recalls=many, law=LAW) >= less


@pytest.mark.parametrize(
    ("importance", "recalls", "days", "is_gone"),
    [
        (0.0, 0, 23.2, False),
        (0.0, 0, 23.3, True),  # 7 * log2(10) = 23.25
        (0.5, 0, 61.4, False),
        (0.5, 0, 61.5, True),  # 18.5 * log2(10) = 61.46
        (1.0, 6, 89.9, False),
        (1.0, 6, 90.0, True),  # 39 * log2(10) = 129.6, but 90 days at most
    ],
)
def test_an_image_is_forgotten_under_a_tenth_or_after_ninety_days(
    importance: float, recalls: int, days: float, is_gone: bool
):
    since = NOW - timedelta(days=days)
    assert is_forgotten(NOW, since=since, importance=importance, recalls=recalls, law=LAW) is is_gone


@given(importance=SHARES, recalls=RECALLS, days=st.floats(0, 120))
def test_nothing_newer_than_the_earliest_is_forgotten(importance: float, recalls: int, days: float):
    since = NOW - timedelta(days=days)
    if is_forgotten(NOW, since=since, importance=importance, recalls=recalls, law=LAW):
        assert since <= earliest_forgotten(NOW, LAW)


def test_a_pinned_image_does_not_fade():
    since = NOW - timedelta(days=1_000)
    assert retention_at(NOW, since=since, importance=0, recalls=0, is_pinned=True, law=LAW) == 1.0
    assert retention_at(NOW, since=since, importance=0, recalls=0, is_pinned=False, law=LAW) < 0.001

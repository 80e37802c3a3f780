"""The working-memory gauge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.config import WindowConfig
from sessions_app.models import Session
from sessions_app.views.gauge import Gauge, gauge_of

CONFIG = WindowConfig(max_tokens=7_000, output_reserve_tokens=1_000, recall_reserve_tokens=1_000)


def test_a_session_fills_its_budget_without_the_reserves():
    gauge = gauge_of(Session(token_total=2_500), CONFIG)
    assert (gauge.used, gauge.budget, gauge.percent) == (2_500, 5_000, 50)


def test_no_session_uses_nothing():
    gauge = gauge_of(None, CONFIG)
    assert (gauge.used, gauge.percent, gauge.shown, gauge.level) == (0, 0, 0, "")


@pytest.mark.parametrize(
    ("used", "level"), [(69, ""), (70, "warn"), (89, "warn"), (90, "block"), (100, "block"), (250, "block")]
)
def test_the_marks_are_where_the_settings_say(used, level):
    assert Gauge(used, 100, 70, 90).level == level


def test_the_marks_are_told_in_tokens():
    gauge = Gauge(0, 5_000, 70, 90)
    assert (gauge.low, gauge.high) == (3_500, 4_500)


def test_a_few_tokens_can_be_seen():
    assert Gauge(1, 100_000, 70, 90).shown == 2


@given(st.integers(0, 10**7), st.integers(1, 10**6))
def test_the_bar_never_leaves_its_track(used, budget):
    assert 0 <= Gauge(used, budget, 70, 90).shown <= 100

"""The working-memory gauge: what of the budget is used, and for what."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.summaries import Summary
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Anchor, Window
from sessions_app.views.gauge import gauge_of

CONFIG = WindowConfig(max_tokens=10_000)
ANCHOR = Anchor(
    id=uuid4(),
    first_turn=0,
    end_turn=40,
    summary=Summary(goals=("Ann wants to sail.",), facts=("Rose lives in Paris.", "Bob bakes.")),
    tokens=500,
    covered_tokens=4_000,
    covered_turns=40,
    made_by="offline",
    made_at=datetime(2026, 3, 1, tzinfo=UTC),
)


def window(**changes: object) -> Window:
    made = Window((), 2_500, 6_000, 2_500, 5_000, 0.5, 0, summaries=(ANCHOR,))
    return replace(made, **changes)  # type: ignore[arg-type]


def test_the_bar_shows_summaries_beside_what_is_verbatim():
    gauge = gauge_of(window(), CONFIG)
    assert (gauge.percent, gauge.summary_width, gauge.verbatim_width) == (50, 10.0, 40.0)
    assert gauge.verbatim_tokens == 2_000


def test_no_conversation_uses_nothing():
    gauge = gauge_of(None, CONFIG)
    assert (gauge.percent, gauge.summary_width, gauge.verbatim_width, gauge.level) == (0, 0, 0, "")
    assert gauge.window.budget_tokens == CONFIG.budget_tokens


def test_the_marks_are_where_the_settings_say():
    gauge = gauge_of(None, replace(CONFIG, warn_ratio=0.5, block_ratio=0.6))
    assert (gauge.warn, gauge.block) == (50, 60)


@pytest.mark.parametrize("level", ["", "warn", "block"])
def test_the_level_is_the_window_s(level):
    assert gauge_of(window(level=level), CONFIG).level == level


def test_a_few_tokens_can_be_seen():
    gauge = gauge_of(window(tokens=1, summaries=()), CONFIG)
    assert (gauge.summary_width, gauge.verbatim_width) == (0.0, 2.0)


def test_the_summary_is_told_under_names_for_people():
    ((anchor, sections),) = gauge_of(window(), CONFIG).sections
    assert anchor is ANCHOR
    assert sections == [
        ("Goals", ("Ann wants to sail.",)),
        ("Facts", ("Rose lives in Paris.", "Bob bakes.")),
    ]


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6))
def test_the_bar_never_leaves_its_track(summary, beside, budget):
    anchor = replace(ANCHOR, tokens=summary)
    gauge = gauge_of(window(tokens=summary + beside, summaries=(anchor,), budget_tokens=budget), CONFIG)
    assert gauge.summary_width >= 0
    assert gauge.verbatim_width >= 0
    assert gauge.summary_width + gauge.verbatim_width <= 100

"""The usage page: a bar a day, a table, and nothing of other members' private sessions."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.domain.types import Usage
from sessions_app.models import UsageEntry
from sessions_app.selectors import UsageRow, usage_by_day
from sessions_app.services.usage import UsageScope, record_usage
from sessions_app.views.usage import CHART_HEIGHT, DAYS, bars_of

USAGE = reverse("sessions:usage", args=["garden"])
TODAY = date(2026, 3, 31)


def spend(principal, *, purpose="answer", read=100, written=20, private_to=None, days_ago=0, cached=0):
    usage = Usage(purpose, "openai/test-model", read, written, cached)
    record_usage(UsageScope(principal.space_id, private_to), [usage])
    entry = UsageEntry.objects.for_space(principal.space_id).latest("id")
    entry.day -= timedelta(days=days_ago)
    entry.save()


def row(day: date, tokens: int) -> UsageRow:
    return UsageRow(day, "answer", "m", 1, tokens, 0, 0, 0)


def test_with_no_model_called_it_says_so(browse, alice):
    page = browse(alice).get(USAGE).content.decode()
    assert "No model has been called" in page
    assert "<svg class=" not in page.split("<main")[1]


def test_calls_are_added_up_by_day_purpose_and_model(browse, alice):
    spend(alice)
    spend(alice, read=50, cached=40)
    spend(alice, purpose="plan", days_ago=1)
    response = browse(alice).get(USAGE)
    rows = response.context["rows"]
    assert [(r.purpose, r.calls, r.input_tokens, r.output_tokens, r.cached_tokens) for r in rows] == [
        ("answer", 2, 150, 40, 40),
        ("plan", 1, 100, 20, 0),
    ]
    assert (response.context["calls"], response.context["tokens"]) == (3, 310)
    assert response.content.decode().count("<rect ") >= DAYS


def test_what_was_counted_here_is_marked(browse, alice):
    spend(alice)
    assert "≈" not in browse(alice).get(USAGE).content.decode()
    usage = Usage("plan", "openai/test-model", 90, 10, is_estimated=True)
    record_usage(UsageScope(alice.space_id), [usage])
    assert browse(alice).get(USAGE).content.decode().count("≈") == 1


def test_what_is_older_than_the_period_is_left_out(browse, alice):
    spend(alice, days_ago=DAYS)
    assert browse(alice).get(USAGE).context["rows"] == []


def test_calls_of_anothers_private_session_are_not_shown(alice, bob):
    spend(alice, private_to=bob.user_id)
    since = timezone.now().date() - timedelta(days=1)
    assert usage_by_day(alice, since=since) == []
    assert len(usage_by_day(bob, since=since)) == 1


def test_a_budget_is_told(browse, alice, settings):
    settings.DAILY_TOKEN_BUDGET = 5_000
    assert "may use 5" in browse(alice).get(USAGE).content.decode()


def test_the_highest_bar_fills_the_drawing_and_the_smallest_is_seen():
    bars = bars_of([row(TODAY, 10_000), row(TODAY - timedelta(days=1), 1)], TODAY)
    assert len(bars) == DAYS
    assert (bars[-1].day, bars[-1].height, bars[-1].y) == (TODAY, CHART_HEIGHT, 0)
    assert (bars[-2].height, bars[-2].y) == (1, CHART_HEIGHT - 1)
    assert bars[0].height == 0


@pytest.mark.parametrize("rows", [[], [row(TODAY, 0)]])
def test_no_tokens_make_no_bars(rows):
    assert {bar.height for bar in bars_of(rows, TODAY)} == {0}

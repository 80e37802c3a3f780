"""Icons, bars and short moments."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone, translation

from accounts.templatetags.lychee import bar, grouped, icon, short_moment


def test_an_icon_is_decoration():
    mark = ElementTree.fromstring(icon("menu"))  # noqa: S314 - our own
    assert mark.get("aria-hidden") == "true"
    assert mark[0].get("href", "").endswith("icons.svg#menu")


@pytest.mark.parametrize(
    ("value", "width"), [(0, "0"), (0.634, "63"), (1, "100"), (7, "100"), (-1, "0"), (None, "0")]
)
def test_a_bar_is_as_long_as_its_value(value, width):
    drawn = ElementTree.fromstring(bar(value, "Match"))  # noqa: S314 - our own
    assert drawn[0].get("width") == width
    assert drawn.get("aria-label") == f"Match {width}%"


def test_a_label_cannot_leave_its_attribute():
    assert "<b>" not in bar(1, '"><b>')


@pytest.mark.parametrize(("language", "told"), [("en", "115,500"), ("de", "115.500")])
def test_the_thousands_of_a_count_stand_apart(language, told):
    with translation.override(language):
        assert grouped(115_500) == told
    assert grouped(999) == "999"


@pytest.mark.parametrize(("zone", "told"), [("UTC", "23:30"), ("Asia/Tokyo", "08:30")])
def test_today_is_told_by_its_time_in_the_readers_zone(monkeypatch, zone, told):
    at = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    with timezone.override(zone):
        assert short_moment(at) == told


def test_another_day_of_this_year_is_told_without_the_year():
    now = timezone.now()
    other = now - timedelta(days=1) if now.timetuple().tm_yday > 2 else now + timedelta(days=3)
    assert str(now.year) not in short_moment(other)


def test_another_year_is_told_with_it():
    assert short_moment(datetime(2001, 5, 3, tzinfo=UTC)) == "3 May 2001"

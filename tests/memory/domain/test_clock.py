"""An hour of the clock belongs to the date beside it, in its speaker's zone."""

from datetime import UTC, datetime, time

import pytest

from memory.domain.clock import clock_times
from memory.domain.temporal import find_dates, tells_hour, zone_of

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)


def hours(text: str, zone: str = "UTC") -> list[str]:
    found = find_dates(text, said_at=MONDAY, time_zone=zone)
    return [f"{each.clock:%m-%d %H:%M}" if each.clock else "" for each in found]


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("Ruth arrives at 3pm tomorrow", "12-01 15:00"),
        ("Ruth arrives tomorrow at 3 p.m.", "12-01 15:00"),
        ("the train leaves tomorrow at 9", "12-01 09:00"),
        ("tomorrow at 9 o'clock we leave", "12-01 09:00"),
        ("at 12am tomorrow", "12-01 00:00"),
        ("lunch tomorrow at noon", "12-01 12:00"),
        ("dinner is tonight at 8", "11-30 20:00"),
        ("let's meet tomorrow at 3", "12-01 15:00"),
        ("let's meet tomorrow at 3:30", "12-01 15:30"),
        ("let's meet tomorrow at 03:30", "12-01 03:30"),
        ("up tomorrow at 5 in the morning", "12-01 05:00"),
        ("dinner tomorrow at 7", "12-01 19:00"),
        ("I got up at 5 yesterday", "11-29 05:00"),
        ("we meet on Thursday at 15:30", "12-03 15:30"),
        ("we meet on Thursday, 3 December 2026, at 15:30", "12-03 15:30"),
        ("we meet on Thursday at 3pm, not 2pm", "12-03 15:00"),
        ("begins 2026-12-03T15:00:00", "12-03 15:00"),
        ("Ruth kommt morgen um 15 Uhr", "12-01 15:00"),
        ("Ruth kommt morgen um 9.", "12-01 09:00"),
        ("Ruth kommt am Donnerstag um 9.30 Uhr, nicht am Mittwoch", "12-03 09:30"),
        ("Ruth kommt morgen Abend um 8 Uhr", "12-01 20:00"),
        ("Ruth viene el jueves a las 5 de la tarde", "12-03 17:00"),
        ("Ruth viene el jueves a las 3", "12-03 15:00"),
        ("Ruth viene el jueves a las 9 de la mañana", "12-03 09:00"),
        ("Ruth vient jeudi à 15h30", "12-03 15:30"),
        ("Ruth vient jeudi à 15 heures", "12-03 15:00"),
        ("Rute chega amanhã às 15h", "12-01 15:00"),
        ("Rute chega amanhã às 3 da tarde", "12-01 15:00"),
        ("Рут приедет завтра в 15:00", "12-01 15:00"),
        ("Рут приедет завтра в 3 часа дня", "12-01 15:00"),
        ("露丝明天下午3点半来", "12-01 15:30"),
        ("露丝明天九点来", "12-01 09:00"),
        ("내일 오후 3시에 만나요", "12-01 15:00"),
    ],
)
def test_an_hour_is_told_with_its_day(text, hour):
    assert hours(text) == [hour]


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow I move to 9 Main Street",
        "tomorrow at 9 Main Street",
        "tomorrow I sleep 8 hours",
        "we won 3:2 yesterday",
        "明天有三点要说",
        "tomorrow is long. He rose at 9.",
        "last week at 9",
        "a few days ago at 9",
    ],
)
def test_other_numbers_and_other_sentences_tell_no_hour_of_the_day(text):
    assert hours(text) == [""]


def test_each_day_has_its_own_hour():
    assert hours("we play on Thursday at 3pm and on Friday at 5pm") == ["12-03 15:00", "12-04 17:00"]
    assert hours("we play on Thursday and on Friday at 5pm") == ["", "12-04 17:00"]


def test_the_hour_is_that_of_the_speakers_zone():
    assert hours("tomorrow at 9", zone="Asia/Shanghai") == ["12-01 01:00"]
    assert hours("tomorrow at 9", zone="America/New_York") == ["12-01 14:00"]


def test_a_time_belongs_to_the_nearest_date_and_none_without_dates():
    assert clock_times("a 3pm b", [(0, 1), (6, 7)]) == {0: time(15)}
    assert clock_times("at 3pm", []) == {}
    assert clock_times(f"a{' x' * 30} 3pm", [(0, 1)]) == {}


def test_midnight_of_the_zone_or_of_utc_tells_no_hour():
    berlin = zone_of("Europe/Berlin")
    assert not tells_hour(datetime(2026, 12, 1, tzinfo=UTC), berlin)
    assert not tells_hour(datetime(2026, 11, 30, 23, tzinfo=UTC), berlin)
    assert tells_hour(datetime(2026, 12, 1, 14, tzinfo=UTC), berlin)

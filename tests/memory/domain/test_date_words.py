"""The words of each language mean what its speakers mean."""

import pytest

from memory.domain import date_words as say
from memory.domain.feasts import FEAST
from memory.domain.languages import is_other_script, needs_other_script


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("weeks", "week"),
        ("Wochen", "week"),
        ("недели", "week"),
        ("года", "year"),
        ("月", "month"),
        ("周末", "weekend"),
    ],
)
def test_a_unit_is_known_in_any_form(word, unit):
    assert say.unit_of(word) == unit


@pytest.mark.parametrize(
    ("word", "shift"),
    [
        ("last", -1),
        ("this past", -1),
        ("next", 1),
        ("letzten", -1),
        ("следующую", 1),
        ("上个", -1),
        ("dernière", -1),
        ("", 0),
    ],
)
def test_last_this_and_next_are_known(word, shift):
    assert say.shift_of(word) == shift


@pytest.mark.parametrize(
    ("word", "weeks"), [("上上", -2), ("上个", -1), ("", 0), ("这", 0), ("下", 1), ("下下个", 2)]
)
def test_chinese_weeks_are_counted(word, weeks):
    assert say.week_shift_of(word) == weeks


@pytest.mark.parametrize(
    ("word", "day"), [("Monday", 0), ("Sonntag", 6), ("пятницу", 4), ("五", 4), ("天", 6)]
)
def test_weekdays_count_from_monday(word, day):
    assert say.weekday_of(word) == day


@pytest.mark.parametrize(("word", "month"), [("May", 5), ("März", 3), ("мая", 5), ("十二", 12), ("5", 5)])
def test_months_are_known(word, month):
    assert say.month_of(word) == month


@pytest.mark.parametrize("word", ["13", "0", "二十", "Sunday"])
def test_what_is_no_month_is_refused(word):
    with pytest.raises(ValueError, match=word):
        say.month_of(word)


def test_latin_texts_are_spared_the_patterns_of_other_scripts():
    assert needs_other_script(FEAST)
    assert not needs_other_script(say.ISO_DATE)
    assert not needs_other_script(say.NAMED_DAY)
    assert is_other_script("昨天")
    assert not is_other_script("hier à Orléans")

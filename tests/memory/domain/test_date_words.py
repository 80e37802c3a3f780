"""The words of each language mean what its speakers mean."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import date_words as say


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


@pytest.mark.parametrize(
    ("word", "least", "most"),
    [
        ("3", 3, 3),
        ("a", 1, 1),
        ("", 1, 1),
        ("a couple", 2, 2),
        ("few", 2, 4),
        ("twelve", 12, 12),
        ("十二", 12, 12),
        ("几", 2, 4),
    ],
)
def test_numbers_and_vague_amounts_are_counted(word, least, most):
    assert say.count_of(word) == (least, most)


@pytest.mark.parametrize(
    ("word", "number"), [("〇", 0), ("十", 10), ("十五", 15), ("二十", 20), ("三十一", 31), ("07", 7)]
)
def test_chinese_numerals_are_read(word, number):
    assert say.digits_of(word) == number


@given(st.integers(0, 99))
def test_every_small_chinese_numeral_is_read(number):
    digits = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    word = (
        digits[number]
        if number < 10
        else f"{digits[tens] if tens > 1 else ''}十{digits[ones] if ones else ''}"
    )
    assert say.digits_of(word) == number


@pytest.mark.parametrize(
    ("name", "year", "day"),
    [
        ("中秋", 2022, date(2022, 9, 10)),
        ("春节", 2026, date(2026, 2, 17)),
        ("国庆", 1999, date(1999, 10, 1)),
        ("中秋", 1999, None),
        ("端午", 2031, None),
    ],
)
def test_feasts_have_their_day_where_it_is_known(name, year, day):
    assert say.feast_day(name, year) == day


def test_latin_texts_are_spared_the_patterns_of_other_scripts():
    assert say.needs_other_script(say.FEAST)
    assert not say.needs_other_script(say.ISO_DATE)
    assert not say.needs_other_script(say.NAMED_DAY)
    assert say.is_other_script("昨天")
    assert not say.is_other_script("hier à Orléans")

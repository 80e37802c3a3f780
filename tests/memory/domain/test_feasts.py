"""Feasts and their days."""

from datetime import date

import pytest

from memory.domain.feasts import feast_day


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
    assert feast_day(name, year) == day

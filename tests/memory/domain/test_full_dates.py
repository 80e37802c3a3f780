"""A full date and the weekday beside it are one date, and the full date decides."""

from datetime import UTC, datetime

import pytest

from memory.domain.full_dates import full_dates, weekday_beside
from memory.domain.temporal import find_dates

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)


def told(text: str) -> list[tuple[str, str]]:
    found = find_dates(text, said_at=MONDAY, time_zone="UTC")
    return [(each.text, each.range.start.date().isoformat()) for each in found]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Ruth visits on Thursday 3 December 2026.", "Thursday 3 December 2026"),
        ("Ruth visited on Thursday, 3 December 2026", "Thursday, 3 December 2026"),
        ("Ruth visits Thursday December 3", "Thursday December 3"),
        ("on Thursday, the 3rd of December we meet", "Thursday, the 3rd of December"),
        ("on Thu 2026-12-03", "Thu 2026-12-03"),
        ("on 3 December 2026 (Thursday)", "3 December 2026 (Thursday)"),
        ("am Donnerstag, den 3. Dezember 2026, kommt Ruth", "Donnerstag, den 3. Dezember 2026"),
        ("am Donnerstag, dem 3.12.2026, kommt Ruth", "Donnerstag, dem 3.12.2026"),
        ("viene el jueves, 3 de diciembre de 2026", "jueves, 3 de diciembre de 2026"),
        ("elle vient jeudi 3 décembre 2026", "jeudi 3 décembre 2026"),
        ("vem na quinta-feira, 3 de dezembro de 2026", "quinta-feira, 3 de dezembro de 2026"),
        ("придёт в четверг, 3 декабря 2026", "четверг, 3 декабря 2026"),
        ("2026年12月3日（星期四）来", "2026年12月3日（星期四）"),
    ],
)
def test_a_weekday_is_part_of_its_full_date(text, date):
    assert told(text) == [(date, "2026-12-03")]


def test_a_full_date_wins_over_a_weekday_that_does_not_fit():
    assert told("on Friday, 3 December 2026") == [("Friday, 3 December 2026", "2026-12-03")]


def test_a_weekday_chooses_the_year_that_is_not_told():
    assert told("Thursday December 3") == [("Thursday December 3", "2026-12-03")]
    assert told("Wednesday December 3") == [("Wednesday December 3", "2025-12-03")]


def test_a_weekday_of_another_clause_or_sentence_stays_its_own():
    assert [day for _, day in told("on 3 December 2026 and last Friday")] == ["2026-12-03", "2026-11-27"]
    assert len(told("We met on 3 December 2025. Friday was calm.")) == 2


def test_the_stretch_is_told_with_the_weekday():
    assert weekday_beside("on Thursday 3 December", 12, 22) == (3, 22, 3)
    assert weekday_beside("on the 3 December", 7, 17) == (7, 17, None)
    assert list(full_dates("from Thursday 3 December to 2026-12-09")) == [(28, 38), (5, 24)]

"""Words for time mean ranges of the speaker's own calendar."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.temporal import GIVEN_YEARS, day_range, find_dates, is_given_year, zone_of
from memory.domain.types import TimeRange

THURSDAY = datetime(2023, 5, 25, 13, 14, tzinfo=UTC)


def days(text: str, said_at: datetime = THURSDAY, zone: str = "UTC") -> list[tuple[str, str]]:
    found = find_dates(text, said_at=said_at, time_zone=zone)
    return [(m.range.start.date().isoformat(), m.range.end.date().isoformat()) for m in found]


def first_day(text: str) -> str:
    return days(text)[0][0]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I went yesterday", "2023-05-24", "2023-05-25"),
        ("the day before yesterday", "2023-05-23", "2023-05-24"),
        ("I ran last Friday", "2023-05-19", "2023-05-20"),
        ("I'll rest next Friday", "2023-05-26", "2023-05-27"),
        ("I ran a race on Sunday", "2023-05-21", "2023-05-22"),
        ("I will run a race on Sunday", "2023-05-28", "2023-05-29"),
        ("I moved three weeks ago", "2023-05-01", "2023-05-08"),
        ("a few days ago we met", "2023-05-21", "2023-05-24"),
        ("I'll go in 3 weeks", "2023-06-12", "2023-06-19"),
        ("We met 10 years ago", "2013-01-01", "2014-01-01"),
        ("last year was hard", "2022-01-01", "2023-01-01"),
        ("last weekend", "2023-05-20", "2023-05-22"),
        ("over the weekend we hiked", "2023-05-20", "2023-05-22"),
        ("We're planning to hike over the weekend", "2023-05-27", "2023-05-29"),
        ("this month", "2023-05-01", "2023-06-01"),
        ("born 8 May 2021", "2021-05-08", "2021-05-09"),
        ("born on May 8th, 2021", "2021-05-08", "2021-05-09"),
        ("the 5th of June", "2022-06-05", "2022-06-06"),
        ("we married in June 2016", "2016-06-01", "2016-07-01"),
        ("last June", "2022-06-01", "2022-07-01"),
        ("last summer", "2022-06-01", "2022-09-01"),
        ("since 2016", "2016-01-01", "2017-01-01"),
        ("on 2022-12-25", "2022-12-25", "2022-12-26"),
        ("on 12/25/2022", "2022-12-25", "2022-12-26"),
        ("on 25/12/2022", "2022-12-25", "2022-12-26"),
        ("in late-2021", "2021-01-01", "2022-01-01"),
    ],
)
def test_english_times_are_resolved(text, start, end):
    assert days(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("我昨天去了", "2023-05-24"),
        ("大前天下雨了", "2023-05-22"),
        ("上周五开会", "2023-05-19"),
        ("上上周五开会", "2023-05-12"),
        ("周五开会", "2023-05-26"),
        ("下周一见", "2023-05-29"),
        ("去年中秋我在家", "2022-09-10"),
        ("去年五月搬家", "2022-05-01"),
        ("三天前", "2023-05-22"),
        ("两年前结婚", "2021-01-01"),
        ("十二天前", "2023-05-13"),
        ("2021年5月8日出生", "2021-05-08"),
        ("下个月去北京", "2023-06-01"),
        ("去年春节", "2022-02-01"),
        ("国庆节去了西安", "2022-10-01"),
        ("gestern war ich da", "2023-05-24"),
        ("letzten Freitag", "2023-05-19"),
        ("vor drei Wochen", "2023-05-01"),
        ("am 3. Mai 2022", "2022-05-03"),
        ("im März", "2023-03-01"),
        ("letztes Jahr", "2022-01-01"),
        ("am 03.05.2021", "2021-05-03"),
        ("seit 2016", "2016-01-01"),
        ("вчера", "2023-05-24"),
        ("на прошлой неделе", "2023-05-15"),
        ("три недели назад", "2023-05-01"),
        ("в прошлую пятницу", "2023-05-19"),
        ("8 мая 2021 года", "2021-05-08"),
        ("в 2016 году", "2016-01-01"),
        ("через 2 дня", "2023-05-27"),
        ("неделю назад", "2023-05-15"),
        ("la semana pasada", "2023-05-15"),
        ("hace dos días", "2023-05-23"),
        ("il y a trois jours", "2023-05-22"),
        ("12 juillet 2022", "2022-07-12"),
        ("어제 갔어요", "2023-05-24"),
        ("3일 전", "2023-05-22"),
        ("先週東京へ行った", "2023-05-15"),
    ],
)
def test_times_in_other_languages_are_resolved(text, start):
    assert first_day(text) == start


@pytest.mark.parametrize(
    "text",
    [
        "I stay in room 2024",
        "99999 years ago",
        "in the year 0",
        "0001-01-01",
        "in 0000",
        "in 3000",
        "on 2023-02-30",
        "2020 people came",
        "in 2020 dollars",
        "May I come in?",
        "march on",
        "1024个月饼",
        "v12.05.2023.7",
        "call 010-1234-5678",
        "",
    ],
)
def test_numbers_that_are_no_date_give_none(text):
    assert days(text) == []


def test_what_the_calendar_lacks_leaves_the_part_that_it_has():
    assert days("31 February 2023") == [("2023-02-01", "2023-03-01")]
    lunar_feast_beyond_our_table = days("去年中秋", said_at=datetime(1999, 5, 1, tzinfo=UTC))
    assert lunar_feast_beyond_our_table == [("1998-01-01", "1999-01-01")]


def test_several_mentions_come_in_order_and_apart():
    found = find_dates("yesterday, and on 8 May 2021, and last week", said_at=THURSDAY, time_zone="UTC")
    assert [m.text for m in found] == ["yesterday", "8 May 2021", "last week"]
    assert [m.grain for m in found] == ["day", "day", "week"]


def test_tomorrow_is_a_day_of_the_speakers_zone():
    late = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)  # 23:30 in Shanghai
    (mention,) = find_dates("tomorrow", said_at=late, time_zone="Asia/Shanghai")
    assert mention.range.start == datetime(2026, 8, 12, 16, 0, tzinfo=UTC)
    (other,) = find_dates("明天", said_at=late + timedelta(hours=1), time_zone="Asia/Shanghai")
    assert other.range.start == datetime(2026, 8, 13, 16, 0, tzinfo=UTC)


def test_a_day_of_changing_clocks_has_23_or_25_hours():
    zone = ZoneInfo("Europe/Berlin")
    spring, autumn = day_range(date(2026, 3, 29), zone), day_range(date(2026, 10, 25), zone)
    assert spring.end - spring.start == timedelta(hours=23)
    assert autumn.end - autumn.start == timedelta(hours=25)


def test_an_unknown_zone_is_utc():
    assert zone_of("Mars/Olympus") == ZoneInfo("UTC")
    assert zone_of("") == ZoneInfo("UTC")
    assert zone_of("Asia/Tokyo") == ZoneInfo("Asia/Tokyo")


@given(st.text(max_size=80), st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_whatever_is_said_mentions_lie_in_the_text_and_in_our_years(text, said_at):
    for mention in find_dates(text, said_at=said_at, time_zone="UTC"):
        assert mention.text == text[mention.start : mention.end]
        assert mention.range.start < mention.range.end
        assert 1900 <= mention.range.start.year <= 2100


@given(st.integers(0, 10**7), st.sampled_from(["day", "week", "month", "year"]))
def test_any_number_of_units_ago_is_a_date_of_our_years_or_none(count, unit):
    for mention in find_dates(f"{count} {unit}s ago", said_at=THURSDAY, time_zone="UTC"):
        assert 1900 <= mention.range.start.year <= 2023


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("this morning", "2023-05-25", "2023-05-26"),
        ("last night", "2023-05-24", "2023-05-25"),
        ("the day after tomorrow", "2023-05-27", "2023-05-28"),
        ("I went two days ago", "2023-05-23", "2023-05-24"),
        ("a year ago", "2022-01-01", "2023-01-01"),
        ("a couple of weeks ago", "2023-05-08", "2023-05-15"),
        ("twelve months ago", "2022-05-01", "2022-06-01"),
        ("last Tues", "2023-05-23", "2023-05-24"),
        ("this past weekend", "2023-05-20", "2023-05-22"),
        ("next month", "2023-06-01", "2023-07-01"),
        ("next year", "2024-01-01", "2025-01-01"),
        ("I was born in 1990", "1990-01-01", "1991-01-01"),
        ("back in 2019", "2019-01-01", "2020-01-01"),
        ("Sept 3, 2021", "2021-09-03", "2021-09-04"),
        ("3rd of October 2020", "2020-10-03", "2020-10-04"),
        ("in December", "2022-12-01", "2023-01-01"),
        ("I'm going to Rome in December", "2023-12-01", "2024-01-01"),
        ("by Friday", "2023-05-26", "2023-05-27"),
        ("until Monday", "2023-05-29", "2023-05-30"),
        ("Christmas trip on 25 December 2022", "2022-12-25", "2022-12-26"),
        ("2021/03/04", "2021-03-04", "2021-03-05"),
        ("last winter", "2022-12-01", "2023-03-01"),
        ("next summer", "2023-06-01", "2023-09-01"),
    ],
)
def test_more_english_times_are_resolved(text, start, end):
    assert days(text) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "I run on Mondays",
        "every Friday I swim",
        "never deploy on a Friday",
        "always back up on Friday",
        "reports on Monday mornings",
        "每周五开会",
        "jeden Montag",
        "по пятницам",
    ],
)
def test_what_happens_every_week_has_no_date(text):
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("前天", "2023-05-23"),
        ("后天", "2023-05-27"),
        ("上个月", "2023-04-01"),
        ("去年", "2022-01-01"),
        ("前年的三月", "2021-03-01"),
        ("今年元旦", "2023-01-01"),
        ("去年端午", "2022-06-03"),
        ("半个月前", "2023-05-01"),
        ("两周后", "2023-06-05"),
        ("这周日", "2023-05-28"),
        ("昨晚", "2023-05-24"),
        ("vorgestern", "2023-05-23"),
        ("nächste Woche", "2023-05-29"),
        ("vor zwei Jahren", "2021-01-01"),
        ("in drei Tagen", "2023-05-28"),
        ("letzten Sommer", "2022-06-01"),
        ("позавчера", "2023-05-23"),
        ("в прошлом году", "2022-01-01"),
        ("в следующем месяце", "2023-06-01"),
        ("пять лет назад", "2018-01-01"),
        ("в мае", "2023-05-01"),
        ("el mes pasado", "2023-04-01"),
        ("le mois dernier", "2023-04-01"),
        ("다음 주", "2023-05-29"),
        ("작년", "2022-01-01"),
    ],
)
def test_more_times_in_other_languages_are_resolved(text, start):
    assert first_day(text) == start


@pytest.mark.parametrize(("month", "day"), [(5, 5), (12, 5)])
@pytest.mark.parametrize(("text", "year"), [("去年夏天", 2025), ("今年夏天", 2026), ("明年夏天", 2027)])
def test_a_chinese_year_before_a_season_is_that_calendar_year(text, year, month, day):
    (mention,) = find_dates(text, said_at=datetime(2026, month, day, 12, tzinfo=UTC), time_zone="UTC")
    assert mention.range == TimeRange(datetime(year, 6, 1, tzinfo=UTC), datetime(year, 9, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("My sister gets married on 12 June.", 2027),
        ("The conference starts on 12 June.", 2027),
        ("The exam is on 12 June.", 2027),
        ("My sister got married on 12 June.", 2026),
        ("The exam was on 12 June.", 2026),
        ("She moved on 12 June and is happy.", 2026),
    ],
)
def test_a_day_without_a_year_follows_the_tense(text, year):
    (mention,) = find_dates(text, said_at=datetime(2026, 11, 30, 12, tzinfo=UTC), time_zone="UTC")
    assert mention.range.start == datetime(year, 6, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [("El viernes que viene tengo una cita.", 4), ("La semana que viene viajo a Madrid.", 7)],
)
def test_spanish_names_what_is_to_come(text, day):
    (mention,) = find_dates(text, said_at=datetime(2026, 11, 30, 12, tzinfo=UTC), time_zone="UTC")
    assert mention.range.start == datetime(2026, 12, day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Ich habe morgen einen Termin.",
        "Morgen fliege ich nach Rom.",
        "Morgen um 8 muss ich los.",
        "Alles gut. Morgen kommt der Maler.",
        "Ich komme morgen früh.",
        "bis morgen!",
    ],
)
def test_german_morgen_is_tomorrow(text):
    assert days(text) == [("2023-05-26", "2023-05-27")]


@pytest.mark.parametrize(
    "text",
    [
        "Jeden Morgen trinke ich Tee.",
        "Guten Morgen!",
        "guten morgen",
        "Am Morgen jogge ich.",
        "Der Morgen war kalt.",
        "Morgens trinke ich Tee.",
    ],
)
def test_a_german_morning_is_no_day(text):
    assert days(text) == []


def test_heute_morgen_is_today():
    assert (
        days("Heute Morgen war ich müde.")
        == days("heute morgen war ich müde")
        == [("2023-05-25", "2023-05-26")]
    )


@pytest.mark.parametrize("verb", ["moved to", "postponed to", "rescheduled for", "pushed to"])
def test_what_was_put_off_is_to_come(verb):
    assert days(f"The meeting has been {verb} Monday.") == [("2023-05-29", "2023-05-30")]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/New_York"])
@pytest.mark.parametrize("year", [GIVEN_YEARS[0], GIVEN_YEARS[-1]])
def test_what_may_be_given_has_a_local_time_and_days_around_it_everywhere(zone, year):
    at = datetime(year, 1, 1, tzinfo=UTC)
    assert is_given_year(at)
    assert at.astimezone(zone_of(zone)).tzinfo is not None
    assert find_dates("Yesterday we met, and in 3 years we fly.", said_at=at, time_zone=zone) == []


@pytest.mark.parametrize("year", [1, GIVEN_YEARS[0] - 1, GIVEN_YEARS[-1] + 1, 9999])
def test_an_instant_near_the_ends_of_the_calendar_may_not_be_given(year):
    assert not is_given_year(datetime(year, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("The fair is from 3 to 7 June.", "2023-06-03", "2023-06-08"),
        ("The conference runs 3–7 June", "2023-06-03", "2023-06-08"),
        ("We were in Rome from May 3 to 7.", "2023-05-03", "2023-05-08"),
        ("We were in Rome May 3rd-7th, 2021", "2021-05-03", "2021-05-08"),
        ("It rained between 3 and 7 May", "2023-05-03", "2023-05-08"),
        ("Die Messe war vom 3. bis 7. Mai.", "2023-05-03", "2023-05-08"),
        ("Le salon était du 3 au 7 mai 2022", "2022-05-03", "2022-05-08"),
        ("La feria es del 3 al 7 de junio", "2023-06-03", "2023-06-08"),
        ("Выставка с 3 по 7 июня", "2023-06-03", "2023-06-08"),
        ("展会是5月3日到7日", "2024-05-03", "2024-05-08"),
        ("The exam is on the first of June.", "2023-06-01", "2023-06-02"),
        ("ends on the twenty-second of June 2027", "2027-06-22", "2027-06-23"),
        ("born March the first, 1990", "1990-03-01", "1990-03-02"),
        ("Am ersten März war es kalt", "2023-03-01", "2023-03-02"),
        ("le 1er mars 2020", "2020-03-01", "2020-03-02"),
        ("le premier mars 2020", "2020-03-01", "2020-03-02"),
        ("el primero de marzo de 2020", "2020-03-01", "2020-03-02"),
        ("Двадцать второго апреля мы уехали", "2023-04-22", "2023-04-23"),
        ("2020年三月一日", "2020-03-01", "2020-03-02"),
        ("Le mariage est le 12 septembre.", "2023-09-12", "2023-09-13"),
        ("La boda es el 12 de septiembre.", "2023-09-12", "2023-09-13"),
        ("Свадьба 12 сентября.", "2023-09-12", "2023-09-13"),
        ("婚礼在9月12日", "2023-09-12", "2023-09-13"),
        ("nous avons déménagé en avril", "2023-04-01", "2023-05-01"),
        ("nos mudamos en abril", "2023-04-01", "2023-05-01"),
        ("我们在四月搬家", "2023-04-01", "2023-05-01"),
    ],
)
def test_days_from_to_and_in_words_are_resolved(text, start, end):
    assert days(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Er ist am 12. Oktober gestorben", "2022-10-12"),
        ("Il est né le 12 septembre", "2022-09-12"),
        ("Мы переехали 12 сентября", "2022-09-12"),
        ("我在9月12日出生", "2022-09-12"),
        ("Our stalls on 3 and 7 May", "2023-05-07"),
        ("from 12 to 3 May", "2023-05-03"),
    ],
)
def test_what_was_and_two_days_apart_are_no_days_to_come_and_no_period(text, start):
    assert first_day(text) == start


@pytest.mark.parametrize(
    "text", ["first of all", "You may first want tea", "the second march", "我等了四个月"]
)
def test_ordinals_and_counts_alone_are_no_days(text):
    assert days(text) == []

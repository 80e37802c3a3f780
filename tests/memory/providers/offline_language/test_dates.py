"""Mentions of time become validity, and are written into the text that keeps them."""

from datetime import UTC, datetime

import pytest

from memory.domain.types import MemoryType, Temporal
from memory.providers.offline_language.dates import are_apart, find_mentions, temporal_of, write_dates
from tests.memory.talking import talk

(TURN,) = talk(("Alice", "…"), at=datetime(2026, 5, 7, 10, tzinfo=UTC))  # a Thursday


def day(month: int, day_: int, year: int = 2026) -> datetime:
    return datetime(year, month, day_, tzinfo=UTC)


def temporal(sentence: str, memory_type=MemoryType.EVENT, *, is_slot=False) -> Temporal:
    mentions = find_mentions(sentence, TURN, language="en", time_zone="UTC")
    return temporal_of(sentence, mentions, memory_type, is_slot=is_slot)


def mentions_of(sentence: str):
    return find_mentions(sentence, TURN, language="en", time_zone="UTC")


class TestApart:
    def test_two_days_are_apart(self):
        assert are_apart(mentions_of("I met Li yesterday"), mentions_of("I fly tomorrow"))

    def test_a_day_of_the_month_named_before_is_not(self):
        assert not are_apart(mentions_of("We met in May 2024"), mentions_of("It was on 3 May 2024"))

    def test_no_date_is_apart_from_none(self):
        assert not are_apart([], mentions_of("I fly tomorrow"))
        assert not are_apart(mentions_of("I fly tomorrow"), [])


class TestValidity:
    def test_an_event_with_an_hour_holds_from_then_on(self):
        noon = datetime(2026, 5, 8, 12, tzinfo=UTC)
        assert temporal("Ruth arrives tomorrow at noon.") == Temporal(noon, noon, day(5, 9))
        assert temporal("I have a key since yesterday at 9am.").valid_from == datetime(
            2026, 5, 6, 9, tzinfo=UTC
        )
        assert temporal("The offer holds until tomorrow at noon.").valid_to == noon

    def test_an_event_holds_while_its_day_lasts(self):
        assert temporal("I went yesterday") == Temporal(day(5, 6), day(5, 6), day(5, 7))

    def test_since_opens(self):
        assert temporal("I have been here since 2016") == Temporal(day(1, 1, 2016), day(1, 1, 2016), None)

    def test_until_closes(self):
        assert temporal("It is open until tomorrow", MemoryType.FACT) == Temporal(day(5, 8), None, day(5, 9))

    @pytest.mark.parametrize(
        ("sentence", "first", "end"),
        [
            ("I lived in Rome from 2010 to 2014.", day(1, 1, 2010), day(1, 1, 2015)),
            ("I worked in Rome between 2015 and 2018.", day(1, 1, 2015), day(1, 1, 2019)),
            ("From 3 May to 5 May I was in Oslo", day(5, 3), day(5, 6)),
            ("I was ill from last Monday until yesterday.", day(5, 4), day(5, 7)),
            ("Von 2010 bis 2014 wohnte ich in Rom.", day(1, 1, 2010), day(1, 1, 2015)),
            ("De 2010 à 2014 j'ai vécu à Rome", day(1, 1, 2010), day(1, 1, 2015)),
            ("С 2010 по 2014 год я жила в Риме.", day(1, 1, 2010), day(1, 1, 2015)),
            ("2010年到2014年我住在罗马。", day(1, 1, 2010), day(1, 1, 2015)),
        ],
    )
    @pytest.mark.parametrize("is_slot", [True, False])
    def test_a_period_opens_and_closes(self, sentence, first, end, is_slot):
        assert temporal(sentence, is_slot=is_slot) == Temporal(first, first, end)

    @pytest.mark.parametrize(
        "sentence",
        ["I saw Omar on 3 May and on 5 May.", "The talk was moved from 3 May to 5 May."],
    )
    def test_two_days_are_no_period(self, sentence):
        assert temporal(sentence) == Temporal(day(5, 3), day(5, 3), day(5, 4))

    def test_an_attribute_holds_from_then_on(self):
        moved = temporal("I moved to Berlin last month", MemoryType.FACT, is_slot=True)
        assert moved == Temporal(day(4, 1), day(4, 1), None)

    def test_an_attribute_that_held_until_then_does_not_begin_there(self):
        worked = temporal("I worked as a nurse until April 2026", MemoryType.FACT, is_slot=True)
        assert worked == Temporal(day(4, 1), None, day(5, 1))

    @pytest.mark.parametrize("memory_type", [MemoryType.EVENT, MemoryType.FACT])
    @pytest.mark.parametrize("sentence", ["The fair is from 8 to 12 May", "Выставка с 8 по 12 мая"])
    def test_days_from_to_are_a_period(self, sentence, memory_type):
        assert temporal(sentence, memory_type) == Temporal(day(5, 8), day(5, 8), day(5, 13))

    def test_a_fact_only_speaks_of_a_moment(self):
        assert temporal("I like what I saw yesterday", MemoryType.PREFERENCE) == Temporal(ref=day(5, 6))

    def test_without_mention_nothing_is_said(self):
        assert temporal("I like tea") == Temporal()


class TestWriting:
    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ("I went yesterday.", "I went yesterday (2026-05-06)."),
            ("I went last week!", "I went last week (2026-04-27/2026-05-03)!"),
            ("It was last month", "It was last month (2026-04)"),
            ("It was last year", "It was last year (2025)"),
            ("Born on 8 May 1990", "Born on 8 May 1990"),
            ("We meet on 12 May.", "We meet on 12 May (2026-05-12)."),
            ("We meet on 12 May. ", "We meet on 12 May (2026-05-12). "),
            ("The fair is from 8 to 12 May.", "The fair is from 8 to 12 May (2026-05-08/2026-05-12)."),
            ("I go there for my birthday on 12 May.", "I go there for my birthday on 12 May."),
            ("last week's recap", "last week's recap"),
            ("我昨天去了", "我昨天(2026-05-06)去了"),
        ],
    )
    def test_a_relative_time_is_followed_by_its_date(self, said, kept):
        mentions = find_mentions(said, TURN, language="en", time_zone="UTC")
        assert write_dates(said, mentions, "UTC") == kept

    def test_dates_are_those_of_the_speakers_zone(self):
        mentions = find_mentions("tomorrow", TURN, language="en", time_zone="Pacific/Auckland")
        assert write_dates("tomorrow", mentions, "Pacific/Auckland") == "tomorrow (2026-05-08)"


class TestOtherLanguages:
    @pytest.mark.parametrize(
        ("sentence", "language", "first"),
        [
            ("Ieri sono andata al mare", "it", day(5, 6)),
            ("Ontem fui à praia", "pt", day(5, 6)),
            ("Gisteren was ik ziek", "nl", day(5, 6)),
            ("Nato il 12 luglio 2024 a Roma", "it", day(7, 12, 2024)),
        ],
    )
    def test_a_parser_of_many_languages_reads_what_our_rules_do_not(self, sentence, language, first):
        (mention,) = find_mentions(sentence, TURN, language=language, time_zone="UTC")
        assert mention.range.start == first

    @pytest.mark.parametrize("sentence", ["Ho 12 gatti neri", "Sono andata al mare", "10 euro 9999"])
    def test_what_is_no_date_gives_none(self, sentence):
        assert find_mentions(sentence, TURN, language="it", time_zone="UTC") == []

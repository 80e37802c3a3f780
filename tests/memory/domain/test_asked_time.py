"""A question of nothing but a time is known as such, in the asker's zone."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.domain.asked_time import AskedTime, asked_time

NOW = datetime(2026, 5, 4, 22, 30, tzinfo=UTC)  # half past midnight on Tuesday, in Berlin
TODAY = datetime(2026, 5, 4, 22, tzinfo=UTC)
DAY = timedelta(days=1)


def ask(text: str) -> AskedTime | None:
    return asked_time(text, now=NOW, time_zone="Europe/Berlin")


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you yesterday?",
        "What have we talked about yesterday",
        "Can you remember what we discussed yesterday?",
        "List everything I told you yesterday.",
        "Was habe ich dir gestern erzählt?",
        "Worüber haben wir gestern gesprochen?",
        "De quoi avons-nous parlé hier ?",
        "¿Qué te he dicho ayer?",
        "О чём мы говорили вчера?",
        "昨天我跟你说了什么？",
        "昨日何を話しましたか？",
    ],
)
def test_what_was_said_in_a_time(question):
    asked = ask(question)
    assert asked is not None
    assert asked.is_of_talk
    assert (asked.range.start, asked.range.end) == (TODAY - DAY, TODAY)


@pytest.mark.parametrize(
    "question", ["What happened yesterday?", "Was ist gestern passiert?", "昨天发生了什么？"]
)
def test_what_was_the_case_in_a_time(question):
    asked = ask(question)
    assert asked is not None
    assert not asked.is_of_talk
    assert asked.range.start == TODAY - DAY


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you about Rex yesterday?",
        "What did Ann do yesterday?",
        "What did I eat yesterday?",
        "What did I tell you?",  # no time
        "Yesterday",  # neither telling nor asking
        "昨天我吃了什么？",
        "",
    ],
)
def test_a_question_that_names_something_else_is_none(question):
    assert ask(question) is None


def test_several_dates_are_one_span_of_time():
    asked = ask("What did I tell you yesterday and today?")
    assert asked is not None
    assert (asked.range.start, asked.range.end) == (TODAY - DAY, TODAY + DAY)


@pytest.mark.parametrize("question", ["What happens on 1 December?", "What happened on 1 December 2025?"])
def test_what_happens_in_a_time_asks_for_nothing_else(question):
    asked = ask(question)
    assert asked is not None
    assert not asked.is_of_talk
    assert (asked.range.end - asked.range.start) == DAY


def test_what_happens_on_a_day_of_the_year_is_still_to_come():
    asked = ask("What happens on 1 March?")
    assert asked is not None
    assert asked.range.start == datetime(2027, 2, 28, 23, tzinfo=UTC)
    asked = ask("What happened on 1 March?")
    assert asked is not None
    assert asked.range.start == datetime(2026, 2, 28, 23, tzinfo=UTC)

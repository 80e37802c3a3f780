"""A question of when gets the date of what it asks about, or none."""

from datetime import UTC, datetime

import pytest

from memory.domain.types import Hit, Question, Temporal, TimeRange
from memory.ports import AnswerRequest
from memory.providers.offline_language.answerer import compose_answer
from memory.providers.offline_language.moments import is_of_time, mentions_of
from tests.memory.talking import record_hit, turn_hit

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)  # a Monday
TIMELESS = Temporal()
TWO = "Alice's exam is on 3 March 2027 and the trip starts next Friday."


def ask(text: str, hit: Hit) -> str:
    return compose_answer(AnswerRequest(Question(text, NOW, "UTC"), (hit,), context="", window=()))


def heading(question: str, text: str, temporal: Temporal = TIMELESS) -> str:
    before, dash, _ = ask(question, record_hit(text, at=NOW, temporal=temporal)).partition(" — ")
    return before if dash else ""


class TestSeveralDates:
    @pytest.mark.parametrize(
        ("question", "shown"),
        [
            ("When does the trip start?", "4 December 2026"),
            ("When is Alice's exam?", "3 March 2027"),
            ("When does Alice sing?", ""),
        ],
    )
    def test_the_clause_that_speaks_of_the_question_gives_the_date(self, question, shown):
        assert heading(question, TWO) == shown

    def test_what_was_moved_has_the_new_date(self):
        text = "We moved the release from Friday (2026-11-27) to next Tuesday (2026-12-01)."
        assert heading("When is our release?", text) == "1 December 2026"
        assert heading("When is our release?", "The release moved from Friday to next Tuesday.") == (
            "1 December 2026"
        )

    def test_two_dates_of_one_clause_give_none(self):
        assert heading("When did Bo see the sea?", "Bo saw the sea on 3 May 2021 or 9 May 2021.") == ""

    def test_the_same_date_twice_is_one(self):
        assert heading("When did Bo swim?", "Bo swam yesterday (2026-11-29).") == "29 November 2026"


class TestOneDate:
    def test_of_a_clause_about_something_else_is_none(self):
        text = "Never deploy on a Friday, that broke everything in March."
        assert heading("When should we deploy?", text) == ""

    @pytest.mark.parametrize(
        "text",
        [
            "On 3 May 2021, Mia was born.",
            "Mia was born, it was on 3 May 2021.",
            "Mia was born on May 3, 2021 in Cork, and slept.",
        ],
    )
    def test_that_stands_apart_belongs_to_what_it_stands_beside(self, text):
        assert heading("When was Mia born?", text) == "3 May 2021"

    def test_of_the_record_serves_when_the_text_names_none(self):
        at = datetime(2026, 5, 6, tzinfo=UTC)
        assert heading("When did Bo swim?", "Bo swam.", temporal=Temporal(at)) == "6 May 2026"


@pytest.mark.parametrize("question", ["When should we not deploy?", "When shouldn't we deploy?"])
def test_a_question_of_when_not_gets_no_date(question):
    text = "Never deploy on a Friday, that broke everything in March."
    assert ask(question, record_hit(text, at=NOW)) == f"{text} [1]"


def test_a_date_added_to_a_week_leaves_the_week():
    text = "Bo swam last week (2026-11-23/2026-11-29)."
    (mention,) = mentions_of(text, record_hit(text, at=NOW), Question("", NOW, "UTC"))
    assert mention.grain == "week"
    assert mention.range.end == datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("I go to Rome next week", False), ("I went to Rome on 6 May 2026", False), ("I am in Rome", True)],
)
def test_a_turn_is_of_the_time_it_names_or_was_said_in(text, expected):
    day = TimeRange(datetime(2026, 5, 7, tzinfo=UTC), datetime(2026, 5, 8, tzinfo=UTC))
    asked = Question("What happens today?", datetime(2026, 5, 7, 12, tzinfo=UTC), "UTC")
    assert is_of_time(turn_hit("Alice", text), asked, day) is expected

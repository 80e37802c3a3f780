"""Questions to plans by rules: type, time, names, routes."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.domain.types import Question, TimeRange
from memory.providers.offline_language.planner import plan_question, question_type_of
from tests.memory.talking import talk

NOON = datetime(2026, 5, 8, 12, tzinfo=UTC)


def ask(text: str, *, now: datetime = NOON, time_zone: str = "UTC", recent=()):
    return plan_question(Question(text, now, time_zone, tuple(recent)))


@pytest.mark.parametrize(
    ("text", "question_type"),
    [
        ("When did Ann move?", "temporal"),
        ("How long has Ben had his dog?", "temporal"),
        ("Seit wann wohnt Ann hier?", "temporal"),
        ("小明什么时候搬家？", "temporal"),
        ("How many books has Ann read?", "aggregate"),
        ("Which books did Ann read?", "aggregate"),
        ("What instruments does she play?", "aggregate"),
        ("What do Ann and Ben have in common?", "comparison"),
        ("Can you recommend a film?", "personalized_advice"),
        ("What should I cook?", "personalized_advice"),
        ("What did you recommend for dinner?", "prior_assistant_response"),
        ("你之前说什么？", "prior_assistant_response"),
        ("Where does Ann live?", "single"),
        ("", "single"),
    ],
)
def test_the_type_follows_the_cue_words(text, question_type):
    assert question_type_of(text) == question_type


class TestTime:
    def test_yesterday_is_a_whole_day_of_the_askers_zone(self):
        now = datetime(2026, 5, 8, 20, tzinfo=UTC)  # already the 9th in Shanghai
        assert ask("What did I do yesterday?", now=now, time_zone="Asia/Shanghai").routes[0].time_range == (
            TimeRange(datetime(2026, 5, 7, 16, tzinfo=UTC), datetime(2026, 5, 8, 16, tzinfo=UTC))
        )

    @pytest.mark.parametrize(("month", "day", "hours"), [(3, 30, 23), (10, 26, 25)])
    def test_the_day_of_a_clock_change_has_23_or_25_hours(self, month, day, hours):
        now = datetime(2026, month, day, 12, tzinfo=UTC)
        span = ask("What did I do yesterday?", now=now, time_zone="Europe/Berlin").routes[0].time_range
        assert span is not None
        assert span.end - span.start == timedelta(hours=hours)

    def test_no_date_is_no_range(self):
        assert ask("Where does Ann live?").routes[0].time_range is None


class TestRoutes:
    def test_there_is_one_with_the_question_as_its_query(self):
        (route,) = ask("Where does Ann live?").routes
        assert route.queries == ("Where does Ann live?",)

    def test_a_follow_up_is_also_searched_with_what_it_follows(self):
        recent = talk(("Alice", "My sister Clara is a dentist."), ("", "Noted."))
        (route,) = ask("And where does she live?", recent=recent).routes
        assert route.queries[1] == "My sister Clara is a dentist. And where does she live?"

    def test_a_question_that_stands_alone_is_not(self):
        recent = talk(("Alice", "My sister Clara is a dentist."))
        assert len(ask("Where does Ben live?", recent=recent).routes[0].queries) == 1

    def test_a_giant_question_is_cut_not_refused(self):
        plan = ask("why did Ann leave " * 20_000)
        assert len(plan.routes[0].queries[0]) <= 2_000

    def test_a_request_to_do_something_is_an_action(self):
        assert ask("Please write a mail to Ben").mode == "action"
        assert ask("Where is Ben?").mode == "answer"

    def test_a_request_that_also_asks_is_mixed_and_deeper(self):
        plan = ask("Please write a mail to Ben. Where does he live?")
        assert (plan.mode, plan.tree_depth) == ("mixed", 10)
        assert ask("Where is Ben?").tree_depth == 5
        assert ask("How many books has Ann read?").tree_depth == 15

    def test_each_joined_need_has_a_route_of_its_own_after_the_whole(self):
        whole, first, second = ask("When did Ann move and where does Ben work?").routes
        assert whole.queries == ("When did Ann move and where does Ben work?",)
        assert [first.queries, second.queries] == [("When did Ann move",), ("where does Ben work?",)]

    def test_each_route_has_the_time_that_it_names(self):
        whole, first, second = ask("What did Ann do yesterday, and where was she in March?").routes
        assert whole.time_range
        assert first.time_range
        assert second.time_range
        assert (first.time_range.start.day, first.time_range.end.day) == (7, 8)
        assert second.time_range.start.month == 3

    def test_names_are_listed_as_written(self):
        assert ask("Where did Ann meet Ben Stone?").names == ("Ann", "Ben Stone")


@pytest.mark.parametrize("text", ["thanks!", "Hello there", "Great, thank you so much!", "谢谢", "你好"])
def test_small_talk_needs_no_recall(text):
    plan = ask(text)
    assert plan.is_small_talk
    assert plan.routes == ()


@pytest.mark.parametrize(
    "text", ["Thanks! Where does Ann live?", "Where is Rex", "My dog is called Rex.", ""]
)
def test_what_asks_or_tells_is_no_small_talk(text):
    assert not ask(text).is_small_talk

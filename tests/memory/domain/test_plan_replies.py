"""A reply becomes a plan inside its bounds; nothing of it is worth a second call."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.domain.plan_replies import read_plan
from memory.domain.replies import Fault, Unreadable
from memory.domain.types import ActionState, Answered, Plan, Route, TimeRange
from tests.memory.prompting import question, turn

ASKED = question("Where did Rose live in 2022?", zone="Europe/Berlin")
GOOD = {
    "mode": "answer",
    "question_type": "temporal",
    "names": ["Rose"],
    "routes": [
        {
            "goal": "where Rose lived",
            "queries": ["Rose lives in", "moved to"],
            "time_range": {"start": "2022-01-01", "end": "2023-01-01"},
        }
    ],
    "draft": "Rose lived in Paris.",
}


def plan(of=ASKED, **changes: object) -> Plan:
    made = read_plan(json.dumps({**GOOD, **changes}), of)
    assert isinstance(made, Plan), made
    return made


def test_a_good_plan_is_read_whole() -> None:
    start, end = datetime(2021, 12, 31, 23, tzinfo=UTC), datetime(2022, 12, 31, 23, tzinfo=UTC)
    assert plan() == Plan(
        mode="answer",
        question_type="temporal",
        routes=(Route("where Rose lived", ("Rose lives in", "moved to"), TimeRange(start, end)),),
        names=("Rose",),
        origin="model",
        draft="Rose lived in Paris.",
    )


@pytest.mark.parametrize(
    "text", ["", "I cannot do that.", "{}", "[]", "null", '{"answer": "Paris"}', "<think>…"]
)
def test_a_reply_that_is_no_plan_says_so(text: str) -> None:
    assert isinstance(read_plan(text, ASKED), Unreadable)


def test_a_cut_plan_is_told_apart() -> None:
    made = read_plan(json.dumps(GOOD), ASKED, is_cut=True)
    assert isinstance(made, Unreadable)
    assert made.fault is Fault.CUT


@pytest.mark.parametrize("routes", [None, [], [None, 3, {}], [{"queries": [""]}], "", {}])
def test_without_a_usable_route_the_question_is_its_own_query(routes: object) -> None:
    made = plan(routes=routes)
    assert made.routes == (Route("", (ASKED.text,)),)
    assert "the question itself" in made.notes[0]


@pytest.mark.parametrize(
    ("routes", "queries"),
    [
        (["Rose lives in"], [("Rose lives in",)]),
        ("Rose lives in", [("Rose lives in",)]),
        ({"goal": "g", "queries": "q"}, [("q",)]),
        ([{"query": "q"}], [("q",)]),
        ([{"goal": "only a goal"}], [("only a goal",)]),
    ],
)
def test_the_forms_models_give_routes_are_understood(routes: object, queries: list[tuple[str, ...]]) -> None:
    assert [route.queries for route in plan(routes=routes).routes] == queries


def test_routes_and_queries_are_bounded() -> None:
    many = [{"goal": f"g{n}", "queries": [f"q{n} {m}" for m in range(9)]} for n in range(9)]
    made = plan(routes=many)
    assert len(made.routes) == 6
    assert all(len(route.queries) == 6 for route in made.routes)


def test_small_talk_needs_no_route() -> None:
    made = plan(small_talk=True, routes=[])
    assert made.is_small_talk
    assert made.routes == ()
    assert made.notes == ()


def test_small_talk_with_routes_is_none() -> None:
    assert not plan(small_talk=True).is_small_talk


@pytest.mark.parametrize(
    ("given", "mode", "kind"),
    [
        ({"mode": "ACTION", "question_type": "Personalized Advice"}, "action", "personalized_advice"),
        ({"mode": "chat", "question_type": "riddle"}, "answer", "other"),
        ({"mode": None, "question_type": 3}, "answer", "other"),
    ],
)
def test_unknown_modes_and_types_have_a_default(given: dict[str, object], mode: str, kind: str) -> None:
    made = plan(**given)
    assert (made.mode, made.question_type) == (mode, kind)


def test_names_that_nobody_said_are_left_out() -> None:
    of = question("Where does she live?", turn(0, "My sister Rose called."))
    assert plan(of, names=["rose", "Melanie", "Alice"]).names == ("rose", "Alice")


@pytest.mark.parametrize(
    "time_range",
    [
        {"start": "2022-01-01"},
        {"end": "2022-01-01"},
        {"start": "0000-01-01", "end": "2022-01-01"},
        {"start": "x", "end": 3},
        {"start": "2022-05-01", "end": "2022-01-01"},
    ],
)
def test_half_a_time_range_is_none_and_noted(time_range: dict[str, object]) -> None:
    made = plan(routes=[{"queries": ["q"], "time_range": time_range}])
    assert made.routes[0].time_range is None
    assert "time range" in made.notes[0]


def test_an_empty_time_range_is_no_fault() -> None:
    made = plan(routes=[{"queries": ["q"], "time_range": {"start": "", "end": ""}}])
    assert made.notes == ()


def test_a_single_day_as_both_ends_means_the_whole_day() -> None:
    made = plan(routes=[{"queries": ["q"], "time_range": {"start": "2022-05-07", "end": "2022-05-07"}}])
    assert made.routes[0].time_range == TimeRange(
        datetime(2022, 5, 6, 22, tzinfo=UTC), datetime(2022, 5, 7, 22, tzinfo=UTC)
    )


def test_the_day_on_which_clocks_change_has_23_hours() -> None:
    made = plan(routes=[{"queries": ["q"], "time_range": {"start": "2022-03-27", "end": "2022-03-28"}}])
    assert made.routes[0].time_range is not None
    assert (made.routes[0].time_range.end - made.routes[0].time_range.start).total_seconds() == 23 * 3600


def test_the_action_state_and_hints_are_kept() -> None:
    made = plan(
        mode="action",
        action={
            "tentative": "book a flight",
            "constraints": ["under 200"],
            "failure": "",
            "missing": ["date"],
        },
        tool_hints=["flights"],
        required_constraints=["no night flights"],
        tree_depth=99,
        top_k="0",
    )
    assert made.action == ActionState("book a flight", ("under 200",), "", ("date",))
    assert (made.tool_hints, made.required_constraints) == (("flights",), ("no night flights",))
    assert (made.tree_depth, made.top_k) == (15, 1)


def test_a_long_question_makes_a_short_query() -> None:
    of = question("word " * 5_000)
    assert len(plan(of, routes=[]).routes[0].queries[0]) <= 300


@pytest.mark.parametrize(
    ("given", "read"),
    [("success", "success"), ("Correction", "correction"), ("fail", "fail"), ("great", ""), (1, "")],
)
def test_what_came_of_the_answer_before_is_read_where_it_was_asked(given: object, read: str) -> None:
    asked = replace(ASKED, previous=Answered("How?", "So."))
    assert plan(asked, previous_outcome=given).previous_outcome == read
    assert plan(ASKED, previous_outcome=given).previous_outcome == ""

"""The stages of a stored answer, in words."""

from copy import deepcopy
from typing import Any

import pytest

from sessions_app.views.stages import stages_of

TRACE: dict[str, Any] = {
    "wm_manager": {"turns": 1, "tokens": 9, "note": "", "ms": 2.4},
    "search": {"found": 5, "kept": 2, "notes": [], "ms": 30.6},
    "reason": {"model": "offline", "notes": [], "ms": 4.0},
}
DEEP = {
    **TRACE,
    "search": {**TRACE["search"], "effort": "deep"},
    "synthesize": {"scores": [0.9, 0.1], "kept": [1], "model": "m", "notes": [], "ms": 9.0},
}


def without(*steps: str) -> dict[str, Any]:
    return {step: fragment for step, fragment in TRACE.items() if step not in steps}


def test_every_stage_is_told_with_its_time_and_figures():
    stages = [(stage.label, stage.ms, stage.words) for stage in stages_of(TRACE, "complete")]
    assert stages == [
        ("Working memory", "2 ms", "1 turn · 9 tokens"),
        ("Recall", "31 ms", "5 looked at, 2 recalled"),
        ("Answer", "4 ms", "offline"),
    ]


@pytest.mark.parametrize(
    ("step", "field", "value", "words", "state"),
    [
        ("wm_manager", "summaries", [{"turns": 40}], "40 summarised · 1 turn · 9 tokens", "done"),
        ("wm_manager", "note", "Two were left out.", "1 turn · 9 tokens · Two were left out.", "done"),
        ("wm_manager", "tokens", 115_500, "1 turn · 115,500 tokens", "done"),
        ("search", "skills", 2, "5 looked at, 2 recalled · 2 skills", "done"),
        ("search", "notes", ["No reranker."], "5 looked at, 2 recalled · No reranker.", "degraded"),
        ("reason", "notes", ["By rules."], "offline · By rules.", "degraded"),
    ],
)
def test_what_degraded_is_told_at_its_stage(step, field, value, words, state):
    trace = deepcopy(TRACE)
    trace[step][field] = value
    assert (words, state) in [(stage.words, stage.state) for stage in stages_of(trace, "complete")]


@pytest.mark.parametrize(
    ("trace", "failed_at"), [(without("reason"), "Answer"), (without("search", "reason"), "Recall")]
)
def test_an_answer_that_broke_off_shows_where(trace, failed_at):
    *done, failed = stages_of(trace, "interrupted")
    assert (failed.label, failed.state) == (failed_at, "failed")
    assert {stage.state for stage in done} == {"done"}


def test_why_an_answer_broke_off_is_told_where_it_did():
    told = "example.org did not answer in time."
    trace = {"wm_manager": TRACE["wm_manager"], "failure": {"code": "provider_unavailable", "detail": told}}
    assert [stage.words for stage in stages_of(trace, "interrupted")][-1] == told


def test_condensing_is_told_between_recall_and_answer():
    stages = [(stage.label, stage.words, stage.state) for stage in stages_of(DEEP, "complete")]
    assert stages[2] == ("Condensing", "1 of 2 of use", "done")
    assert [label for label, *_ in stages] == ["Working memory", "Recall", "Condensing", "Answer"]


def test_a_failure_while_condensing_is_told_there():
    begun = {step: fragment for step, fragment in DEEP.items() if step in ("wm_manager", "search")}
    assert [stage.label for stage in stages_of(begun, "interrupted")][-1] == "Condensing"
    nothing = {**begun, "search": {**begun["search"], "kept": 0}}
    assert [stage.label for stage in stages_of(nothing, "interrupted")][-1] == "Answer"


@pytest.mark.parametrize("state", ["complete", "interrupted"])
def test_without_a_trace_there_are_no_stages(state):
    assert stages_of({}, state) == ()

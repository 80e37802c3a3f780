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
        ("wm_manager", "note", "Two were left out.", "1 turn · 9 tokens · Two were left out.", "done"),
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


@pytest.mark.parametrize("state", ["complete", "interrupted"])
def test_without_a_trace_there_are_no_stages(state):
    assert stages_of({}, state) == ()

"""Traces are JSON: cut, rounded, and without neighbours that prove nothing."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memory.domain.summaries import Summary
from memory.domain.types import Dropped, Effort, Kind, Plan, Recalled, Route, TimeRange
from sessions_app.domain.traces import (
    kept_trace,
    plan_trace,
    reason_trace,
    search_trace,
    synthesis_trace,
    window_trace,
)
from sessions_app.domain.types import Anchor, Grounds, Recollection, Window
from skills.domain.types import SkillHit
from tests.sessions_app.fakes import make_hit

ANCHOR = Anchor(
    id=uuid4(),
    first_turn=0,
    end_turn=42,
    summary=Summary(facts=("Rose sails.",)),
    tokens=60,
    covered_tokens=900,
    covered_turns=42,
    made_by="offline",
    made_at=datetime(2026, 1, 1, tzinfo=UTC),
)
DAY = TimeRange(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture
def recalled():
    hit = make_hit("x" * 1_000)
    neighbour = replace(hit.evidence[0], turn_id=uuid4(), is_neighbour=True)
    return Recalled(
        question="Where?",
        plan=Plan(routes=(Route(goal="the key", queries=("where key",), time_range=DAY),), names=("Ana",)),
        hits=(replace(hit, evidence=(*hit.evidence, neighbour)),),
        dropped=(Dropped(kind=Kind.RECORD, id=uuid4(), text="y" * 1_000, score=0.12345, reason="Too weak."),),
        context="",
        context_tokens=12,
        notes=("The reranker is away.",),
        timings_ms={"plan": 0.04, "rank": 12.345},
        log_id=None,
    )


def test_a_search_is_told_in_json(recalled):
    found = search_trace(Recollection(recalled), effort=Effort.STANDARD, took_ms=20.06)
    trace = json.loads(json.dumps(found))
    (hit,) = trace["hits"]
    assert (hit["number"], hit["kind"], hit["type"], hit["score"]) == (1, "turn", "episode", 0.8765)
    assert len(hit["text"]) == 300
    assert hit["text"].endswith("…")
    assert [turn["index"] for turn in hit["turns"]] == [3]
    (dropped,) = trace["dropped"]
    assert (dropped["score"], dropped["reason"]) == (0.1235, "Too weak.")
    assert trace["timings_ms"] == {"plan": 0.0, "rank": 12.3}
    assert (trace["ms"], trace["context_tokens"], trace["log_id"]) == (20.1, 12, None)
    assert trace["notes"] == ["The reranker is away."]


def test_a_plan_is_told_without_its_instants(recalled):
    trace = plan_trace(recalled.plan)
    assert trace["routes"] == [{"goal": "the key", "queries": ["where key"]}]
    assert (trace["names"], trace["origin"]) == (["Ana"], "offline")
    json.dumps(trace)


def test_condensing_is_told_by_item_and_kept_without_its_text(recalled):
    grounds = Grounds(Recollection(recalled), "The key [1].", frozenset({1}), (0.91234,), ("By rules.",), "m")
    told = synthesis_trace(grounds, took_ms=3.04)
    figures = {"model": "m", "scores": [0.9123], "kept": [1], "notes": ["By rules."], "ms": 3.0}
    assert told == {**figures, "context": "The key [1]."}
    assert kept_trace({"synthesize": told}) == {"synthesize": figures}
    assert synthesis_trace(replace(grounds, useful=None), took_ms=0)["kept"] == [1]


def test_a_window_is_told_in_numbers():
    window = Window(
        recent=(),
        tokens=10,
        session_tokens=30,
        used_tokens=30,
        budget_tokens=90,
        pressure=1 / 3,
        left_out=2,
        note="Cut.",
        summaries=(ANCHOR,),
    )
    trace = window_trace(window, turn_index=4, took_ms=1.26)
    assert trace == {
        "turn_index": 4,
        "turns": 0,
        "summaries": [{"first_turn": 0, "end_turn": 42, "turns": 42, "tokens": 60, "made_by": "offline"}],
        "tokens": 10,
        "session_tokens": 30,
        "used_tokens": 30,
        "budget_tokens": 90,
        "pressure": 0.3333,
        "left_out": 2,
        "note": "Cut.",
        "ms": 1.3,
    }


def test_an_answer_is_told_in_numbers():
    assert reason_trace(model="offline", pieces=3, kept=1, took_ms=2.0) == {
        "model": "offline",
        "pieces": 3,
        "kept": 1,
        "notes": [],
        "ms": 2.0,
    }


def test_what_is_kept_counts_what_was_recalled_and_holds_no_text_of_it(recalled):
    window = Window((), 10, 30, 30, 90, 0.3, 2, summaries=(ANCHOR,))
    told = window_trace(window, turn_index=4, took_ms=1.26)
    found = search_trace(Recollection(recalled), effort=Effort.STANDARD, took_ms=20.06)
    kept = kept_trace({"wm_manager": told, "search": found})
    assert kept["wm_manager"] == told
    assert kept["search"] == {
        "effort": "standard",
        "found": 2,
        "kept": 1,
        "skills": 0,
        "images": 0,
        "plan": {"mode": "answer", "question_type": "single", "is_small_talk": False, "origin": "offline"},
        "context_tokens": 12,
        "notes": ["The reranker is away."],
        "timings_ms": {"plan": 0.0, "rank": 12.3},
        "ms": 20.1,
    }
    assert "x" * 9 not in json.dumps(kept)


def test_of_an_answer_that_broke_off_early_little_is_kept():
    assert kept_trace({}) == {}


def test_a_skill_is_told_with_its_version_and_why(recalled):
    hit = SkillHit(uuid4(), 3, "x" * 1_000, "1. do", (), (), 0.87654, True, "It is near.")
    trace = search_trace(Recollection(recalled, (hit,)), effort=Effort.STANDARD, took_ms=1)
    (told,) = json.loads(json.dumps(trace))["skills"]
    assert len(told.pop("intent")) == 300
    assert told == {
        "id": str(hit.id),
        "version": 3,
        "score": 0.8765,
        "is_reusable": True,
        "reason": "It is near.",
    }

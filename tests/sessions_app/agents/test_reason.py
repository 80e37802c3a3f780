"""Which of the recalled items an answer rests on."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from memory.domain.types import Reader, RecallRequest
from sessions_app.agents import reason
from sessions_app.agents.reason import cited_ids, stream_answer, used_ids
from sessions_app.domain.types import Grounds, Recollection
from tests.sessions_app.fakes import ScriptedModel, ScriptedRecall, make_hit


@pytest.fixture
def recalled():
    nobody = ScriptedRecall()
    request = RecallRequest(
        question="Where?",
        reader=Reader(nobody.hit.id, nobody.hit.id),
        now=datetime(2026, 1, 1, tzinfo=UTC),
        time_zone="UTC",
    )
    return Recollection(replace(nobody(request), hits=tuple(make_hit(f"Fact {n}.") for n in range(3))))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It is under the mat [2].", [2]),
        ("Both [3] and [1], see [3].", [3, 1]),
        ("Nothing cited.", []),
        ("Out of range [0] [4] [999].", []),
        ("In one bracket [3, 1].", [3, 1]),
        ("Not one: [a] [12345] 2", []),
    ],
)
def test_citations_name_items_in_order_of_first_mention(recalled, text, numbers):
    assert cited_ids(text, recalled) == tuple(recalled.records.hits[n - 1].id for n in numbers)


def test_what_was_judged_of_no_use_and_not_shown_is_not_cited(recalled):
    hits = recalled.records.hits
    assert cited_ids("[1] [2, 3]", recalled, useful=frozenset({2})) == (hits[1].id,)


def test_the_model_gets_the_question_apart_from_what_came_before(recalled, monkeypatch):
    model = ScriptedModel("Fine.")
    monkeypatch.setattr(reason, "language_model", lambda: model)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    turns: list[Any] = [SimpleNamespace(text=text, images=()) for text in ("Earlier.", "Where?")]
    opened: Any = SimpleNamespace(
        request=SimpleNamespace(now=now, reference_time=None, time_zone="Asia/Tokyo"),
        window=SimpleNamespace(
            recent=tuple(turns),
            summaries=(SimpleNamespace(text="Before."),),
            skill_tokens=0,
            image_tokens=0,
            spare_tokens=0,
        ),
        withdrawn=frozenset({recalled.records.hits[0].id}),
    )
    reasoning = stream_answer(opened, Grounds.of(recalled))
    assert list(reasoning) == ["Fine."]
    assert (reasoning.shown, reasoning.notes) == (recalled, [])
    (request,) = model.requests
    assert request.question.summaries == ("Before.",)
    assert (request.question.text, request.question.now, request.question.time_zone) == (
        "Where?",
        now,
        "Asia/Tokyo",
    )
    assert (request.window, request.withdrawn) == ((turns[0],), opened.withdrawn)
    assert request.hits == recalled.records.hits


def test_an_answer_rests_on_no_skill_that_the_window_did_not_hold(recalled, monkeypatch):
    model = ScriptedModel("Fine.")
    monkeypatch.setattr(reason, "language_model", lambda: model)
    texts = ("Stir.", "Whisk well. " * 400)
    skills: Any = tuple(SimpleNamespace(id=uuid4(), text=text) for text in texts)
    monkeypatch.setattr(reason, "skill_texts", lambda hits: tuple(hit.text for hit in hits))
    recalled = replace(recalled, skills=skills)
    opened: Any = SimpleNamespace(
        request=SimpleNamespace(now=None, reference_time=None, time_zone="UTC"),
        window=SimpleNamespace(
            recent=(SimpleNamespace(text="How?", images=()),),
            summaries=(),
            skill_tokens=100,
            image_tokens=0,
            spare_tokens=0,
        ),
        withdrawn=frozenset(),
    )
    reasoning = stream_answer(opened, Grounds.of(recalled))
    assert list(reasoning) == ["Fine."]
    assert model.requests[0].skills == ("Stir.",)
    assert used_ids("Fine.", reasoning.shown) == (skills[0].id,)
    assert reasoning.notes == [reason.TIGHT]

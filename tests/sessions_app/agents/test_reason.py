"""Which of the recalled items an answer rests on."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from memory.domain.types import Reader, RecallRequest
from sessions_app.agents import reason
from sessions_app.agents.reason import cited_ids, stream_answer
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
        window=SimpleNamespace(recent=tuple(turns), summaries=(SimpleNamespace(text="Before."),)),
        withdrawn=frozenset({recalled.records.hits[0].id}),
    )
    assert list(stream_answer(opened, Grounds.of(recalled))) == ["Fine."]
    (request,) = model.requests
    assert request.question.summaries == ("Before.",)
    assert (request.question.text, request.question.now, request.question.time_zone) == (
        "Where?",
        now,
        "Asia/Tokyo",
    )
    assert (request.window, request.withdrawn) == ((turns[0],), opened.withdrawn)
    assert request.hits == recalled.records.hits

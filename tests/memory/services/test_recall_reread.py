"""What was found, read again with the question by the configured reranker."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from memory.config import RecallConfig
from memory.domain.types import Effort, Reader, RecallRequest, Usage
from memory.errors import ProviderRefused, ProviderUnavailable
from memory.ports import OnUsage, Scores
from memory.providers.registry import offline_language
from memory.services import recall_reread
from memory.services.recall import recall
from memory.services.recall_reread import NO_RERANKER
from tests.memory.recalling import LATER, MONDAY, Memory
from tests.model_server import ModelServer, fail, scores
from tests.model_server.configured import configured

pytestmark = pytest.mark.django_db


class Shortest:
    """Thinks most of the shortest text, and remembers what it was asked to read."""

    name = "shortest"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.read: list[tuple[str, list[str]]] = []

    def rerank(self, question: str, texts: Sequence[str], *, on_usage: OnUsage | None = None) -> Scores:
        self.read.append((question, list(texts)))
        if self.error:
            raise self.error
        return np.array([-len(text) for text in texts], np.float32)


@pytest.fixture
def reranker(monkeypatch: pytest.MonkeyPatch) -> Shortest:
    made = Shortest()
    monkeypatch.setattr(recall_reread, "reranker", lambda: made)
    return made


def asked(memory: Memory, question: str = "Which dog?", effort: Effort = Effort.STANDARD, **how: object):
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC", effort=effort)
    return recall(request, **how)  # type: ignore[arg-type]


def say_of_dogs(memory: Memory) -> None:
    memory.say(("Alice", "My dog barks."))
    memory.say(("Alice", "In the end we took home a dog whom nobody else had wanted."))


def test_the_reranker_s_order_stands_beside_the_one_found(memory: Memory, reranker: Shortest):
    say_of_dogs(memory)
    heavy = replace(RecallConfig.STANDARD, reranker_weight=9.0)
    found = asked(memory, config=heavy)
    assert [hit.text.split()[0] for hit in found.hits] == ["My", "In"]
    assert [hit.breakdown["reranker"] for hit in found.hits] == [1.0, 0.0]
    light = asked(memory, config=replace(heavy, reranker_weight=0.0))
    assert [hit.text.split()[0] for hit in light.hits] == ["In", "My"]
    assert found.notes == ()
    assert {hit.id: hit.score for hit in found.hits} == {hit.id: hit.score for hit in light.hits}


def test_it_reads_the_whole_question_and_who_said_what(memory: Memory, reranker: Shortest):
    memory.say(("Alice", "My dog barks."))
    asked(memory, "Which dog does Alice have?")
    ((question, texts),) = reranker.read
    assert question == "Which dog does Alice have?"
    assert texts == ["Alice: My dog barks."]


def test_at_fast_and_of_nothing_it_reads_nothing(memory: Memory, reranker: Shortest):
    asked(memory)
    say_of_dogs(memory)
    asked(memory, effort=Effort.FAST)
    asked(memory, "Thanks!")
    assert reranker.read == []


def test_it_reads_the_best_only_each_cut_to_what_is_shown(memory: Memory, reranker: Shortest):
    memory.say(*(("Alice", f"My dog barks {'very ' * number}loud.") for number in range(6)))
    asked(memory, config=replace(RecallConfig.STANDARD, reranked=3, item_chars=40))
    ((_, texts),) = reranker.read
    assert len(texts) == 3
    assert max(map(len, texts)) == 40
    assert RecallConfig.STANDARD.reranked == 100


def test_what_a_person_expired_is_not_sent(memory: Memory, reranker: Shortest):
    (turn,) = memory.say(("Alice", "My dog is called Rex."))
    memory.say(("Alice", "The dog barks."))
    record = memory.learn("Alice's dog is called Rex.", turn)
    memory.expire(record, MONDAY)
    asked(memory)
    ((_, texts),) = reranker.read
    assert texts == ["Alice: The dog barks."]


def test_what_it_did_not_come_to_read_stands_behind_and_a_note_says_so(
    memory: Memory, reranker: Shortest, monkeypatch: pytest.MonkeyPatch
):
    say_of_dogs(memory)
    memory.say(("Alice", "The dog."))
    read_two = lambda question, texts, on_usage=None: np.array([0.0, 1.0], np.float32)  # noqa: E731
    monkeypatch.setattr(reranker, "rerank", read_two)
    found = asked(memory)
    assert found.notes == ("The reranker read 2 of 3 items in time; the others stand behind them.",)
    assert ["reranker" in hit.breakdown for hit in found.hits] == [True, True, False]


@pytest.mark.parametrize("error", [ProviderUnavailable("away"), ProviderRefused("no")])
def test_where_it_fails_the_order_without_it_stands_and_a_note_says_so(
    memory: Memory, reranker: Shortest, error: Exception
):
    say_of_dogs(memory)
    reranker.error = error
    failed = asked(memory)
    assert failed.notes == (NO_RERANKER,)
    assert [hit.text.split()[0] for hit in failed.hits] == ["In", "My"]
    assert all("reranker" not in hit.breakdown for hit in failed.hits)


def test_once_rules_stand_in_for_a_spent_budget_it_costs_nothing(
    memory: Memory, reranker: Shortest, monkeypatch: pytest.MonkeyPatch
):
    say_of_dogs(memory)
    monkeypatch.setattr(recall_reread, "is_model_configured", lambda: True)
    asked(memory, language=offline_language())
    assert reranker.read == []
    monkeypatch.setattr(recall_reread, "is_model_configured", lambda: False)
    asked(memory, language=offline_language())
    assert len(reranker.read) == 1, "offline is no budget"


class TestOverHttp:
    @pytest.fixture
    def server(self, settings) -> Iterator[ModelServer]:
        with ModelServer() as running:
            named = {"model": "hosted_vllm/m", "api_key": "", "api_base": running.url}
            with configured(running, LLM=settings.LLM, RERANKER=named):
                yield running

    def test_one_call_a_recall_and_what_it_took_is_told(self, memory: Memory, server: ModelServer):
        say_of_dogs(memory)
        told: list[Usage] = []
        found = asked(memory, on_usage=told.append)
        assert found.hits
        assert [call.purpose for call in server.requests] == ["rerank"]
        assert [(usage.purpose, usage.model) for usage in told] == [("rerank", "hosted_vllm/m")]
        assert "rerank" in found.timings_ms

    def test_nonsense_and_outages_cost_no_answer(self, memory: Memory, server: ModelServer):
        say_of_dogs(memory)
        for step in (scores(lambda texts: [1.0]), fail(401)):
            server.script(step)
            found = asked(memory)
            assert found.notes == (NO_RERANKER,)
            assert len(found.hits) == 2
        assert asked(memory).notes == ()

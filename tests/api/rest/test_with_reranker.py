"""A reranker behind the doors: when it is asked, what it costs, and what is told when it fails."""

import json
from collections.abc import Iterator

import pytest
from django.test import Client

from memory.config import ModelConfig
from memory.services.recall_reread import NO_RERANKER
from tests.api.cast import Cast
from tests.model_server import ModelServer, fail
from tests.model_server.configured import configured

ASKED = {"session_id": "tuesday", "message": "Where does my sister Ana live?"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    quick = ModelConfig(backoff_seconds=0.01, attempts=2, breaker_failures=1_000, rerank_seconds=20.0)
    monkeypatch.setattr("memory.providers.litellm_call.ModelConfig", lambda: quick)
    with ModelServer() as running:
        named = {"model": "hosted_vllm/rr", "api_key": "sk-rerank", "api_base": running.url}
        with configured(running, RERANKER=named):
            yield running


@pytest.fixture
def cast(cast_committed: Cast, server: ModelServer) -> Cast:
    for text in (
        "My sister Ana moved to Porto in January.",
        "My brother lives in Rome with his dog.",
    ):
        turn = {"session_id": "monday", "role": "user", "content": text}
        assert cast_committed.alice.post("/memory/append-turn?wait=index", turn).status_code == 200
    return cast_committed


def models_part() -> dict[str, str]:
    found: list[dict[str, str]] = Client().get("/readyz").json()["parts"]
    (part,) = (each for each in found if each["name"] == "models")
    return part


def test_a_turn_asks_it_once_and_none_when_fast(cast: Cast, server: ModelServer) -> None:
    reply = cast.alice.post("/chat/complete", ASKED)
    assert [call.purpose for call in server.requests] == ["plan", "rerank", "answer"]
    assert reply["X-Memory-Status"] == "ok"
    (call,) = (each for each in server.requests if each.purpose == "rerank")
    assert call.key == "sk-rerank"
    assert call.body["query"] == ASKED["message"]
    assert any("Porto" in text for text in call.documents)
    cast.alice.post("/chat/complete", {**ASKED, "effort": "fast"})
    assert [call.purpose for call in server.requests].count("rerank") == 1


def test_what_it_took_is_in_usage_by_its_purpose_and_on_the_page(cast: Cast, server: ModelServer) -> None:
    cast.alice.post("/memory/search", {"query": "Where does Ana live?"})
    rows = [row for row in cast.alice.get("/usage").json()["items"] if row["purpose"] == "rerank"]
    assert [(row["model"], row["calls"], row["output_tokens"]) for row in rows] == [("hosted_vllm/rr", 1, 0)]
    assert rows[0]["input_tokens"] > 10


def test_failing_is_told_in_reply_and_readyz_and_tried_again(cast: Cast, server: ModelServer) -> None:
    assert models_part()["status"] == "ok"
    assert "reranking: hosted_vllm/rr." in models_part()["detail"]
    server.script(fail(401), purpose="rerank")
    reply = cast.alice.post("/chat/complete", ASKED)
    assert reply["X-Memory-Status"] == "partial"
    assert NO_RERANKER in json.dumps(reply.json())
    assert "Porto" in reply.json()["response"]
    assert models_part()["status"] == "degraded"
    assert "RERANKER_API_KEY" in models_part()["detail"]
    server.script(fail(401), purpose="rerank")
    assert NO_RERANKER in cast.alice.post("/memory/search", {"query": "Where is Ana?"}).json()["notes"]
    assert cast.alice.post("/chat/complete", ASKED)["X-Memory-Status"] == "ok"
    assert models_part()["status"] == "ok"

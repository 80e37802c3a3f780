"""Reranking over LiteLLM: where the call goes, and what of its reply is believed."""

from collections.abc import Iterator

import pytest

from memory.config import ModelConfig
from memory.domain.types import Usage
from memory.errors import ProviderError, ProviderRefused, ProviderUnavailable, ReplyFaulty
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_reranker import LiteLLMReranker
from memory.providers.model_settings import ModelSettings
from tests.model_server import ModelServer, Step, fail, hang, raw, scores

TEXTS = ["Tea is hot.", "The dog sleeps.", "Rain."]
QUESTION = "Where does the dog sleep?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def reranker(server: ModelServer, *, model: str = "hosted_vllm/m", **changes: float) -> LiteLLMReranker:
    settings = ModelSettings(model, api_key="sk-rerank", api_base=server.url, prefix="RERANKER")
    config = ModelConfig(**{"rerank_seconds": 20.0, "backoff_seconds": 0.01, **changes})  # type: ignore[arg-type]
    return LiteLLMReranker(ModelClient(settings, config=config))


def test_asks_once_for_all_texts_and_sends_the_key_where_it_belongs(server: ModelServer):
    found = reranker(server).rerank(QUESTION, TEXTS)
    assert found.argmax() == 1
    (call,) = server.requests
    assert call.path.endswith("/rerank")
    assert call.key == "sk-rerank"
    assert (call.body["query"], call.documents) == (QUESTION, TEXTS)
    assert call.purpose == "rerank"


@pytest.mark.parametrize("model", ["cohere/rerank-v3.5", "jina_ai/m", "infinity/m", "litellm_proxy/m"])
def test_other_providers_answer_the_same(server: ModelServer, model: str):
    assert reranker(server, model=model).rerank(QUESTION, TEXTS).argmax() == 1
    assert {call.key for call in server.requests} == {"sk-rerank"}


def test_tells_what_it_took_and_estimates_where_the_provider_is_silent(server: ModelServer):
    told: list[Usage] = []
    reranker(server).rerank(QUESTION, TEXTS, on_usage=told.append)
    server.script(Step(has_usage=False))
    reranker(server).rerank(QUESTION, TEXTS, on_usage=told.append)
    assert [(usage.purpose, usage.model, usage.output_tokens) for usage in told] == [
        ("rerank", "hosted_vllm/m", 0)
    ] * 2
    assert [usage.is_estimated for usage in told] == [False, True]
    assert all(usage.input_tokens > 10 for usage in told)


@pytest.mark.parametrize(
    "made",
    [
        lambda texts: [0.5] * (len(texts) - 1),
        lambda texts: [0.5] * (len(texts) + 1),
        lambda texts: [],
        lambda texts: [(0, 0.1), (0, 0.2), (1, 0.3)],
        lambda texts: [(0, 0.1), (1, 0.2), (-1, 0.3)],
        lambda texts: [0.1, 0.2, float("nan")],
        lambda texts: [0.1, 0.2, float("inf")],
    ],
    ids=["one short", "one more", "none", "twice", "nowhere", "nan", "inf"],
)
def test_half_an_order_is_none(server: ModelServer, made):
    server.script(scores(made))
    with pytest.raises(ReplyFaulty):
        reranker(server).rerank(QUESTION, TEXTS)
    assert reranker(server).rerank(QUESTION, TEXTS).argmax() == 1, "the next reply is believed"


@pytest.mark.parametrize("score", [None, "very", [0.5]])
def test_a_score_that_is_no_number_fails_however_often_it_is_asked_for(server: ModelServer, score: object):
    server.script(*[scores(lambda texts: [0.1, 0.2, score])] * 4)
    with pytest.raises(ProviderError):
        reranker(server).rerank(QUESTION, TEXTS)
    assert 1 <= len(server.requests) <= 4


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"results": 3}', b"{}"])
def test_a_reply_that_is_none_fails(server: ModelServer, body: bytes):
    server.script(*[raw(body)] * 4)
    with pytest.raises(ProviderError):
        reranker(server).rerank(QUESTION, TEXTS)


def test_an_outage_is_tried_again_and_a_refusal_is_not(server: ModelServer):
    server.script(fail(503))
    assert reranker(server).rerank(QUESTION, TEXTS).argmax() == 1
    assert len(server.requests) == 2
    server.script(fail(401))
    with pytest.raises(ProviderRefused, match="RERANKER_API_KEY"):
        reranker(server).rerank(QUESTION, TEXTS)
    assert len(server.requests) == 3


def test_ends_by_its_deadline(server: ModelServer):
    reranker(server).rerank(QUESTION, TEXTS)  # LiteLLM is imported
    for slow in (Step(delay=30.0), hang()):
        server.script(slow)
        with pytest.raises(ProviderUnavailable):
            reranker(server, rerank_seconds=0.5).rerank(QUESTION, TEXTS)


def test_a_redirect_takes_neither_texts_nor_key_elsewhere(server: ModelServer):
    with ModelServer() as other:
        server.script(*[Step(status=307, headers={"Location": f"{other.url}/rerank"}, body={})] * 4)
        with pytest.raises(ProviderError):
            reranker(server).rerank(QUESTION, TEXTS)
    assert other.requests == []


def test_the_model_s_health_is_that_of_its_last_call(server: ModelServer):
    adapter = reranker(server)
    server.script(fail(401))
    with pytest.raises(ProviderRefused):
        adapter.rerank(QUESTION, TEXTS)
    assert adapter._client.health.is_failing
    adapter.rerank(QUESTION, TEXTS)
    assert not adapter._client.health.is_failing

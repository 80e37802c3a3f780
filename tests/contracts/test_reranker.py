"""The Reranker port's promises, held by every adapter; the local one where torch is installed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from memory.config import ModelConfig
from memory.ports import Reranker
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_reranker import LiteLLMReranker
from memory.providers.local_reranker import PACKAGES, LocalReranker
from memory.providers.model_settings import ModelSettings
from tests.memory.providers.cross_encoder import make_cross_encoder
from tests.model_server import ModelServer

QUESTION = "Where does the dog sleep?"
TEXTS = ["The dog can sleep in the kitchen.", "Tea.", "The dog barks.", "Rain, again and again."]
ODD = ["", "   ", "\x00", "🦊", "\ud800 alone", "word " * 5_000, "犬は台所で寝る"]
IS_TORCH = all(find_spec(package) for package in PACKAGES)


@pytest.fixture(
    params=[
        "litellm",
        pytest.param("local", marks=pytest.mark.skipif(not IS_TORCH, reason="torch is not installed")),
    ]
)
def adapter(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reranker]:
    if request.param == "local":
        yield LocalReranker(str(make_cross_encoder(tmp_path)), config=ModelConfig(rerank_seconds=120))
        return
    with ModelServer() as server:
        settings = ModelSettings("hosted_vllm/m", api_base=server.url, prefix="RERANKER")
        yield LiteLLMReranker(ModelClient(settings))


def test_no_texts_have_no_scores(adapter: Reranker):
    assert adapter.rerank(QUESTION, []).shape == (0,)


def test_each_text_has_one_finite_score(adapter: Reranker):
    scores = adapter.rerank(QUESTION, TEXTS)
    assert scores.shape == (4,)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()
    assert len(set(scores.tolist())) > 1


def test_a_score_belongs_to_its_text_wherever_it_stands(adapter: Reranker):
    scores = adapter.rerank(QUESTION, TEXTS)
    turned = adapter.rerank(QUESTION, TEXTS[::-1])
    assert turned[::-1] == pytest.approx(scores, abs=1e-4)
    alone = [float(adapter.rerank(QUESTION, [text])[0]) for text in TEXTS]
    assert alone == pytest.approx(scores.tolist(), abs=1e-4)


def test_a_hundred_texts_are_read_like_one(adapter: Reranker):
    scores = adapter.rerank(QUESTION, TEXTS * 25)
    assert scores.reshape(25, 4).std(axis=0) == pytest.approx(np.zeros(4), abs=1e-4)


def test_odd_texts_neither_raise_nor_disturb_their_neighbours(adapter: Reranker):
    plain = adapter.rerank(QUESTION, TEXTS)
    mixed = adapter.rerank(QUESTION, [*ODD, *TEXTS])
    assert np.isfinite(mixed).all()
    assert mixed[len(ODD) :] == pytest.approx(plain, abs=1e-4)
    assert np.isfinite(adapter.rerank("", TEXTS)).all()


def test_threads_may_share_it(adapter: Reranker):
    expected = adapter.rerank(QUESTION, TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(lambda _: adapter.rerank(QUESTION, TEXTS), range(8)):
            assert scores == pytest.approx(expected, abs=1e-4)


def test_it_has_a_name(adapter: Reranker):
    assert adapter.name

"""The promises of the Embedder port, held by every adapter."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memory.ports import Embedder
from memory.providers.registry import embedder

ENGLISH = [
    "Caroline went to the support group on the seventh of May.",
    "Short.",
    "Melanie signed up for a pottery class because she needed something creative to do after work. " * 4,
    "The dog's name is Rex.",
]


@pytest.fixture(params=["local"])
def adapter(request: pytest.FixtureRequest) -> Embedder:
    return embedder()


def vector(adapter: Embedder, text: str) -> np.ndarray:
    (embedding,) = adapter.embed([text])
    assert embedding.vector is not None
    return embedding.vector


def test_no_texts_give_no_embeddings(adapter: Embedder):
    assert adapter.embed([]) == []


def test_vectors_are_unit_float32_of_the_declared_dimension(adapter: Embedder):
    for text in ENGLISH:
        made = vector(adapter, text)
        assert made.shape == (adapter.dimension,)
        assert made.dtype == np.float32
        assert np.linalg.norm(made) == pytest.approx(1, abs=1e-5)


def test_order_is_kept_whatever_the_lengths_and_the_batch(adapter: Embedder):
    texts = [f"{text} {n}" for n in range(12) for text in ENGLISH]
    together = adapter.embed(texts)
    for text, embedding in zip(texts[::7], together[::7], strict=True):
        assert embedding.vector is not None
        assert embedding.vector @ vector(adapter, text) > 0.98


def test_the_same_text_gives_the_same_vector(adapter: Embedder):
    assert np.array_equal(vector(adapter, ENGLISH[0]), vector(adapter, ENGLISH[0]))


def test_like_texts_lie_nearer_than_unlike_ones(adapter: Embedder):
    pet = vector(adapter, "What is the dog called?")
    assert pet @ vector(adapter, ENGLISH[3]) > pet @ vector(adapter, ENGLISH[0]) + 0.2


def test_token_vectors_come_only_when_asked_for_and_in_their_limits(adapter: Embedder):
    assert all(embedding.tokens is None for embedding in adapter.embed(ENGLISH))
    for embedding in adapter.embed(ENGLISH, with_tokens=True):
        assert embedding.tokens is not None
        assert embedding.tokens.dtype == np.int8
        assert 1 <= len(embedding.tokens) <= 64
        norms = np.linalg.norm(embedding.tokens.astype(np.float32), axis=1)
        assert np.allclose(norms, 127, atol=6)


def test_asking_for_token_vectors_leaves_the_vector_as_it_is(adapter: Embedder):
    plain, with_tokens = adapter.embed(ENGLISH), adapter.embed(ENGLISH, with_tokens=True)
    for one, other in zip(plain, with_tokens, strict=True):
        assert one.vector is not None
        assert other.vector is not None
        assert np.array_equal(one.vector, other.vector)


def test_odd_texts_neither_raise_nor_disturb_their_neighbours(adapter: Embedder):
    odd = ["", " \n", "\ud800", "\x00", "a" * 50_000, "<|endoftext|>", "[CLS] [SEP]", "👍"]
    embeddings = adapter.embed([*odd, ENGLISH[3]])
    assert len(embeddings) == len(odd) + 1
    last = embeddings[-1].vector
    assert last is not None
    assert last @ vector(adapter, ENGLISH[3]) > 0.98


def test_token_vectors_come_if_it_says_so(adapter: Embedder):
    made = adapter.embed(ENGLISH, with_tokens=True)
    assert {embedding.tokens is not None for embedding in made} == {adapter.makes_tokens}


def test_a_model_of_ones_own_takes_nothing_and_tells_nothing(adapter: Embedder):
    took: list[object] = []
    adapter.embed(ENGLISH, on_usage=took.append)
    assert took == []


def test_threads_may_share_it(adapter: Embedder):
    expected = [vector(adapter, text) for text in ENGLISH]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda text: vector(adapter, text), ENGLISH * 5))
    for index, one in enumerate(made):
        assert np.allclose(one, expected[index % len(ENGLISH)], atol=1e-5)

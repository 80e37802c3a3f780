"""Vectors of a model behind a real server, and the ways in which they can be wrong."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from memory.domain.types import Usage
from memory.errors import ProviderError, ProviderRefused, ProviderUnavailable
from memory.ports import Embedder
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_embedder import LiteLLMEmbedder
from memory.providers.model_settings import ModelSettings
from tests.memory.providers.conftest import KEY
from tests.model_server import ModelServer, Step, embeddings, fail, raw
from tests.model_server.brain import embed

Make = Callable[..., LiteLLMEmbedder]


@pytest.fixture
def make(make_client: Callable[..., ModelClient], model_server: ModelServer) -> Make:
    def build(*, dimension: int = 64, **config: object) -> LiteLLMEmbedder:
        settings = ModelSettings("openai/embed-model", KEY, model_server.url, prefix="EMBEDDING")
        client = make_client(settings=settings, **config)
        return LiteLLMEmbedder(client, dimension=dimension)

    return build


def vectors(embedder: Embedder, texts: list[str]) -> list[np.ndarray]:
    made = [embedding.vector for embedding in embedder.embed(texts)]
    assert all(vector is not None for vector in made)
    return made  # type: ignore[return-value]


def test_vectors_are_those_of_the_model_in_order(make: Make) -> None:
    made = vectors(make(), ["red apples", "blue sky"])
    assert np.allclose(made[0], embed("red apples"), atol=1e-6)
    assert np.allclose(made[1], embed("blue sky"), atol=1e-6)


def test_name_and_dimension_are_what_is_stored_beside_the_vectors(make: Make) -> None:
    assert (make().name, make().dimension) == ("openai/embed-model", 64)


def test_texts_go_in_batches(make: Make, model_server: ModelServer) -> None:
    texts = [f"text number {n}" for n in range(10)]
    made = vectors(make(embed_batch=4), texts)
    assert [len(request.texts) for request in model_server.requests] == [4, 4, 2]
    assert np.allclose(made[9], embed(texts[9]), atol=1e-6)


def test_a_reply_in_another_order_is_put_right_by_its_indexes(make: Make, model_server: ModelServer) -> None:
    model_server.script(embeddings(lambda texts: [(1, embed(texts[1])), (0, embed(texts[0]))]))
    made = vectors(make(), ["red apples", "blue sky"])
    assert np.allclose(made[0], embed("red apples"), atol=1e-6)


def test_vectors_of_any_length_become_unit_vectors(make: Make, model_server: ModelServer) -> None:
    model_server.script(embeddings(lambda texts: [[3.0] + [4.0] + [0.0] * 62 for _ in texts]))
    (made,) = vectors(make(), ["x y"])
    assert made.dtype == np.float32
    assert made[:2] == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda texts: [embed(text) for text in texts[:-1]],
        lambda texts: [embed(text) for text in [*texts, "one more"]],
        lambda _texts: [],
        lambda texts: [[0.0] * 64 for _ in texts],
        lambda texts: [[math.nan] * 64 for _ in texts],
        lambda texts: [["word"] * 64 for _ in texts],
        lambda texts: [[[1.0]] * 64 for _ in texts],
        lambda texts: [[1.0] * 63 + [None] for _ in texts],
    ],
)
def test_a_wrong_count_or_what_is_no_direction_is_refused_whole(
    wrong, make: Make, model_server: ModelServer
) -> None:
    model_server.script(*[embeddings(wrong)] * 4)
    with pytest.raises(ProviderError):
        make().embed(["red apples", "blue sky"])


@pytest.mark.parametrize("wrong", [[0.0] * 64, [math.nan] * 64, ["word"] * 64, [1.0] * 32])
def test_vectors_that_cannot_be_used_are_held_against_the_model(
    wrong: list[object], make: Make, model_server: ModelServer
) -> None:
    model_server.script(*[embeddings(lambda texts: [wrong for _ in texts])] * 4)
    took: list[Usage] = []
    embedder = make()
    with pytest.raises(ProviderError) as caught:
        embedder.embed(["red apples"], on_usage=took.append)
    health = embedder._client.health
    assert (health.is_failing, health.failure) == (True, caught.value.detail)
    assert len(took) == len(model_server.requests), "each was paid for"


def test_another_dimension_is_refused_with_the_way_out(make: Make) -> None:
    with pytest.raises(
        ProviderError, match=r"set EMBEDDING_DIM=64 and run .manage\.py rebuild_index"
    ) as caught:
        make(dimension=384).embed(["red apples"])
    assert not caught.value.is_retryable


def test_vectors_of_two_lengths_in_one_reply_are_refused(make: Make, model_server: ModelServer) -> None:
    model_server.script(embeddings(lambda _texts: [[1.0] * 64, [1.0] * 32]))
    with pytest.raises(ProviderError):
        make().embed(["red apples", "blue sky"])


@pytest.mark.parametrize(
    "body", ["{}", '{"data": null}', '{"data": [{"index": 0, "embedding": null}]}', "<html>"]
)
def test_a_reply_that_is_none_is_an_error(body: str, make: Make, model_server: ModelServer) -> None:
    model_server.script(*[raw(body)] * 4)
    with pytest.raises(ProviderError):
        make().embed(["red apples"])


def test_a_failing_server_is_tried_again(make: Make, model_server: ModelServer) -> None:
    model_server.script(fail(503), fail(429, retry_after="1"))
    assert len(vectors(make(), ["red apples"])) == 1
    assert len(model_server.requests) == 3


def test_a_question_waits_less_than_a_batch(make: Make, model_server: ModelServer) -> None:
    make().embed(["LiteLLM is imported"])
    embedder = make(embed_seconds=0.2, embed_text_seconds=0.2, attempts=1)
    model_server.script(*[Step(delay=1.0)] * 2)
    with pytest.raises(ProviderUnavailable):
        embedder.embed(["red apples"])
    assert len(vectors(embedder, [f"text {n}" for n in range(30)])) == 30


def test_a_wrong_key_is_named_by_its_variable(make: Make, model_server: ModelServer) -> None:
    model_server.script(fail(401))
    with pytest.raises(ProviderRefused, match="EMBEDDING_API_KEY"):
        make().embed(["red apples"])


def test_blank_texts_have_no_vector_and_are_not_sent(make: Make, model_server: ModelServer) -> None:
    made = make().embed(["", "red apples", " \n", "\x00"])
    assert [embedding.vector is not None for embedding in made] == [False, True, False, False]
    assert model_server.requests[0].texts == ["red apples"]


def test_no_text_needs_no_call(make: Make, model_server: ModelServer) -> None:
    assert make().embed([]) == []
    assert make().embed([""])[0].vector is None
    assert model_server.requests == []


def test_a_text_too_long_for_the_model_is_embedded_by_its_beginning(
    make: Make, model_server: ModelServer
) -> None:
    make(embed_max_tokens=20).embed(["apple " * 500])
    (sent,) = model_server.requests[0].texts
    assert sent.startswith("apple apple")
    assert len(sent) < 130


def test_floats_are_asked_for_as_numbers(make: Make, model_server: ModelServer) -> None:
    make().embed(["red apples"])
    assert model_server.requests[0].body["encoding_format"] == "float"
    assert model_server.requests[0].key == KEY


def test_the_dimension_can_be_found_by_one_call(make: Make, model_server: ModelServer) -> None:
    model_server.dimension = 96
    assert make().probe() == 96
    assert len(model_server.requests) == 1


def test_what_it_took_is_told(make: Make) -> None:
    took: list[Usage] = []
    make().embed(["red apples"], on_usage=took.append)
    assert took == [Usage("embed", "openai/embed-model", 2, 0)]


def test_each_batch_is_told_by_itself_also_before_one_that_fails(
    make: Make, model_server: ModelServer
) -> None:
    took: list[Usage] = []
    model_server.script(Step(), fail(401))
    with pytest.raises(ProviderRefused):
        make(embed_batch=1).embed(["red apples", "blue sky"], on_usage=took.append)
    assert [usage.input_tokens for usage in took] == [2]


def test_what_the_server_does_not_tell_is_counted_and_says_so(make: Make, model_server: ModelServer) -> None:
    took: list[Usage] = []
    model_server.default = Step(has_usage=False)
    make().embed(["red apples"], on_usage=took.append)
    assert took == [Usage("embed", "openai/embed-model", 2, 0, is_estimated=True)]


def test_a_down_server_is_unavailable_not_wrong(make_client: Callable[..., ModelClient]) -> None:
    client = make_client(settings=ModelSettings("openai/e", api_base="http://127.0.0.1:9/v1"), attempts=1)
    with pytest.raises(ProviderUnavailable):
        LiteLLMEmbedder(client, dimension=64).embed(["red apples"])

"""The Embedder port's promises, held by the adapter for models behind an API."""

from collections.abc import Iterator

import pytest

from memory.ports import Embedder
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_embedder import LiteLLMEmbedder
from memory.providers.model_settings import ModelSettings
from tests.contracts.test_embedder import (  # noqa: F401 - collected here, with the adapter below
    test_like_texts_lie_nearer_than_unlike_ones,
    test_no_texts_give_no_embeddings,
    test_odd_texts_neither_raise_nor_disturb_their_neighbours,
    test_order_is_kept_whatever_the_lengths_and_the_batch,
    test_the_same_text_gives_the_same_vector,
    test_threads_may_share_it,
    test_token_vectors_come_if_it_says_so,
    test_vectors_are_unit_float32_of_the_declared_dimension,
)
from tests.model_server import ModelServer


@pytest.fixture
def adapter() -> Iterator[Embedder]:
    with ModelServer() as server:
        server.dimension = 512  # few words of these texts share a place
        settings = ModelSettings("openai/embed-model", api_base=server.url, prefix="EMBEDDING")
        yield LiteLLMEmbedder(ModelClient(settings), dimension=server.dimension)

"""The application with the test server as its configured model, as `.env` would name it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.test import override_settings

from memory.providers import registry
from memory.stores import registry as stores
from tests.model_server.server import ModelServer
from visual.providers import registry as visual
from visual.stores import pixels as looks

_CACHED = (
    registry.language_model,
    registry.embedder,
    registry._language_client,
    registry._embedding_client,
    registry.reranker,
    registry._reranking_client,
    registry._local_reranker,
    registry.vision_client,
    visual.vision_model,
    visual.image_embedder,
    visual.text_reader,
    looks.pixel_index,
    stores.vector_index,
    stores.token_store,
)


def forget_adapters() -> None:
    """What the settings named before is asked for anew."""
    for made in _CACHED:
        made.cache_clear()


@contextmanager
def configured(server: ModelServer, **changes: object) -> Iterator[ModelServer]:
    """LLM_MODEL and LLM_API_BASE name the server; `changes` are further settings."""
    llm = {**settings.LLM, "model": "openai/test-model", "api_base": server.url}
    with override_settings(**{"LLM": llm, **changes}):
        forget_adapters()
        try:
            yield server
        finally:
            forget_adapters()

"""A model server for each test, clients that wait for nothing, and their clock."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from memory.config import ModelConfig
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.model_settings import ModelSettings
from memory.providers.retrying import Clockwork
from tests.memory.providers.clock import FakeClock
from tests.model_server import ModelServer

KEY = "sk-canary-0123456789"


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def make_client(model_server: ModelServer, clock: FakeClock) -> Callable[..., ModelClient]:
    """A client of the test server; keyword arguments change its ModelConfig."""

    def make(*, settings: ModelSettings | None = None, **config: object) -> ModelClient:
        return ModelClient(
            settings or ModelSettings("openai/test-model", api_key=KEY, api_base=model_server.url),
            config=replace(ModelConfig(), **config),  # type: ignore[arg-type]
            clockwork=Clockwork(monotonic=clock.monotonic, sleep=clock.sleep, random=lambda: 1.0),
        )

    return make


@pytest.fixture
def language(make_client: Callable[..., ModelClient]) -> LiteLLMLanguage:
    return LiteLLMLanguage(make_client())

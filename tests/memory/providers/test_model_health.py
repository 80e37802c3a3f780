"""A model's health: its last failure, and whether it answered since."""

from collections.abc import Callable

import pytest

from memory.errors import ProviderError, ProviderRefused, ProviderUnavailable, ReplyFaulty, TimeOver
from memory.ports import AnswerRequest
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.model_health import ModelHealth
from tests.memory.prompting import question
from tests.model_server import ModelServer, cut_in_stream, fail, say


@pytest.mark.parametrize("kind", [ProviderUnavailable, ProviderRefused])
def test_a_model_that_is_not_there_is_failing_until_it_answers(kind: type[ProviderError]) -> None:
    health = ModelHealth("m")
    assert not health.is_failing
    health.note(kind("Nobody is there."))
    assert (health.is_failing, health.failure) == (True, "Nobody is there.")
    since = health.failing_since
    assert since is not None
    health.note(kind("Still nobody."))
    assert (health.failing_since, health.failure) == (since, "Still nobody.")
    health.note(None)
    assert not health.is_failing
    assert health.failing_since is None
    assert health.failure == "Still nobody.", "the last failure stays to be read"


def test_a_useless_reply_is_a_sign_of_life() -> None:
    health = ModelHealth("m", is_failing=True)
    health.note(ReplyFaulty())
    assert not health.is_failing
    assert health.failure == ""


def test_that_the_time_of_a_job_was_up_says_nothing_of_the_model() -> None:
    health = ModelHealth("m")
    health.note(TimeOver())
    assert (health.is_failing, health.noted_at) == (False, None)


def test_calls_to_a_model_are_watched(
    model_server: ModelServer, make_client: Callable[..., ModelClient]
) -> None:
    client = make_client(attempts=1)
    language = LiteLLMLanguage(client)
    model_server.script(fail(500), say("no plan"), purpose="plan")
    with pytest.raises(ProviderUnavailable):
        language.plan(question("Where?"))
    assert client.health.is_failing
    with pytest.raises(ReplyFaulty):
        language.plan(question("Where?"))
    assert not client.health.is_failing


def test_a_stream_that_breaks_is_a_failure(
    model_server: ModelServer, make_client: Callable[..., ModelClient]
) -> None:
    client = make_client(attempts=1)
    model_server.script(cut_in_stream(after_pieces=1), purpose="answer")
    request = AnswerRequest(question("Where?"), (), "", ())
    with pytest.raises(ProviderUnavailable):
        list(LiteLLMLanguage(client).answer(request))
    assert client.health.is_failing
    assert list(LiteLLMLanguage(client).answer(request))
    assert not client.health.is_failing

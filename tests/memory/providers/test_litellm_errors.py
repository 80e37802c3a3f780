"""Exceptions of LiteLLM and of anything below it, into ours."""

from datetime import UTC, datetime

import httpx
import pytest
from litellm import exceptions

from memory.errors import ContextTooLong, ProviderRefused, ProviderUnavailable, ReplyRefused
from memory.providers.litellm_errors import ParameterRefused, translate
from memory.providers.model_settings import ModelSettings

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEY = "sk-canary-0123456789"
SETTINGS = ModelSettings("openai/m", api_key=KEY, api_base="https://llm.example/v1")


def made(kind: type[Exception], message: str = f"{KEY} and a person's text", **more: object) -> Exception:
    return kind(message=message, llm_provider="openai", model="m", **more)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (made(exceptions.ContextWindowExceededError), ContextTooLong),
        (made(exceptions.ContentPolicyViolationError), ReplyRefused),
        (made(exceptions.AuthenticationError), ProviderRefused),
        (made(exceptions.NotFoundError), ProviderRefused),
        (made(exceptions.BadRequestError), ProviderRefused),
        (made(exceptions.BadRequestError, "Unsupported parameter: 'top_p'"), ParameterRefused),
        (made(exceptions.RateLimitError), ProviderUnavailable),
        (made(exceptions.Timeout), ProviderUnavailable),
        (made(exceptions.ServiceUnavailableError), ProviderUnavailable),
        (made(exceptions.InternalServerError), ProviderUnavailable),
        (made(exceptions.APIConnectionError), ProviderUnavailable),
        (ValueError(f"{KEY} and a person's text"), ProviderUnavailable),
        (KeyError("choices"), ProviderUnavailable),
        (httpx.ConnectError("refused"), ProviderUnavailable),
    ],
)
def test_each_kind_becomes_the_one_that_says_what_helps(error: Exception, ours: type[Exception]) -> None:
    failure = translate(error, settings=SETTINGS, now=NOW)
    assert type(failure) is ours
    assert KEY not in failure.detail
    assert "text" not in failure.detail.replace("The text is longer", "").replace("declined the text", "")


def test_the_sentence_names_where_and_never_the_vendors_words() -> None:
    failure = translate(made(exceptions.APIConnectionError), settings=SETTINGS, now=NOW)
    assert failure.detail == "llm.example failed or could not be reached."


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3), ("0.2", 1), ("Thu, 01 Jan 2026 12:01:00 GMT", 60), ("soon", None), (None, None)],
)
def test_retry_after_is_told_in_whole_seconds(header: str | None, seconds: int | None) -> None:
    request = httpx.Request("POST", "https://llm.example/v1")
    response = httpx.Response(429, headers={"retry-after": header} if header else {}, request=request)
    error = made(exceptions.RateLimitError, response=response)
    error.litellm_response_headers = response.headers  # type: ignore[attr-defined]
    assert translate(error, settings=SETTINGS, now=NOW).retry_after == seconds


@pytest.mark.parametrize(
    ("message", "parameter"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported with this model.", "max_tokens"),
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
    ],
)
def test_the_refused_parameter_is_named(message: str, parameter: str) -> None:
    failure = translate(made(exceptions.BadRequestError, message), settings=SETTINGS, now=NOW)
    assert isinstance(failure, ParameterRefused)
    assert failure.parameter == parameter
    assert failure.is_retryable


def test_a_message_that_merely_speaks_of_tokens_is_no_refused_parameter() -> None:
    error = made(
        exceptions.BadRequestError, "This model's maximum context length is 10; max_tokens is invalid"
    )
    assert type(translate(error, settings=SETTINGS, now=NOW)) is ContextTooLong

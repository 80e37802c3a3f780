"""The server is a true one: the official client gets along with it."""

import json
from collections.abc import Iterator

import openai
import pytest

from tests.model_server import ModelServer, cut_in_stream, fail, hang, say

TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="k", base_url=server.url, max_retries=0, timeout=5) as made:
        yield made


def ask(client: openai.OpenAI, text: str = "Hello.", **how):
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}], **how)


def test_a_plain_completion(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(say("Hello there."))
    made = ask(client)
    assert made.choices[0].message.content == "Hello there."
    assert made.choices[0].finish_reason == "stop"
    assert made.usage is not None
    assert made.usage.total_tokens == made.usage.prompt_tokens + 3


def test_a_stream_whose_last_chunk_has_usage_and_no_choices(
    client: openai.OpenAI, server: ModelServer
) -> None:
    server.script(say("Hello there."))
    chunks = list(ask(client, stream=True, stream_options={"include_usage": True}))
    assert (
        "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "Hello there."
    )
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert len({(chunk.id, chunk.model) for chunk in chunks}) == 1
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]] == [None, None, None, "stop"]


def test_a_stream_without_usage_unless_asked_for(client: openai.OpenAI, server: ModelServer) -> None:
    assert all(chunk.usage is None for chunk in ask(client, stream=True))


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_is_called_when_the_text_asks_for_it(client: openai.OpenAI, *, stream: bool) -> None:
    made = ask(client, "Please call look_up for Rose.", tools=[TOOL], stream=stream)
    if stream:
        calls = [call for chunk in made for call in (chunk.choices[0].delta.tool_calls or [])]
    else:
        assert made.choices[0].finish_reason == "tool_calls"
        calls = made.choices[0].message.tool_calls
    (call,) = calls
    assert call.function.name == "look_up"
    assert json.loads(call.function.arguments) == {"text": "Please call look_up for Rose."}


def test_embeddings_have_one_unit_vector_a_text(client: openai.OpenAI, server: ModelServer) -> None:
    made = client.embeddings.create(model="m", input=["red apples", "blue sky"], encoding_format="float")
    assert [item.index for item in made.data] == [0, 1]
    assert all(len(item.embedding) == server.dimension for item in made.data)
    assert sum(x * x for x in made.data[0].embedding) == pytest.approx(1)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ],
)
def test_failures_are_worded_as_the_client_knows_them(
    status: int, error: type[openai.APIStatusError], client: openai.OpenAI, server: ModelServer
) -> None:
    server.script(fail(status, "as told", code="because", retry_after="7"))
    with pytest.raises(error, match="as told") as caught:
        ask(client)
    assert caught.value.code == "because"
    assert caught.value.response.headers["retry-after"] == "7"


def test_a_cut_stream_breaks_the_client(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(cut_in_stream(after_pieces=1))
    with pytest.raises(openai.APIError):
        list(ask(client, stream=True))


def test_a_hanging_stream_ends_when_the_client_leaves(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(hang(after_pieces=1))
    with ask(client, stream=True) as stream:
        next(iter(stream))
        assert server.open_streams == 1
    server.wait_for(lambda running: running.open_streams == 0)


def test_steps_of_a_purpose_wait_for_it(client: openai.OpenAI, server: ModelServer) -> None:
    server.script(say("a plan"), purpose="plan")
    assert ask(client).choices[0].message.content == "I don't know that."
    assert server.requests[0].purpose == "answer"
    assert server.requests[0].key == "k"


def test_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["test-model"]

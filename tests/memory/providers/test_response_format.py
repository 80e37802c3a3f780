"""Where LiteLLM says that a model can be held to JSON, plans and encodings ask for it."""

from collections.abc import Callable

import pytest

from memory.domain.reply_schemas import ENCODING_SHAPE, PLAN_SHAPE
from memory.errors import ProviderRefused
from memory.ports import AnswerRequest
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.litellm_vendor import response_format, vendor
from memory.providers.model_settings import ModelSettings
from tests.memory.prompting import question, segment, turn
from tests.memory.providers.clock import FakeClock
from tests.model_server import ModelServer, Step, fail, say

ASKED = question("Where does Rose live?")
TOLD = segment(turn(0, "Rose lives in Paris."))
Make = Callable[..., ModelClient]


def formats(server: ModelServer) -> list[object]:
    """The kind of reply that each request asked for."""
    asked = [call.body.get("response_format") for call in server.requests]
    return [form and form["type"] for form in asked]


def test_plans_and_encodings_ask_for_json_and_answers_do_not(
    model_server: ModelServer, language: LiteLLMLanguage
) -> None:
    language.plan(ASKED)
    language.encode(TOLD)
    list(language.answer(AnswerRequest(ASKED, (), "", ())))
    assert formats(model_server) == ["json_object", "json_object", None]


def test_a_repair_asks_for_it_too(model_server: ModelServer, language: LiteLLMLanguage) -> None:
    model_server.script(say("nonsense"), purpose="encode")
    language.encode(TOLD)
    assert formats(model_server) == ["json_object", "json_object"]


def test_a_model_that_knows_schemas_gets_ours(model_server: ModelServer, make_client: Make) -> None:
    settings = ModelSettings("openai/gpt-4o", api_key="k", api_base=model_server.url)
    language = LiteLLMLanguage(make_client(settings=settings))
    language.plan(ASKED)
    language.encode(TOLD)
    sent = [call.body["response_format"]["json_schema"] for call in model_server.requests]
    assert [one["name"] for one in sent] == ["plan", "encoding"]
    assert sent[0]["schema"] == PLAN_SHAPE.schema
    assert sent[1]["schema"] == ENCODING_SHAPE.schema
    assert [one["strict"] for one in sent] == [False, False]


def test_a_model_that_cannot_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendor(), "get_supported_openai_params", lambda model: None)
    assert response_format("odd/model", PLAN_SHAPE) is None


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported parameter: 'response_format'",
        "'response_format.type' must be 'json_schema' or 'text'",
        "bad request",
    ],
)
def test_a_server_that_refuses_it_is_asked_without_for_an_hour(
    model_server: ModelServer, language: LiteLLMLanguage, message: str
) -> None:
    model_server.script(fail(400, message))
    assert language.plan(ASKED).origin == "model"
    assert language.encode(TOLD).records
    assert formats(model_server) == ["json_object", None, None]


def test_a_call_that_is_refused_without_it_too_is_refused(
    model_server: ModelServer, language: LiteLLMLanguage
) -> None:
    model_server.default = fail(400, "bad request")
    with pytest.raises(ProviderRefused):
        language.plan(ASKED)
    assert formats(model_server) == ["json_object", None]
    with pytest.raises(ProviderRefused):
        language.plan(ASKED)
    assert formats(model_server)[2:] == ["json_object", None], "it was not to blame"


@pytest.mark.parametrize("message", ["bad request", "Unsupported parameter: 'response_format'"])
def test_it_is_asked_for_again_after_an_hour(
    model_server: ModelServer, make_client: Make, clock: FakeClock, message: str
) -> None:
    language = LiteLLMLanguage(make_client())
    model_server.script(fail(400, message))
    language.plan(ASKED)
    clock.advance += 3_590
    language.plan(ASKED)
    clock.advance += 20
    language.plan(ASKED)
    assert formats(model_server) == ["json_object", None, None, "json_object"]


def test_an_error_of_the_call_itself_does_not_cost_the_later_ones_their_json(
    model_server: ModelServer, language: LiteLLMLanguage
) -> None:
    model_server.script(*[fail(400, "the prompt holds a forbidden word")] * 2)
    with pytest.raises(ProviderRefused):
        language.plan(ASKED)
    language.plan(ASKED)
    assert formats(model_server) == ["json_object", None, "json_object"]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_other_refusals_are_not_put_down_to_it(
    model_server: ModelServer, language: LiteLLMLanguage, status: int
) -> None:
    model_server.script(fail(status))
    with pytest.raises(ProviderRefused):
        language.plan(ASKED)
    model_server.default = Step()
    language.plan(ASKED)
    assert formats(model_server) == ["json_object", "json_object"]


def test_each_model_is_remembered_by_itself(model_server: ModelServer, make_client: Make) -> None:
    first, second = LiteLLMLanguage(make_client()), LiteLLMLanguage(make_client())
    model_server.script(fail(400, "Unsupported parameter: 'response_format'"))
    first.plan(ASKED)
    second.plan(ASKED)
    assert formats(model_server) == ["json_object", None, "json_object"]

"""Faults of settings, each in one sentence that says what to do."""

from typing import Any

import pytest

from memory.providers.model_settings import (
    ModelSettings,
    dimension_fault,
    is_loopback,
    known_providers,
    model_faults,
    stray_base,
)

KEY = "sk-canary-0123456789"


def faults(model: str = "openai/gpt-4o-mini", **given: object) -> tuple[str, ...]:
    environ = given.pop("environ", None)
    return model_faults(ModelSettings(model, **given), environ=environ)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        {"model": "openai/gpt-4o-mini", "api_key": KEY},
        {"model": "openai/local", "api_base": "http://127.0.0.1:8080/v1"},
        {"model": "openai/local", "api_base": "http://localhost:8080"},
        {"model": "openai/local", "api_base": "http://[::1]:8080"},
        {"model": "openai/local", "api_base": "http://llm.intern/v1", "api_key": "none"},
        {"model": "ollama_chat/qwen2.5"},
        {"model": "anthropic/claude-sonnet-4-5", "api_key": KEY},
        {"model": "bedrock/anthropic.claude-3"},
        {"model": "openrouter/meta-llama/llama-3.1-70b", "api_key": KEY},
        {"model": "hosted_vllm/x", "api_base": "http://127.0.0.1:8000/v1"},
        {"model": "openai/x", "api_key": KEY, "temperature": 0.0, "top_p": 1.0, "max_tokens": 1},
    ],
)
def test_sound_settings_have_no_fault(given: dict[str, Any]) -> None:
    assert faults(**given) == ()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"model": ""}, "LLM_MODEL is empty"),
        ({"model": "gpt-4o", "api_key": KEY}, "write openai/gpt-4o for OpenAI or a compatible server"),
        ({"model": "qwenn/x", "api_key": KEY}, "a provider nobody knows, qwenn"),
        ({"model": "Qwen/Qwen3-8B", "api_key": KEY}, "write openai/Qwen/Qwen3-8B and set LLM_API_BASE"),
        ({"model": "openai/", "api_key": KEY}, "names a provider but no model"),
        ({"model": "openai/a b", "api_key": KEY}, "holds a blank"),
        ({"model": "openai/x"}, "openai needs a key: set LLM_API_KEY."),
        ({"model": "anthropic/x"}, "anthropic needs a key"),
        (
            {"model": "openai/x", "api_base": "http://10.0.0.5:8080"},
            "LLM_API_BASE is set without LLM_API_KEY",
        ),
        ({"model": "ollama/x", "api_base": "http://10.0.0.5:1"}, "if it asks for none, set LLM_API_KEY=none"),
        ({"model": "hosted_vllm/x"}, "needs to know where its server is: set LLM_API_BASE"),
        ({"model": "openai/x", "api_key": KEY, "api_base": "127.0.0.1:8080"}, "is no web address"),
        ({"model": "openai/x", "api_key": KEY, "api_base": "ftp://host"}, "is no web address"),
        ({"model": "openai/x", "api_key": KEY, "api_base": "http://[::1"}, "is no web address"),
        (
            {"model": "openai/x", "api_key": KEY, "api_base": "http://host:1/v1/chat/completions/"},
            "LLM_API_BASE names one call: write http://host:1/v1 instead.",
        ),
        (
            {"model": "openai/x", "api_key": KEY, "api_base": "https://me:pw@host"},
            "put the key into LLM_API_KEY",
        ),
        ({"model": "openai/x", "api_key": "sk a"}, "blanks or other characters"),
        ({"model": "openai/x", "api_key": "sk-a\n"}, "blanks or other characters"),
        ({"model": "openai/x", "api_key": "clé"}, "blanks or other characters"),
        ({"model": "openai/x", "api_key": KEY, "temperature": 3.0}, "LLM_TEMPERATURE=3 is out of range"),
        ({"model": "openai/x", "api_key": KEY, "top_p": -1.0}, "LLM_TOP_P=-1 is out of range"),
        ({"model": "openai/x", "api_key": KEY, "max_tokens": 0}, "LLM_MAX_TOKENS=0 is out of range"),
        (
            {"model": "openai/x", "api_key": KEY, "max_tokens": 2_000_000},
            "LLM_MAX_TOKENS=2000000 is out of range: it lies between 1 and 1000000.",
        ),
    ],
)
def test_a_fault_is_one_sentence_that_says_what_to_do(given: dict[str, Any], says: str) -> None:
    (sentence,) = faults(**given)
    assert says in sentence
    assert sentence.endswith(".")
    assert KEY not in sentence


def test_sentences_name_the_variables_of_the_embedding_model() -> None:
    (sentence,) = faults("openai/text-embedding-3-small", prefix="EMBEDDING")
    assert "EMBEDDING_API_KEY" in sentence


def test_several_faults_are_all_told() -> None:
    assert len(faults(temperature=9.0, top_p=9.0)) == 3


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/x", "OPENAI_BASE_URL"),
        ("openai/x", "OPENAI_API_BASE"),
        ("anthropic/x", "ANTHROPIC_BASE_URL"),
        ("ollama_chat/x", "OLLAMA_API_BASE"),
        ("nano-gpt/x", "NANO_GPT_API_BASE"),
    ],
)
def test_a_base_url_that_only_the_environment_names_is_a_fault(model: str, variable: str) -> None:
    environ = {variable: "http://elsewhere.example"}
    (sentence,) = faults(model, api_key=KEY, environ=environ)
    assert variable in sentence
    assert "unset" in sentence


def test_a_base_url_in_the_settings_wins_over_the_environment() -> None:
    settings = ModelSettings("openai/x", api_key=KEY, api_base="http://127.0.0.1:1/v1")
    assert stray_base(settings, {"OPENAI_BASE_URL": "http://elsewhere.example"}) == ""


def test_another_providers_variable_is_none_of_our_business() -> None:
    assert faults("anthropic/x", api_key=KEY, environ={"OPENAI_BASE_URL": "http://elsewhere.example"}) == ()


def test_a_key_is_never_shown_by_its_settings() -> None:
    assert KEY not in repr(ModelSettings("openai/x", api_key=KEY))


def test_where_calls_go_has_no_credentials() -> None:
    assert ModelSettings("openai/x", api_base="http://host:1/v1").origin == "host:1"
    assert ModelSettings("openai/x", api_base="http://a:b@host:1/v1").origin == "host:1"
    assert ModelSettings("openai/x").origin == "openai"


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1", True),
        ("http://127.8.9.1:80/v1", True),
        ("http://[::1]:80", True),
        ("http://localhost", True),
        ("http://a.localhost", True),
        ("http://localhost.example.com", False),
        ("http://10.0.0.1", False),
        ("", False),
    ],
)
def test_what_this_machine_is(url: str, is_here: bool) -> None:
    assert is_loopback(url) is is_here


def test_the_providers_of_the_installed_package_are_known_without_importing_it() -> None:
    assert {"openai", "anthropic", "gemini", "ollama_chat", "deepseek", "mistral"} <= known_providers()
    assert len(known_providers()) > 100


def test_another_dimension_is_told_with_the_way_out() -> None:
    assert dimension_fault("openai/e", configured=384, found=384) == ""
    sentence = dimension_fault("openai/e", configured=384, found=768)
    assert "EMBEDDING_DIM=768" in sentence
    assert "rebuild_index" in sentence

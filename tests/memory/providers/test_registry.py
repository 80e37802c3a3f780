"""One adapter per port and process, loaded when first used."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.conf import settings as django_settings

from memory.providers import registry
from memory.stores import registry as stores
from tests.memory.prompting import question
from tests.model_server import ModelServer
from tests.model_server.configured import configured

HEAVY = ("litellm", "lancedb", "onnxruntime", "tokenizers", "tiktoken", "torch", "pyarrow")
PROBE = f"""
import sys, django
django.setup()
from memory.providers import registry
from memory.stores import registry as stores
registry.embedder(), registry.token_counter(), stores.vector_index(), stores.text_index()
print(",".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_each_adapter_is_made_once():
    assert registry.embedder() is registry.embedder()
    assert registry.token_counter() is registry.token_counter()


def test_setting_up_django_and_naming_the_adapters_loads_no_heavy_vendor():
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={"DJANGO_SETTINGS_MODULE": "lychee_site.settings_test", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


class TestConfigured:
    def test_no_model_named_is_the_offline_engine(self):
        assert registry.language_model() is registry.offline_language()
        assert not registry.is_model_configured()
        assert registry.model_healths() == {}
        assert registry.configuration_faults() == []
        assert registry.probe_embedder() == ""

    def test_a_named_model_is_called_by_its_name(self):
        with ModelServer() as server, configured(server):
            assert registry.language_model().name == "openai/test-model"
            assert registry.language_model() is registry.language_model()
            assert registry.language_model().plan(question("Where does Rose live?")).origin == "model"
            assert not registry.model_healths()["language"].is_failing

    def test_a_judge_calls_the_same_model_without_the_limit_of_answers(self):
        assert registry.judge_client() is None
        with ModelServer() as server:
            named = {**settings.LLM, "model": "openai/m", "api_base": server.url, "max_tokens": 900}
            with configured(server, LLM=named):
                client = registry.judge_client()
        assert client is not None
        assert (client.settings.model, client.settings.max_tokens) == ("openai/m", None)

    def test_a_named_embedder_is_the_one_whose_vectors_are_stored(self):
        with ModelServer() as server, embedding(server):
            assert (registry.embedder().name, registry.embedder().dimension) == ("openai/embedder", 64)
            spec = stores.embedder_spec()
            assert (spec.name, spec.dimension) == ("openai/embedder", 64)
            assert registry.probe_embedder() == ""

    def test_an_embedder_of_another_length_is_told_with_the_right_one(self):
        with ModelServer() as server, embedding(server, dimension=128):
            assert "set EMBEDDING_DIM=64" in registry.probe_embedder()

    def test_faults_of_both_models_are_sentences_that_name_the_variable(self, settings):
        settings.LLM = {**settings.LLM, "model": "gpt-4o"}
        settings.EMBEDDING = {"model": "openai/e", "api_key": "", "api_base": ""}
        faults = registry.configuration_faults()
        assert [fault.split("=")[0].split()[0] for fault in faults] == [
            "LLM_MODEL",
            "openai",
            "EMBEDDING_DIM",
        ]
        assert "EMBEDDING_API_KEY" in faults[1]

    @pytest.mark.parametrize(("dimension", "told"), [(None, "is not set"), (0, "is 0"), (-3, "is -3")])
    def test_a_length_that_is_none_is_told_as_it_was_given(self, settings, dimension, told):
        settings.EMBEDDING = {"model": "openai/e", "api_key": "k", "api_base": ""}
        settings.EMBEDDING_DIM = dimension
        sentence = f"EMBEDDING_DIM {told}: give the length of the embedding model's vectors."
        assert registry.configuration_faults() == [sentence]

    @pytest.mark.parametrize("prefix", ["RERANKER", "VLM"])
    def test_reranker_and_vision_model_are_checked_like_the_others(self, settings, prefix):
        for model, fault in [
            ("bge-reranker", "names no provider"),
            ("nobody/bge", "a provider nobody knows"),
            ("cohere/rerank-v3", f"set {prefix}_API_KEY"),
        ]:
            setattr(settings, prefix, {"model": model, "api_key": "", "api_base": ""})
            (told,) = registry.configuration_faults()
            assert fault in told
            assert prefix in told
        base = {"model": "cohere/m", "api_key": "", "api_base": "https://models.example/v1"}
        setattr(settings, prefix, base)
        assert f"set {prefix}_API_KEY=none" in registry.configuration_faults()[0]
        setattr(settings, prefix, {**base, "api_key": "k"})
        assert registry.configuration_faults() == []
        assert registry.configuration_doubts() == []

    def test_a_provider_that_reranks_nothing_is_told_at_start(self, settings):
        settings.RERANKER = {"model": "openai/m", "api_key": "k", "api_base": "https://models.example/v1"}
        (fault,) = registry.configuration_faults()
        assert "nothing is reranked through openai" in fault
        assert "hosted_vllm/" in fault

    def test_a_local_reranker_needs_a_path_and_a_path_its_switch(self, settings, monkeypatch):
        monkeypatch.setattr(registry, "find_spec", lambda package: object())
        settings.EXPERIMENTAL_TRANSFORMER_RERANK = True
        assert "without TRANSFORMER_RERANK_MODEL_PATH" in registry.configuration_faults()[0]
        settings.TRANSFORMER_RERANK_MODEL_PATH = "/models/reranker"
        assert registry.configuration_faults() == registry.configuration_doubts() == []
        monkeypatch.setattr(registry, "find_spec", lambda package: None)
        assert "pip install -r requirements/rerank.txt" in registry.configuration_doubts()[0]
        settings.EXPERIMENTAL_TRANSFORMER_RERANK = False
        assert "EXPERIMENTAL_TRANSFORMER_RERANK is not" in registry.configuration_doubts()[0]

    def test_the_named_reranker_wins_over_the_local_one(self, settings):
        assert registry.reranker() is None
        local = {"EXPERIMENTAL_TRANSFORMER_RERANK": True, "TRANSFORMER_RERANK_MODEL_PATH": "/models/reranker"}
        with ModelServer() as server:
            with configured(server, LLM=settings.LLM, **local):
                made = registry.reranker()
                assert made is not None
                assert made.name == "/models/reranker"
                assert registry.model_healths()["reranking"].model == "/models/reranker"
            named = {"model": "hosted_vllm/m", "api_key": "", "api_base": server.url}
            with configured(server, LLM=settings.LLM, RERANKER=named, **local):
                made = registry.reranker()
                assert made is not None
                assert made.name == "hosted_vllm/m"
                assert "RERANKER_MODEL is used" in registry.configuration_doubts()[0]
        assert registry.reranker() is None

    def test_titles_without_a_model_are_told_and_not_written(self, settings):
        settings.COMPOSITE_TITLES = "llm"
        assert not registry.is_titling()
        assert registry.configuration_doubts() == [
            "COMPOSITE_TITLES=llm has no effect without a model: name one in LLM_MODEL."
        ]
        with ModelServer() as server, configured(server):
            assert registry.is_titling()
            assert registry.configuration_doubts() == []
            settings.COMPOSITE_TITLES = "off"
            assert not registry.is_titling()

    @pytest.mark.parametrize("prefix", ["LLM", "EMBEDDING", "RERANKER", "VLM"])
    def test_a_key_or_address_without_a_model_is_told(self, settings, prefix):
        given = {**getattr(settings, prefix), "model": "", "api_key": "k", "api_base": "https://m.example"}
        setattr(settings, prefix, given)
        assert registry.configuration_doubts() == [
            f"{prefix}_API_KEY and {prefix}_API_BASE are set, {prefix}_MODEL is not: "
            "name the model, or remove the rest."
        ]
        assert registry.configuration_faults() == []

    @pytest.mark.parametrize(("dimension", "faults"), [(None, 0), (384, 0), (768, 1)])
    def test_the_local_embedder_has_one_length(self, settings, dimension, faults):
        settings.EMBEDDING_DIM = dimension
        told = registry.configuration_faults()
        assert len(told) == faults
        assert all("name the model in EMBEDDING_MODEL" in fault for fault in told)

    def test_each_key_reaches_its_own_server_and_no_other(self, monkeypatch):
        for variable in ("OPENAI_API_KEY", "LITELLM_API_KEY"):
            monkeypatch.setenv(variable, "sk-environment")
        with ModelServer() as language, ModelServer() as vectors:
            llm = {**django_settings.LLM, "model": "openai/m", "api_key": "sk-llm", "api_base": language.url}
            named = {"model": "openai/e", "api_key": "sk-embedding", "api_base": vectors.url}
            with configured(language, LLM=llm, EMBEDDING=named, EMBEDDING_DIM=64):
                registry.language_model().plan(question("Where?"))
                registry.embedder().embed(["red apples"])
        assert [call.key for call in language.requests] == ["sk-llm"]
        assert [call.key for call in vectors.requests] == ["sk-embedding"]


def embedding(server: ModelServer, *, dimension: int = 64):
    named = {"model": "openai/embedder", "api_key": "", "api_base": server.url}
    return configured(server, EMBEDDING=named, EMBEDDING_DIM=dimension)

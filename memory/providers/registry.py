"""Which adapter answers for which port of the models: one instance a process.

Nothing heavy is loaded until an adapter is first asked to work.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.util import find_spec

from django.conf import settings

from memory.config import LOCAL_EMBEDDER, ModelConfig
from memory.ports import Embedder, LanguageModel, Reranker, TokenCounter
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_embedder import LiteLLMEmbedder
from memory.providers.litellm_language import LiteLLMLanguage
from memory.providers.litellm_reranker import LiteLLMReranker
from memory.providers.local_embedder import LocalEmbedder
from memory.providers.local_reranker import PACKAGES as RERANKER_PACKAGES
from memory.providers.local_reranker import LocalReranker
from memory.providers.model_health import ModelHealth
from memory.providers.model_settings import ModelSettings, dimension_fault, idle_settings, model_faults
from memory.providers.model_windows import window_of
from memory.providers.offline_language import OfflineLanguage
from memory.providers.tokens import TiktokenCounter

_PROBE = replace(ModelConfig(), embed_seconds=10.0, attempts=1)  # nobody waits longer for a start


@cache
def embedder() -> Embedder:
    """The embedder in use; its name and dimension are stored beside every vector."""
    client = _embedding_client()
    return LiteLLMEmbedder(client, dimension=settings.EMBEDDING_DIM or 0) if client else LocalEmbedder()


@cache
def reranker() -> Reranker | None:
    """The reranker in use: the model that RERANKER_MODEL names, else a local cross-encoder, if either is."""
    client = _reranking_client()
    return LiteLLMReranker(client) if client else _local_reranker()


@cache
def token_counter() -> TokenCounter:
    """The counter behind every token budget."""
    return TiktokenCounter()


@cache
def offline_language() -> LanguageModel:
    """The engine of rules: what a failing model degrades to."""
    return OfflineLanguage()


@cache
def language_model() -> LanguageModel:
    """The language model in use: the configured one, else the offline engine."""
    client = _language_client()
    return LiteLLMLanguage(client) if client else offline_language()


def model_window() -> int | None:
    """The tokens that the configured language model reads, where that is known."""
    return window_of(settings.LLM["model"]) if is_model_configured() else None


def is_model_configured() -> bool:
    """Whether a language model was named; otherwise everything works offline."""
    return bool(settings.LLM["model"])


def is_titling() -> bool:
    """Whether the configured model is to title composites."""
    return settings.COMPOSITE_TITLES == "llm" and is_model_configured()


def judge_client() -> ModelClient | None:
    """The configured language model for short verdicts: without the limit that its answers have."""
    client = _language_client()
    return ModelClient(replace(client.settings, max_tokens=None)) if client else None


def model_healths() -> dict[str, ModelHealth]:
    """How the configured models are doing, by task: `language`, `embedding`, `reranking`,
    `vision`.
    """
    models = {
        "language": _language_client(),
        "embedding": _embedding_client(),
        "reranking": _reranking_client() or _local_reranker(),
        "vision": vision_client(),
    }
    return {task: model.health for task, model in models.items() if model}


def configuration_faults() -> list[str]:
    """What is wrong with the settings of models: sentences that say what to do."""
    faults: list[str] = []
    for configured in _all_settings():
        if configured.model:
            faults += model_faults(configured, environ=os.environ)
    faults += _dimension_faults(settings.EMBEDDING["model"], settings.EMBEDDING_DIM)
    if settings.EXPERIMENTAL_TRANSFORMER_RERANK and not settings.TRANSFORMER_RERANK_MODEL_PATH:
        faults.append(
            "EXPERIMENTAL_TRANSFORMER_RERANK is set without TRANSFORMER_RERANK_MODEL_PATH: name the folder"
            " of a cross-encoder, or a model on a hub."
        )
    return faults


def configuration_doubts() -> list[str]:
    """What the settings of models say in vain: sentences that say what to do."""
    doubts = [idle_settings(configured) for configured in _all_settings()]
    if settings.COMPOSITE_TITLES == "llm" and not is_model_configured():
        doubts.append("COMPOSITE_TITLES=llm has no effect without a model: name one in LLM_MODEL.")
    return [doubt for doubt in [*doubts, *_rerank_doubts()] if doubt]


def probe_embedder() -> str:
    """Ask the embedding model for one vector; what is wrong with its length, or "".

    Raises ProviderError when it does not answer.
    """
    if not settings.EMBEDDING["model"]:
        return ""
    client = ModelClient(_settings_of(settings.EMBEDDING, "EMBEDDING"), config=_PROBE)
    dimension = settings.EMBEDDING_DIM or 0
    found = LiteLLMEmbedder(client, dimension=dimension).probe()
    return dimension_fault(client.settings.model, configured=dimension, found=found)


def warm_up_model() -> None:
    """Load what the first calls of the language model and of the reranker need."""
    for model in (_language_client(), _reranking_client() or _local_reranker()):
        if model:
            model.warm_up()


def _all_settings() -> list[ModelSettings]:
    named = {
        "LLM": settings.LLM,
        "EMBEDDING": settings.EMBEDDING,
        "RERANKER": settings.RERANKER,
        "VLM": settings.VLM,
    }
    return [_settings_of(values, prefix) for prefix, values in named.items()]


def _dimension_faults(model: str, dimension: int | None) -> list[str]:
    local = LOCAL_EMBEDDER.dimension
    if model and (dimension is None or dimension < 1):
        given = "is not set" if dimension is None else f"is {dimension}"
        return [f"EMBEDDING_DIM {given}: give the length of the embedding model's vectors."]
    if not model and dimension not in (None, local):
        return [
            f"EMBEDDING_DIM={dimension}, but the local embedder makes vectors of length {local}: "
            "name the model in EMBEDDING_MODEL, or leave EMBEDDING_DIM empty."
        ]
    return []


@cache
def _language_client() -> ModelClient | None:
    return ModelClient(_settings_of(settings.LLM, "LLM")) if is_model_configured() else None


@cache
def _embedding_client() -> ModelClient | None:
    if not settings.EMBEDDING["model"]:
        return None
    return ModelClient(_settings_of(settings.EMBEDDING, "EMBEDDING"))


@cache
def vision_client() -> ModelClient | None:
    """How the configured vision model is called; None where there is none."""
    return ModelClient(_settings_of(settings.VLM, "VLM")) if settings.VLM["model"] else None


@cache
def _reranking_client() -> ModelClient | None:
    if not settings.RERANKER["model"]:
        return None
    return ModelClient(_settings_of(settings.RERANKER, "RERANKER"))


@cache
def _local_reranker() -> LocalReranker | None:
    if settings.RERANKER["model"] or not settings.EXPERIMENTAL_TRANSFORMER_RERANK:
        return None
    return LocalReranker(settings.TRANSFORMER_RERANK_MODEL_PATH)


def _rerank_doubts() -> list[str]:
    is_on, path = settings.EXPERIMENTAL_TRANSFORMER_RERANK, settings.TRANSFORMER_RERANK_MODEL_PATH
    if not is_on:
        return [
            "TRANSFORMER_RERANK_MODEL_PATH is set, EXPERIMENTAL_TRANSFORMER_RERANK is not: it has no effect."
        ] * bool(path)
    if settings.RERANKER["model"]:
        return ["RERANKER_MODEL and EXPERIMENTAL_TRANSFORMER_RERANK are both set: RERANKER_MODEL is used."]
    if any(find_spec(package) is None for package in RERANKER_PACKAGES):
        return [
            "EXPERIMENTAL_TRANSFORMER_RERANK needs torch and transformers: run"
            " `pip install -r requirements/rerank.txt`."
        ]
    return []


def _settings_of(values: Mapping[str, object], prefix: str) -> ModelSettings:
    return ModelSettings(prefix=prefix, **values)  # type: ignore[arg-type]

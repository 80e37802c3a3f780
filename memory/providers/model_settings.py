"""Which model is called, where and with what key; and what is wrong with that, in sentences.

The faults are found at start, without a call and without importing LiteLLM: its package
holds a list of the providers it knows. A key goes only to the base URL it was given with,
so a base URL that only the environment names is a fault too.
"""

import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

# Servers that run on one's own machine and ask for no key.
KEYLESS = frozenset(
    {"ollama", "ollama_chat", "hosted_vllm", "vllm", "lm_studio", "llamafile", "xinference", "oobabooga"}
    | {"triton", "petals", "infinity", "docker_model_runner", "lemonade"}
)
# Clouds that sign requests with the machine's own identity.
AMBIENT = frozenset(
    ("bedrock", "bedrock_mantle", "sagemaker", "sagemaker_chat", "vertex_ai", "oci", "watsonx")
)
# Servers that are nowhere until a base URL says where.
NEEDS_BASE = frozenset(
    ("hosted_vllm", "vllm", "custom_openai", "openai_like", "litellm_proxy", "azure", "xinference")
)
# What LiteLLM 1.110 can ask to rerank.
RERANKING = frozenset(
    {"cohere", "litellm_proxy", "azure_ai", "infinity", "together_ai", "jina_ai", "nvidia_nim", "bedrock"}
    | {"hosted_vllm", "deepinfra", "fireworks_ai", "voyage", "watsonx"}
)
# Known to LiteLLM 1.110, absent from its list.
_UNLISTED = frozenset(("nano-gpt", "vertex_ai_beta"))
# What LiteLLM calls some providers in its variables.
_VARIABLE_PREFIXES = {"meta_llama": "LLAMA", "ollama_chat": "OLLAMA", "azure_ai": "AZURE_AI"}
# What calls add to a base URL, where it is not that of a chat.
_CALLS = {"EMBEDDING": "/embeddings", "RERANKER": "/rerank"}
_BASE_SUFFIXES = ("_API_BASE", "_BASE_URL", "_API_BASE_URL", "_ENDPOINT")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One model as configured; empty strings and None where nothing was said.

    `prefix`: how its variables are called, LLM or EMBEDDING; sentences name them.
    """

    model: str
    api_key: str = field(default="", repr=False)
    api_base: str = ""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    parallel_calls: int | None = None
    prefix: str = "LLM"

    @property
    def provider(self) -> str:
        """What stands before the first slash of the model's name."""
        return self.model.partition("/")[0] if "/" in self.model else ""

    @property
    def origin(self) -> str:
        """Where calls go, for permits and logs: the base URL's host, else the provider."""
        return _split(self.api_base).netloc.rpartition("@")[2] or self.provider


def model_faults(settings: ModelSettings, *, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """What is wrong with a chat or embedding model's settings: one sentence each, saying what to do.

    `environ`: the process environment, in which a base URL of a provider's own library may lie.
    """
    prefix = settings.prefix
    name_fault = _name_fault(settings, prefix)
    if name_fault:
        return (name_fault,)
    faults = (
        _rerank_fault(settings, prefix),
        _base_fault(settings, prefix),
        _stray_base_fault(settings, prefix, environ or {}),
        _key_fault(settings, prefix),
        _range_fault(f"{prefix}_TEMPERATURE", settings.temperature, low=0, high=2),
        _range_fault(f"{prefix}_TOP_P", settings.top_p, low=0, high=1),
        _range_fault(f"{prefix}_MAX_TOKENS", settings.max_tokens, low=1, high=1_000_000),
    )
    return tuple(fault for fault in faults if fault)


def idle_settings(settings: ModelSettings) -> str:
    """What is said about a model that is not named, and so reaches nothing; or ""."""
    given = {"API_KEY": settings.api_key, "API_BASE": settings.api_base}
    idle = [f"{settings.prefix}_{name}" for name, value in given.items() if value]
    if settings.model or not idle:
        return ""
    verb = "is" if len(idle) == 1 else "are"
    model = f"{settings.prefix}_MODEL"
    return f"{' and '.join(idle)} {verb} set, {model} is not: name the model, or remove the rest."


def dimension_fault(model: str, *, configured: int, found: int) -> str:
    """What to do when the embedding model's vectors have another length than was said."""
    if configured == found:
        return ""
    return (
        f"{model} makes vectors of length {found}, but EMBEDDING_DIM says {configured}: "
        f"set EMBEDDING_DIM={found} and run `manage.py rebuild_index --background`."
    )


def stray_base(settings: ModelSettings, environ: Mapping[str, str]) -> str:
    """The variable by which the environment would send the key elsewhere, or ""."""
    if settings.api_base or not settings.provider:
        return ""
    known = _VARIABLE_PREFIXES.get(settings.provider, settings.provider.upper().replace("-", "_"))
    return next((known + end for end in _BASE_SUFFIXES if environ.get(known + end)), "")


@cache
def known_providers() -> frozenset[str]:
    """The provider prefixes of the installed LiteLLM, read from its data, not by importing it."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return frozenset()
    listed = Path(spec.origin).parent / "provider_endpoints_support_backup.json"
    providers = json.loads(listed.read_text(encoding="utf-8"))["providers"] if listed.exists() else {}
    return frozenset(providers) | KEYLESS | AMBIENT | NEEDS_BASE | _UNLISTED


def is_loopback(url: str) -> bool:
    """Whether the URL's host is this machine."""
    host = _split(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _name_fault(settings: ModelSettings, prefix: str) -> str:
    model, provider = settings.model, settings.provider
    if not model.strip():
        return f"{prefix}_MODEL is empty: name a model, such as openai/gpt-4o-mini."
    if any(char.isspace() for char in model):
        return f"{prefix}_MODEL holds a blank: write provider/model without one."
    if not provider:
        return (
            f"{prefix}_MODEL={model} names no provider: write openai/{model} for OpenAI or a compatible "
            f"server, or ollama_chat/{model}, anthropic/{model} and so on."
        )
    if provider not in known_providers():
        return (
            f"{prefix}_MODEL={model} begins with a provider nobody knows, {provider}: for a compatible "
            f"server write openai/{model} and set {prefix}_API_BASE."
        )
    if not model.partition("/")[2].strip("/"):
        return f"{prefix}_MODEL={model} names a provider but no model: write {provider}/<model>."
    return ""


def _rerank_fault(settings: ModelSettings, prefix: str) -> str:
    if prefix != "RERANKER" or settings.provider in RERANKING:
        return ""
    return (
        f"{prefix}_MODEL={settings.model}: nothing is reranked through {settings.provider}; write"
        f" hosted_vllm/<model> for a compatible server and set {prefix}_API_BASE, or cohere/<model>, …."
    )


def _base_fault(settings: ModelSettings, prefix: str) -> str:
    if not settings.api_base:
        if settings.provider in NEEDS_BASE:
            return f"{settings.provider} needs to know where its server is: set {prefix}_API_BASE."
        return ""
    parts = _split(settings.api_base)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or any(map(str.isspace, settings.api_base))
    ):
        return f"{prefix}_API_BASE is no web address: write it like http://127.0.0.1:8080/v1."
    if "@" in parts.netloc:
        return f"{prefix}_API_BASE holds a name or password: put the key into {prefix}_API_KEY instead."
    base, call, _ = settings.api_base.partition(_CALLS.get(prefix, "/chat/completions"))
    if call and settings.provider == "openai":  # others may be named in full
        return f"{prefix}_API_BASE names one call: write {base} instead."
    return ""


def _stray_base_fault(settings: ModelSettings, prefix: str, environ: Mapping[str, str]) -> str:
    variable = stray_base(settings, environ)
    if not variable:
        return ""
    return (
        f"{variable} is set, {prefix}_API_BASE is not: the key would go where {variable} says; "
        f"set {prefix}_API_BASE to that address if you mean it, or unset {variable}."
    )


def _key_fault(settings: ModelSettings, prefix: str) -> str:
    key, provider = settings.api_key, settings.provider
    if key:
        is_header = key.isascii() and key.isprintable() and " " not in key
        return "" if is_header else f"{prefix}_API_KEY holds blanks or other characters that no key has."
    if provider in AMBIENT or is_loopback(settings.api_base):
        return ""
    if settings.api_base:
        return (
            f"{prefix}_API_BASE is set without {prefix}_API_KEY: set the key of that server; "
            f"if it asks for none, set {prefix}_API_KEY=none."
        )
    if provider in KEYLESS:
        return ""
    return f"{provider} needs a key: set {prefix}_API_KEY."


def _range_fault(variable: str, value: float | None, *, low: float, high: float) -> str:
    if value is None or low <= value <= high:
        return ""
    return f"{variable}={value:.9g} is out of range: it lies between {low:.9g} and {high:.9g}."


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # brackets of a broken IPv6 address
        return urlsplit("")

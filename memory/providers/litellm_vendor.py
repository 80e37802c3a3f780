"""LiteLLM itself: imported once, made quiet, and its replies read.

It prints, phones home for prices, reads `.env` files and follows redirects unless told
otherwise; all of that is switched off here and nowhere else.
"""

import atexit
import gc
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from memory.domain.reply_schemas import ReplyShape
from memory.errors import ReplyRefused

# Log lines of these hold URLs, prompts or keys.
_TALKATIVE = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "openai")
# A call is prepared in a thread, as a coroutine; when the caller leaves meanwhile, nobody awaits it.
_UNAWAITED = r"coroutine '(\w+\.)?a(sync_)?(completion|streaming|embedding|rerank)\w*' was never awaited"
_MOST_TOKENS = 100_000_000  # of a call: no model reads or writes as many
_loading = Lock()


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a provider says a call took; zeros when it says nothing."""

    read: int = 0
    written: int = 0
    cached: int = 0


def vendor() -> Any:
    """The configured module; the first call takes some 4 s. Thread-safe."""
    with _loading:
        return _configured()


@cache
def _configured() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else a price table is fetched at import
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # else every `.env` on the way up is loaded
    import httpx

    with _without_collection():  # it would look again and again through what stays
        import litellm

    warnings.filterwarnings("ignore", module=r"(litellm|pydantic)\.")
    warnings.filterwarnings("ignore", message=_UNAWAITED)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.turn_off_message_logging = True
    litellm.disable_aiohttp_transport = True
    litellm.num_retries = 0
    litellm.callbacks = []
    # Redirects are not followed: a text goes where the settings say, and nowhere else.
    litellm.aclient_session = httpx.AsyncClient(
        follow_redirects=False, limits=httpx.Limits(max_connections=None)
    )
    atexit.register(part_without_words)
    return litellm


@contextmanager
def _without_collection() -> Iterator[None]:
    """No garbage collection in the block, if there is any outside."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def part_without_words() -> None:
    """Take away the `__del__` of the vendor's clients: the process ends, and its sockets with it.

    They import modules; while the interpreter is being torn down that can wait for ever on the lock
    of a module (1 of 13 refused starts hung so with LiteLLM 1.110, November 2026).
    """
    for name, module in list(sys.modules.items()):
        if not name.startswith("litellm.llms."):
            continue
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == name and "__del__" in vars(value):
                type.__delattr__(value, "__del__")


os.register_at_fork(after_in_child=_configured.cache_clear)


def said(made: Any) -> tuple[str, str]:
    """The text of a reply or stream chunk, and its finish reason; a last chunk has no choices."""
    choices = getattr(made, "choices", None)
    if not choices:
        return "", ""
    choice = choices[0]
    spoken = getattr(choice, "message", None) or getattr(choice, "delta", None)
    content = getattr(spoken, "content", None)
    return content if isinstance(content, str) else "", getattr(choice, "finish_reason", None) or ""


def refuse_filtered(made: Any) -> None:
    """Raise ReplyRefused if a filter ended the reply, or the model declined in the field made for it."""
    choices = getattr(made, "choices", None) or ()
    for choice in choices:
        spoken = getattr(choice, "message", None) or getattr(choice, "delta", None)
        declined = getattr(spoken, "refusal", None) or (
            getattr(spoken, "provider_specific_fields", None) or {}
        ).get("refusal")
        if getattr(choice, "finish_reason", None) == "content_filter" or declined:
            raise ReplyRefused


def tokens_of(made: Any) -> Tokens:
    """The tokens a reply, chunk or embedding says it took; zeros where a number cannot be true."""
    usage = getattr(made, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    read = _counted(getattr(usage, "prompt_tokens", None))
    written = _counted(getattr(usage, "completion_tokens", None))
    if read is None or written is None:
        return Tokens()
    return Tokens(read, written, min(_counted(getattr(details, "cached_tokens", None)) or 0, read))


def _counted(told: object) -> int | None:
    """A number of tokens that is told, 0 where none is; None where it cannot be true."""
    if not told:
        return 0
    return told if isinstance(told, int) and 0 < told <= _MOST_TOKENS else None


def response_format(model: str, shape: ReplyShape) -> dict[str, Any] | None:
    """How this model is held to the shape: by its schema, to JSON alone, or not at all (None)."""
    litellm = vendor()
    if "response_format" not in (litellm.get_supported_openai_params(model=model) or ()):
        return None
    if not litellm.supports_response_schema(model=model):
        return {"type": "json_object"}
    told = {"name": shape.name, "schema": shape.schema, "strict": False}
    return {"type": "json_schema", "json_schema": told}


def is_usage_told(source: Any) -> bool:
    """Whether the provider itself said what a stream took; LiteLLM makes up a last chunk if not."""
    return any(getattr(chunk, "usage", None) for chunk in getattr(source, "chunks", None) or ())


def vectors_of(made: Any) -> list[Any]:
    """What a reply gives as vectors, in the order of its own indexes."""
    items = [item if isinstance(item, dict) else vars(item) for item in getattr(made, "data", None) or ()]
    if all(isinstance(item.get("index"), int) for item in items):  # else they stay as they came
        items.sort(key=lambda item: int(item["index"]))
    return [item.get("embedding") for item in items]


@cache
def rerank_client() -> Any:
    """What sends questions to rerankers, which takes no session: it follows no redirects either."""
    vendor()
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler(follow_redirects=False)


os.register_at_fork(after_in_child=rerank_client.cache_clear)


def scores_of(made: Any) -> list[tuple[Any, Any]]:
    """What a reply gives as places of texts and their scores."""
    items = [item if isinstance(item, dict) else vars(item) for item in getattr(made, "results", None) or ()]
    return [(item.get("index"), item.get("relevance_score")) for item in items]


def rerank_tokens_of(made: Any) -> int:
    """The tokens a reply says were read; 0 where it speaks of searches, or of nothing."""
    meta = getattr(made, "meta", None) or {}
    tokens, billed = meta.get("tokens") or {}, meta.get("billed_units") or {}
    told = (tokens.get("input_tokens"), billed.get("total_tokens"))
    return next((read for read in map(_counted, told) if read), 0)

"""LiteLLM's exceptions into ours: whether trying again can help, and what a person can do.

What a vendor says is read for its kind and never quoted: it may hold the key or the text.
"""

import math
import re
from datetime import datetime

from memory.errors import (
    ContextTooLong,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    ReplyRefused,
)
from memory.providers.model_settings import ModelSettings
from memory.providers.retrying import retry_after_seconds

_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many tokens|prompt is too long|input is too long"
    r"|reduce the length|exceeds? the (?:available|maximum|max) (?:context|number of tokens|input)",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content.?(?:filter|policy|management)|safety (?:system|filter)|moderation", re.IGNORECASE
)
_QUOTA = re.compile(r"insufficient.?quota|exceeded your current quota|billing|credit balance", re.IGNORECASE)
# Of those we send, the ones that a model may not know.
_OPTIONAL = "temperature|top_p|max_tokens|stream_options|response_format"
_UNKNOWN = (
    r"(?:un(?:supported|known|recognized|expected)|not (?:support|allow|permit)|only the default|invalid"
    r"|extra)"
)
_PARAMETER = re.compile(
    rf"{_UNKNOWN}.{{0,80}}?\b({_OPTIONAL})\b|\b({_OPTIONAL})\b.{{0,80}}?{_UNKNOWN}", re.IGNORECASE | re.DOTALL
)
_LATER = frozenset((408, 409, 425, 429))


class ParameterRefused(ProviderUnavailable):
    """The model does not take one of the parameters; without it, it may answer."""

    def __init__(self, parameter: str) -> None:
        super().__init__(f"The model does not take the parameter {parameter}.")
        self.parameter = parameter


def translate(  # noqa: PLR0911 - one return a kind of failure
    error: Exception, *, settings: ModelSettings, now: datetime
) -> ProviderError:
    """The error of ours that says the same; `retry_after` in whole seconds when the provider gave one."""
    from litellm import exceptions

    said = f"{error} {getattr(error, 'body', '')}"
    status = getattr(error, "status_code", None)
    where = settings.origin or settings.model
    if isinstance(error, exceptions.ContextWindowExceededError) or status == 413:
        return ContextTooLong(f"The text is longer than {settings.model} reads.")
    if isinstance(error, exceptions.ContentPolicyViolationError):
        return ReplyRefused(f"The content filter of {where} declined the text.")
    if status == 429 and _QUOTA.search(said):
        return ProviderRefused(
            f"The quota at {where} is used up: see to the account of {settings.prefix}_API_KEY."
        )
    if isinstance(error, exceptions.Timeout):
        return ProviderUnavailable(f"{where} did not answer in time.")
    if isinstance(status, int) and 300 <= status < 500 and status not in _LATER:
        return _refused(status, said, settings=settings, where=where)
    wait = retry_after_seconds(_header(error, "retry-after"), now=now)
    retry_after = math.ceil(wait) if wait is not None else None
    if status == 429:
        return ProviderUnavailable(f"{where} asks for fewer calls at a time.", retry_after=retry_after)
    return ProviderUnavailable(f"{where} failed or could not be reached.", retry_after=retry_after)


def _refused(status: int, said: str, *, settings: ModelSettings, where: str) -> ProviderError:
    prefix = settings.prefix
    if status in (400, 422) and _TOO_LONG.search(said):
        return ContextTooLong(f"The text is longer than {settings.model} reads.")
    if status == 400 and (parameter := _PARAMETER.search(said)):
        return ParameterRefused(parameter[1] or parameter[2])
    if status in (400, 422) and _FILTERED.search(said):
        return ReplyRefused(f"The content filter of {where} declined the text.")
    sentences = {
        401: f"{where} rejects the key: check {prefix}_API_KEY.",
        402: f"{where} asks for payment: see to the account of {prefix}_API_KEY.",
        403: f"{where} does not let this key use {settings.model}: check both.",
        404: f"{where} knows no {settings.model}: check {prefix}_MODEL and {prefix}_API_BASE.",
    }
    if status < 400:
        return ProviderRefused(f"{where} sends calls elsewhere: check {prefix}_API_BASE.")
    return ProviderRefused(
        sentences.get(status, f"{where} rejects calls to {settings.model} (status {status}).")
    )


def _header(error: Exception, name: str) -> str | None:
    """A header of the provider's answer, wherever this exception keeps it."""
    response = getattr(error, "response", None)
    for headers in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        value = headers.get(name) if headers is not None else None
        if value:
            return str(value)
    return None

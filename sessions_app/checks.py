"""System checks of the working memory: whether a prompt fits its window, and the order of its lines."""

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from sessions_app.services.window import window_config

SMALL_WINDOW: Final = "sessions_app.E001"
CROSSED_LINES: Final = "sessions_app.E002"


@register(Tags.compatibility)
def check_window(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The window is no smaller than what works."""
    config = window_config()
    least, given, wanted = config.least_tokens, config.max_tokens, settings.WM_MAX_TOKENS
    if given >= least:
        return []
    if wanted < least:
        told = f"WM_MAX_TOKENS={wanted} is too small for a prompt and its answer: set {least} or more."
    else:
        model = settings.LLM["model"]
        told = f"{model} reads {given} tokens, {least} are needed: name another model in LLM_MODEL."
    return [Error(told, id=SMALL_WINDOW)]


@register(Tags.compatibility)
def check_lines(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Older turns are summarised in the background before an answer has to wait for it."""
    warn, block = settings.WM_WARN_THRESHOLD, settings.WM_BLOCK_THRESHOLD
    if warn <= block:
        return []
    told = f"WM_WARN_THRESHOLD={warn:g} is above WM_BLOCK_THRESHOLD={block:g}: set it to {block:g} or less."
    return [Error(told, id=CROSSED_LINES)]

"""System checks of the working memory: whether a prompt and its answer fit the window at all."""

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from sessions_app.services.window import window_config

SMALL_WINDOW: Final = "sessions_app.E001"


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

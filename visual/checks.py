"""System checks of the visual memory: what the settings ask for and cannot be had."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Tags, register

from visual.providers.registry import are_weights_random, why_no_looks

NO_LOOKS = "visual.W001"
RANDOM_WEIGHTS = "visual.W002"


@register(Tags.compatibility)
def check_looks(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Where weights are named, CLIP can run; where none are, nothing is amiss."""
    if not settings.CLIP_WEIGHTS:
        return []
    if why := why_no_looks():
        return [checks.Warning(why, hint="Or leave CLIP_WEIGHTS empty.", id=NO_LOOKS)]
    if are_weights_random():
        words = "CLIP_WEIGHTS=random: images are compared by vectors that mean nothing."
        return [checks.Warning(words, hint="Name a folder or a hub's weights.", id=RANDOM_WEIGHTS)]
    return []

"""System checks of the settings: a name in `.env` that nobody reads, and the one that may be meant."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage, register
from dotenv import dotenv_values

from lychee_site.env import BASE_DIR, env

MISSPELT: Final = "lychee_site.W001"
_LIKENESS: Final = 0.8  # "LLM_MDOEL" and "LLM_MODEL": 0.89; "MODEL" and "LLM_MODEL": 0.71


@register()
def check_names(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every name in `.env` that is nearly a setting's is one."""
    return [
        checks.Warning(doubt, id=MISSPELT) for doubt in misspelt(BASE_DIR / ".env", BASE_DIR / ".env.example")
    ]


def misspelt(given: Path, documented: Path) -> list[str]:
    """A sentence for each name of the one file that is nearly a setting's; others may stand there."""
    known = {*env.dump(), *(_names(documented))}
    doubts: list[str] = []
    for name in _names(given):
        meant = [] if name in known else get_close_matches(name.upper(), sorted(known), 1, _LIKENESS)
        doubts += [
            f"{name} in {given.name} is no setting and is not read; {each} may be meant." for each in meant
        ]
    return doubts


def _names(path: Path) -> list[str]:
    """The names that a file sets, if there is one."""
    return list(dotenv_values(path)) if path.is_file() else []

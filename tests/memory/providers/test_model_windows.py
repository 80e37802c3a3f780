"""How much a model reads is looked up, not asked for."""

import subprocess
import sys

import pytest

from memory.providers import registry
from memory.providers.model_windows import window_of


def test_a_known_model_has_its_window():
    assert window_of("openai/gpt-4o-mini") == 128_000


@pytest.mark.parametrize("model", ["openai/my-own-model", "gpt-4o-mini", "anthropic/gpt-4o-mini", ""])
def test_a_model_nobody_knows_and_a_namesake_of_another_provider_have_none(model):
    assert window_of(model) is None


def test_nothing_heavy_is_imported_for_it():
    code = (
        "import sys; from memory.providers.model_windows import window_of; "
        "assert window_of('openai/gpt-4o-mini'); assert 'litellm' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_configured_model_s_window_is_told(settings):
    settings.LLM = {**settings.LLM, "model": "openai/gpt-4o-mini"}
    assert registry.model_window() == 128_000
    settings.LLM = {**settings.LLM, "model": ""}
    assert registry.model_window() is None

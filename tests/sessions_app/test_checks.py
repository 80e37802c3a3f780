"""A window in which no prompt fits is refused at the start, in one sentence."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from sessions_app import checks
from sessions_app.config import WindowConfig
from sessions_app.services import window

LEAST = WindowConfig().least_tokens


@pytest.mark.parametrize("tokens", [LEAST, LEAST + 1, 128_000])
def test_a_window_that_works_is_passed(settings: Any, tokens: int) -> None:
    settings.WM_MAX_TOKENS = tokens
    assert checks.check_window(None) == []


@pytest.mark.parametrize("tokens", [-1, 0, 64, LEAST - 1])
def test_a_setting_too_small_is_refused_with_what_to_set(settings: Any, tokens: int) -> None:
    settings.WM_MAX_TOKENS = tokens
    (message,) = checks.check_window(None)
    assert message.id == "sessions_app.E001"
    assert message.msg.startswith(f"WM_MAX_TOKENS={tokens} is too small")
    assert message.msg.endswith(f"set {LEAST} or more.")


@pytest.mark.parametrize(("warn", "block", "faults"), [(0.7, 0.9, 0), (0.9, 0.9, 0), (0.9, 0.5, 1)])
def test_the_background_comes_before_the_block(settings: Any, warn: float, block: float, faults: int) -> None:
    settings.WM_WARN_THRESHOLD, settings.WM_BLOCK_THRESHOLD = warn, block
    told = [message.msg for message in checks.check_lines(None)]
    assert told == ["WM_WARN_THRESHOLD=0.9 is above WM_BLOCK_THRESHOLD=0.5: set it to 0.5 or less."][:faults]


def test_a_model_that_reads_too_little_is_named(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LLM = {**settings.LLM, "model": "openai/tiny"}
    monkeypatch.setattr(window, "model_window", lambda: 512)
    (message,) = checks.check_window(None)
    assert message.msg.startswith("openai/tiny reads 512 tokens")
    assert "LLM_MODEL" in message.msg


@pytest.mark.django_db
def test_it_stops_the_start(settings: Any) -> None:
    settings.WM_MAX_TOKENS = 64
    with pytest.raises(SystemCheckError, match="WM_MAX_TOKENS=64 is too small"):
        call_command("check")

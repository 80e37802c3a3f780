"""A misspelt name in `.env` is told at the start; names of other programs are nobody's business."""

from pathlib import Path

import pytest

from lychee_site.checks import misspelt
from lychee_site.env import BASE_DIR


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LLM_MDOEL", "LLM_MODEL"),
        ("llm_model", "LLM_MODEL"),
        ("EMBEDING_MODEL", "EMBEDDING_MODEL"),
        ("WM_MAX_TOKEN", "WM_MAX_TOKENS"),
    ],
)
def test_what_is_nearly_a_setting_is_told_with_the_one_meant(tmp_path: Path, name: str, meant: str) -> None:
    given = tmp_path / ".env"
    given.write_text(f"LLM_MODEL=a\n{name}=b\n")
    assert misspelt(given, BASE_DIR / ".env.example") == [
        f"{name} in .env is no setting and is not read; {meant} may be meant."
    ]


@pytest.mark.parametrize("text", ["LLM_MODEL=a\n", "COMPOSE_PROJECT_NAME=lychee\n# LLM_MDOEL=b\n", ""])
def test_settings_and_what_is_far_from_any_are_not(tmp_path: Path, text: str) -> None:
    given = tmp_path / ".env"
    given.write_text(text)
    assert misspelt(given, BASE_DIR / ".env.example") == []


def test_without_the_file_nothing_is_told(tmp_path: Path) -> None:
    assert misspelt(tmp_path / ".env", BASE_DIR / ".env.example") == []

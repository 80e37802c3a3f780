"""Settings come from the environment, are all documented, and a faulty one stops the start."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from environs import EnvError

from lychee_site.env import data_dir, fault_of, read_file

ROOT = Path(__file__).parents[2]


def start_with(tmp_path: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "LYCHEE_DATA_DIR": str(tmp_path), **variables}
    return subprocess.run(
        [sys.executable, "-c", "import lychee_site.settings as s; print(s.WM_MAX_TOKENS, s.SECRET_KEY)"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def documented() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))


def test_every_setting_that_is_read_is_documented() -> None:
    sources = [ROOT / "lychee_site" / name for name in ("env.py", "settings.py")]
    read = {name for path in sources for name in re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", path.read_text())}
    assert read == set(documented())


def test_the_documented_defaults_start(tmp_path: Path) -> None:
    variables = {**documented(), "LYCHEE_DATA_DIR": str(tmp_path)}
    result = start_with(tmp_path, **variables)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("128000 ")


@pytest.mark.parametrize("given", ["", " "])
def test_an_empty_data_folder_means_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setattr("lychee_site.env.BASE_DIR", tmp_path)
    monkeypatch.setenv("LYCHEE_DATA_DIR", given)
    assert data_dir() == tmp_path / "var"


def test_a_data_folder_may_begin_with_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LYCHEE_DATA_DIR", "~/memory")  # as no shell has read a line of .env
    assert data_dir() == tmp_path / "memory"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WM_MAX_TOKENS", "many"),
        ("DEBUG", "perhaps"),
        ("WM_WARN_THRESHOLD", "70%"),
        ("WM_WARN_THRESHOLD", "70"),
        ("WM_BLOCK_THRESHOLD", "0"),
        ("WM_BLOCK_THRESHOLD", "nan"),
        ("MIN_RECENT_TURNS", "-1"),
        ("MAX_BODY_BYTES", "0"),
        ("VECTOR_STORE", "cloud"),
        ("LOG_LEVEL", "LOUD"),
        ("LLM_TEMPERATURE", "warm"),
        ("LLM_MAX_TOKENS", "1.5"),
        ("DAILY_TOKEN_BUDGET", "-1"),
        ("COMPOSITE_TITLES", "gpt"),
    ],
)
def test_a_faulty_value_stops_the_start_and_names_the_setting(tmp_path: Path, name: str, value: str) -> None:
    result = start_with(tmp_path, **{name: value})
    assert result.returncode != 0
    assert name in result.stderr.splitlines()[-1]


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first, second = start_with(tmp_path), start_with(tmp_path)
    assert first.stdout == second.stdout
    assert len(first.stdout.split()[1]) >= 64
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("WM_MAX_TOKENS", "many"),
        ("LLM_TEMPERATURE", "warm"),
        ("VECTOR_STORE", "paper"),
        ("SKILL_TOP_K", "-1"),
        ("COMPOSITE_TITLES", "on"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_a_faulty_value_is_told_in_one_sentence(tmp_path: Path, name: str, value: str) -> None:
    environment = {"PATH": os.environ["PATH"], "LYCHEE_DATA_DIR": str(tmp_path), name: value}
    result = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"The setting {name} cannot be used (")
    assert ".env.example" in line


@pytest.mark.parametrize("written", ["LLM_MODEL=x  # clé".encode("latin-1"), "LLM_MODEL=x".encode("utf-16")])
def test_a_file_in_another_encoding_is_told_in_a_sentence(tmp_path: Path, written: bytes) -> None:
    (tmp_path / ".env").write_bytes(written)
    with pytest.raises(EnvError) as caught:
        read_file(tmp_path / ".env")
    assert ".env is not written in UTF-8, save it so" in fault_of(caught.value)

"""`manage.py evaluate` measures in a scratch folder and leaves the user's alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from lychee_site.env import BASE_DIR
from lychee_site.management.commands.evaluate import SCRATCH

DIALOGUE = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a parrot called Kiwi."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "I still work at the bakery."},
            ],
        },
        "qa": [
            {"question": "Which pet did Ann adopt?", "answer": "parrot", "category": 4, "evidence": ["D1:1"]}
        ],
    }
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(DIALOGUE))
    return path


def test_it_reports_every_system_and_writes_nothing_into_the_users_folder(data: Path, tmp_path: Path):
    own, out = tmp_path / "own", tmp_path / "out"
    arguments = ["evaluate", "locomo", "--data", str(data), "--out", str(out), "--quiet"]
    finished = subprocess.run(
        [sys.executable, str(BASE_DIR / "manage.py"), *arguments],
        env={**os.environ, "LYCHEE_DATA_DIR": str(own), "DJANGO_SETTINGS_MODULE": "lychee_site.settings"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    rows = {row["system"]: row for row in json.loads((out / "report.json").read_text())}
    assert set(rows) == {"whole", "records only", "raw turns only", "plain BM25"}
    assert rows["whole"]["measures"]["hit@1"] == 1
    assert "whole" in finished.stdout
    assert not (own / "lychee.sqlite3").exists()
    assert not (own / "index").exists()


@pytest.mark.parametrize("content", ["", "[]x", "[1]", '{"a": 1}'])
def test_a_file_of_another_shape_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
):
    monkeypatch.setenv(SCRATCH, "1")
    path = tmp_path / "faulty.json"
    path.write_text(content)
    with pytest.raises(CommandError, match="not readable as locomo"):
        call_command("evaluate", "locomo", data=path)


def test_filters_that_leave_nothing_say_so(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SCRATCH, "1")
    with pytest.raises(CommandError, match="No question is left"):
        call_command("evaluate", "locomo", data=data, only=["conv-9"])

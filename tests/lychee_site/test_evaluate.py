"""`manage.py evaluate` measures in a scratch folder and leaves the user's alone."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from lychee_site.env import BASE_DIR
from lychee_site.management.commands.evaluate import SCRATCH
from memory.providers.registry import warm_up_model
from tests.model_server import ModelServer
from tests.model_server.configured import configured
from tests.model_server.steps import fail

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
    report = json.loads((out / "report.json").read_text())
    rows = {row["system"]: row for row in report["retrieval"]}
    assert set(rows) == {"whole", "records only", "raw turns only", "plain BM25", "plain dense"}
    assert rows["whole"]["measures"]["hit@1"] == 1
    assert "## Retrieval" in finished.stdout
    assert not (own / "lychee.sqlite3").exists()
    assert not (own / "index").exists()


@pytest.mark.parametrize("content", ["", "[]x", "[1]", '{"a": 1}'])
def test_a_file_of_another_shape_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
):
    monkeypatch.setenv(SCRATCH, "1")
    path = tmp_path / "faulty.json"
    path.write_text(content)
    with pytest.raises(CommandError, match=r"not readable as locomo data\..*faulty\.json"):
        call_command("evaluate", "locomo", data=path)


def test_filters_that_leave_nothing_say_so(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SCRATCH, "1")
    with pytest.raises(CommandError, match="No question is left"):
        call_command("evaluate", "locomo", data=data, only=["conv-9"])


def measure(out: Path, data: Path, *more: str) -> str:
    """The command in this process and its database, as its subprocess runs it."""
    said = StringIO()
    call_command("evaluate", "locomo", "--data", str(data), "--out", str(out), "--quiet", *more, stdout=said)
    return said.getvalue()


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two dialogues of other people and topics."""
    other = json.loads(json.dumps(DIALOGUE).replace("conv-1", "conv-2").replace("Ann", "Eve"))
    other[0]["conversation"]["session_1"][0]["text"] = "I climbed the volcano of Stromboli."
    other[0]["qa"][0]["question"] = "Which volcano did Eve climb?"
    path = tmp_path / "two.json"
    path.write_text(json.dumps([*DIALOGUE, *other]))
    return path


@pytest.mark.django_db
class TestMeasuring:
    @pytest.fixture(autouse=True)
    def _scratch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SCRATCH, "1")

    def test_the_same_command_goes_on_and_another_is_refused(self, two: Path, tmp_path: Path):
        out = tmp_path / "out"
        measure(out, two, "--only", "conv-1")
        users = User.objects.count()
        text = measure(out, two)
        assert User.objects.count() == users + 1, "the first dialogue is not told again"
        assert "| conv-2 | 1 |" in text
        with pytest.raises(CommandError, match="another recipe"):
            measure(out, two, "--recipe", "fast")

    def test_options_add_their_parts(self, two: Path, tmp_path: Path):
        options = (
            "--ablate",
            "eager",
            "--ablate",
            "no_planner",
            "--foreign",
            "--shift-days",
            "365",
            "--join-sessions",
        )
        text = measure(tmp_path / "out", two, *options, "--context-tokens", "300")
        for told in (
            "| eager, records only |",
            "| no_planner |",
            "at most 300 tokens",
            "of another dialogue | 2",
        ):
            assert told in text

    def test_two_folders_are_compared(self, two: Path, tmp_path: Path):
        for name, recipe in (("a", "standard"), ("b", "fast")):
            measure(tmp_path / name, two, "--recipe", recipe)
        said = StringIO()
        call_command(
            "evaluate", "--compare", str(tmp_path / "a"), f"{tmp_path / 'b'}:plain BM25", stdout=said
        )
        assert "| all | 2 | 1.000 |" in said.getvalue()
        with pytest.raises(CommandError, match="no finished dialogue"):
            call_command("evaluate", "--compare", str(tmp_path / "a"), str(tmp_path / "none"))

    def test_with_a_model_answers_are_judged_and_tokens_counted(self, data: Path, tmp_path: Path):
        with ModelServer() as server, configured(server):
            warm_up_model()  # or else a busy machine takes longer than the lease of the first job
            text = measure(tmp_path / "out", data, "--llm")
        assert "## End to end" in text
        assert "| all | 1 |" in text
        assert "## Generative tokens" in text
        assert server.of("encode")

    def test_a_model_that_fails_is_told_in_a_sentence(self, data: Path, tmp_path: Path):
        with (
            ModelServer(default=fail(401)) as server,
            configured(server),
            pytest.raises(CommandError, match="The same command goes on"),
        ):
            measure(tmp_path / "out", data, "--llm")

    def test_a_model_must_be_configured_to_be_used(self, data: Path, tmp_path: Path):
        with pytest.raises(CommandError, match="set LLM_MODEL"):
            measure(tmp_path / "out", data, "--llm")


def test_a_benchmark_needs_its_data():
    with pytest.raises(CommandError, match="Name a benchmark and its --data"):
        call_command("evaluate", "beam")

"""`calibrate_embedder` as a person types it."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.config import LOCAL_EMBEDDER, FusionConfig, IngestConfig, RecallConfig
from memory.domain.cosines import CALIBRATIONS, Calibration
from memory.services import fuse
from memory.services.calibrate import EXAMPLES
from memory.stores import registry
from tests.model_server import ModelServer, fail
from tests.model_server.configured import configured


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path: Path) -> None:
    settings.INDEX_DIR = tmp_path / "index"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Its vectors are counts of words: cosines unlike those of a language model."""
    with ModelServer() as running:
        running.dimension = 256
        named = {"model": "openai/embed-model", "api_key": "", "api_base": running.url}
        with configured(running, EMBEDDING=named, EMBEDDING_DIM=256):
            yield running


def run(*command: str) -> list[str]:
    out = StringIO()
    call_command("calibrate_embedder", *command, stdout=out)
    return out.getvalue().splitlines()


def test_the_local_embedder_keeps_its_numbers_however_often_it_is_measured(tmp_path: Path):
    first = run("--out", str(tmp_path / "plot.png"))
    assert first[-1].startswith("Calibrated all-MiniLM-L6-v2-int8 (384 dimensions) on 32 facts and 44 exch")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert registry.calibrations().read(LOCAL_EMBEDDER) == CALIBRATIONS[LOCAL_EMBEDDER]
    assert run() == first


def test_another_embedder_is_measured_told_and_used_from_then_on(server: ModelServer):
    assert registry.calibration() == Calibration()
    said = run()
    after = registry.calibration()
    assert after == registry.known_calibration() != Calibration()
    assert after.surprise.offset > 0.2, "exchanges that go on share few words"
    assert f"surprise offset      0.20   {after.surprise.offset:.2f}" in said
    assert said[-1].startswith("Calibrated openai/embed-model (256 dimensions)")
    assert not said[-1].endswith(" 0 tokens."), "what it took is told"
    assert after.for_fusion(FusionConfig()).duplicate_cosine == after.duplicate_cosine
    assert run()[:-1] != said[:-1], "old is now what new was"
    assert registry.calibration() == after


def test_recall_filing_and_fusion_read_it(server: ModelServer, monkeypatch: pytest.MonkeyPatch, db: None):
    from uuid import uuid4

    from memory.domain.types import Reader, RecallRequest
    from memory.services import recall
    from sessions_app.services import segments
    from tests.memory.indexing import NOON

    run()
    measured = registry.calibration()
    seen: dict[str, object] = {}

    class Seen(Exception):
        pass

    def watch(name: str, place: int):
        def stop(*given: object, **more: object) -> None:
            seen[name] = [*given, *more.values()][place]
            raise Seen

        return stop

    monkeypatch.setattr(recall, "prepare", watch("recall", 1))
    with pytest.raises(Seen):
        recall.recall(RecallRequest("Which dog?", Reader(uuid4(), uuid4()), NOON, "UTC"))
    monkeypatch.setattr(fuse, "_await_vectors", lambda space_id: None)
    monkeypatch.setattr(fuse, "claim_fusion", watch("fusion", 1))
    with pytest.raises(Seen):
        fuse.fuse_fully(uuid4(), lambda *step: None)
    monkeypatch.setattr(segments, "_horizon", lambda session: 0)
    monkeypatch.setattr(segments, "_resume", watch("ingest", 1))
    with pytest.raises(Seen):
        segments.file_turns(None, is_flushing=False)  # type: ignore[arg-type]
    assert seen == {
        "recall": measured.for_recall(RecallConfig.STANDARD),
        "fusion": measured.for_fusion(FusionConfig()),
        "ingest": measured.for_ingest(IngestConfig()),
    }


def test_examples_of_ones_own_may_be_given(tmp_path: Path):
    own = tmp_path / "own.jsonl"
    own.write_text("\n".join(line for line in EXAMPLES.read_text().splitlines() if "Nora" not in line))
    assert "on 30 facts" in run("--data", str(own))[-1]


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "cannot be read"), ("{", "Line 1 cannot be read"), ("", "can read 0 facts of the set")],
)
def test_examples_that_do_not_serve_are_refused_and_nothing_is_kept(
    tmp_path: Path, content: str | None, why: str
):
    data = tmp_path / "own.jsonl"
    if content is not None:
        data.write_text(content)
    with pytest.raises(CommandError, match=why):
        run("--data", str(data))
    assert registry.calibrations().read(LOCAL_EMBEDDER) is None


def test_an_embedder_that_does_not_answer_is_told_in_a_line(server: ModelServer):
    server.script(fail(401))
    with pytest.raises(CommandError, match="EMBEDDING_API_KEY"):
        run()
    assert registry.known_calibration() is None


def test_a_picture_without_a_place_is_told_in_a_line(tmp_path: Path):
    with pytest.raises(CommandError, match="picture could not be written"):
        run("--out", str(tmp_path / "nowhere" / "plot.png"))

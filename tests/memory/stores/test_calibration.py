"""What was measured of an embedder, in a file beside the index."""

from pathlib import Path

import pytest

from memory.config import LOCAL_EMBEDDER, EmbedderSpec, SurpriseScale
from memory.domain.cosines import CALIBRATIONS, Calibration
from memory.stores import registry
from memory.stores.calibration import CalibrationFiles
from tests.memory.indexing import NOON

SPEC = EmbedderSpec("openai/text-embedding-3-small", 1536)
MEASURED = Calibration(surprise=SurpriseScale(0.3, 0.2), duplicate_cosine=0.91)


@pytest.fixture
def files(tmp_path: Path) -> CalibrationFiles:
    return CalibrationFiles(tmp_path / "calibration")


def test_is_read_as_it_was_written_by_name_and_dimension(files: CalibrationFiles):
    assert files.read(SPEC) is None
    files.write(SPEC, MEASURED, measured_at=NOON)
    assert files.read(SPEC) == MEASURED
    assert files.read(EmbedderSpec(SPEC.name, 512)) is None
    assert files.read(EmbedderSpec("openai/another", SPEC.dimension)) is None


def test_written_again_takes_the_place_of_the_one_before(files: CalibrationFiles):
    first = files.write(SPEC, MEASURED, measured_at=NOON)
    assert files.write(SPEC, Calibration(), measured_at=NOON) == first
    assert files.read(SPEC) == Calibration()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"values": {}}',
        b'{"values": {"surprise": {"offset": 0.1, "width": 0}}}',
        b'{"values": {"surprise": {"offset": 0.1, "width": 0.1}, "duplicate_cosine": "much"}}',
        b'{"values": {"surprise": {"offset": 0.1, "width": 0.1}, "height": 0.5}}',
    ],
)
def test_a_damaged_one_counts_as_none_and_the_log_says_so(
    files: CalibrationFiles, content: bytes, caplog: pytest.LogCaptureFixture
):
    path = files.write(SPEC, MEASURED, measured_at=NOON)
    path.write_bytes(content)
    assert files.read(SPEC) is None
    assert "cannot be read" in caplog.text


def test_in_use_is_what_was_measured_else_what_comes_along_else_the_defaults(settings, tmp_path: Path):
    settings.INDEX_DIR = tmp_path
    assert registry.calibration() == CALIBRATIONS[LOCAL_EMBEDDER]
    registry.calibrations().write(LOCAL_EMBEDDER, MEASURED, measured_at=NOON)
    assert registry.calibration() == MEASURED
    settings.EMBEDDING = {**settings.EMBEDDING, "model": SPEC.name}
    settings.EMBEDDING_DIM = SPEC.dimension
    assert registry.known_calibration() is None
    assert registry.calibration() == Calibration()
    registry.calibrations().write(SPEC, MEASURED, measured_at=NOON)
    assert registry.calibration() == MEASURED


def test_what_was_measured_can_be_put_beside_another_index(settings, tmp_path: Path):
    settings.INDEX_DIR = tmp_path / "mine"
    registry.copy_calibrations(tmp_path / "scratch")
    assert not (tmp_path / "scratch").exists(), "nothing was measured"
    registry.calibrations().write(LOCAL_EMBEDDER, MEASURED, measured_at=NOON)
    registry.copy_calibrations(tmp_path / "scratch")
    settings.INDEX_DIR = tmp_path / "scratch"
    assert registry.calibration() == MEASURED

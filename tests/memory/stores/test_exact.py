"""What is the exact store's own: torn tails, rewriting, files by space."""

from pathlib import Path
from uuid import uuid4

import pytest

from memory.config import EmbedderSpec
from memory.domain.types import Kind
from memory.stores.exact import ExactTable
from tests.memory.stores.test_matrix import rows

SPEC = EmbedderSpec("test-model", 2)
SPACE = uuid4()


@pytest.fixture
def table(tmp_path: Path) -> ExactTable:
    return ExactTable(tmp_path, SPEC)


def file_of(folder: Path) -> Path:
    (path,) = folder.glob("*/*.rows")
    return path


def test_a_record_torn_by_a_kill_is_ignored(table: ExactTable, tmp_path: Path):
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    content = file_of(tmp_path).read_bytes()
    file_of(tmp_path).write_bytes(content + content[:10])
    assert table.seqs(SPACE, Kind.TURN) == {1: 1}
    table.write(SPACE, Kind.TURN, rows({2: 0.5}, seq=2))
    assert table.seqs(SPACE, Kind.TURN) == {1: 1, 2: 2}


def test_maintenance_drops_what_no_longer_counts(table: ExactTable, tmp_path: Path):
    for seq in range(1, 6):
        table.write(SPACE, Kind.TURN, rows({1: seq / 10}, seq=seq))
    size = file_of(tmp_path).stat().st_size
    table.optimize()
    assert file_of(tmp_path).stat().st_size == size // 5
    (vector,) = table.fetch(SPACE, Kind.TURN, [1]).vectors
    assert vector[0] == pytest.approx(0.5)


def test_maintenance_leaves_another_embedders_files_alone(table: ExactTable, tmp_path: Path):
    other = ExactTable(tmp_path, EmbedderSpec("another", 3))
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    table.remove(SPACE, Kind.TURN, [1])
    before = file_of(tmp_path).read_bytes()
    other.optimize()
    assert file_of(tmp_path).read_bytes() == before


def test_dropping_a_space_removes_its_folder(table: ExactTable, tmp_path: Path):
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    table.drop_space(SPACE)
    assert list(tmp_path.iterdir()) == []
    assert table.count(SPACE, Kind.TURN) == 0

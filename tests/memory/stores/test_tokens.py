"""The token files: what is written is read back by every process, whatever was torn."""

from pathlib import Path
from uuid import UUID, uuid4

import numpy as np
import pytest

from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind
from memory.ports import TokenVectors
from memory.stores.tokens import TokenFiles

SPEC = EmbedderSpec("test-model", 3)
SPACE = uuid4()


@pytest.fixture
def store(tmp_path: Path) -> TokenFiles:
    return TokenFiles(tmp_path, SPEC)


def tokens(*rows: int) -> TokenVectors:
    return np.array([[row, row + 1, row + 2] for row in rows], np.int8)


def read(store: TokenFiles, *items: int, space: UUID = SPACE) -> list[list[list[int]] | None]:
    found = store.read(space, Kind.TURN, items)
    return [None if one is None else one.tolist() for one in found]


def only_file(folder: Path, ending: str) -> Path:
    (path,) = folder.glob(f"*/*{ending}")
    return path


def test_what_is_written_is_read_in_the_order_asked_for(store: TokenFiles):
    store.write(SPACE, Kind.TURN, {1: tokens(1, 2), 2: tokens(7)})
    assert read(store, 2, 9, 1) == [[[7, 8, 9]], None, [[1, 2, 3], [2, 3, 4]]]
    assert store.items(SPACE, Kind.TURN) == {1, 2}


def test_nothing_is_there_before_the_first_write(store: TokenFiles, tmp_path: Path):
    assert read(store, 1) == [None]
    store.delete(SPACE, Kind.TURN, [1])
    store.write(SPACE, Kind.TURN, {})
    assert list(tmp_path.iterdir()) == []


def test_of_two_writes_of_an_item_the_last_counts(store: TokenFiles):
    store.write(SPACE, Kind.TURN, {1: tokens(1), 2: tokens(2)})
    store.write(SPACE, Kind.TURN, {1: tokens(5, 6)})
    assert read(store, 1, 2) == [[[5, 6, 7], [6, 7, 8]], [[2, 3, 4]]]


def test_the_bytes_of_a_removed_item_are_blanked_at_once(store: TokenFiles, tmp_path: Path):
    store.write(SPACE, Kind.TURN, {1: tokens(1), 2: tokens(50, 60), 3: tokens(9)})
    reader = TokenFiles(tmp_path, SPEC)
    before = reader.read(SPACE, Kind.TURN, [2])[0]
    store.delete(SPACE, Kind.TURN, [2])
    assert only_file(tmp_path, ".int8").read_bytes() == bytes([1, 2, 3, *[0] * 6, 9, 10, 11])
    assert before is not None
    assert not before.any()  # a reader that mapped it sees nothing of it either
    assert read(store, 1, 3) == [[[1, 2, 3]], [[9, 10, 11]]]


def test_a_removed_item_is_missing_and_can_come_back(store: TokenFiles):
    store.write(SPACE, Kind.TURN, {1: tokens(1), 2: tokens(2)})
    store.delete(SPACE, Kind.TURN, [1, 99])
    assert read(store, 1, 2) == [None, [[2, 3, 4]]]
    store.write(SPACE, Kind.TURN, {1: tokens(4)})
    assert read(store, 1) == [[[4, 5, 6]]]


def test_spaces_and_kinds_are_kept_apart(store: TokenFiles):
    store.write(SPACE, Kind.RECORD, {1: tokens(1)})
    assert read(store, 1) == [None]
    assert read(store, 1, space=uuid4()) == [None]


def test_another_process_sees_every_write(store: TokenFiles, tmp_path: Path):
    other = TokenFiles(tmp_path, SPEC)
    assert read(other, 1) == [None]
    store.write(SPACE, Kind.TURN, {1: tokens(1)})
    assert read(other, 1) == [[[1, 2, 3]]]
    store.write(SPACE, Kind.TURN, {2: tokens(2)})
    store.delete(SPACE, Kind.TURN, [1])
    assert read(other, 1, 2) == [None, [[2, 3, 4]]]


def test_a_torn_entry_at_the_end_is_ignored_and_written_over(store: TokenFiles, tmp_path: Path):
    store.write(SPACE, Kind.TURN, {1: tokens(1)})
    with open(only_file(tmp_path, ".list"), "ab") as file:
        file.write(b"\x07\x00\x00")
    again = TokenFiles(tmp_path, SPEC)
    assert read(again, 1) == [[[1, 2, 3]]]
    again.write(SPACE, Kind.TURN, {2: tokens(2)})
    assert read(again, 1, 2) == [[[1, 2, 3]], [[2, 3, 4]]]
    assert read(store, 1, 2) == [[[1, 2, 3]], [[2, 3, 4]]]


def test_lost_or_damaged_data_reads_as_missing(store: TokenFiles, tmp_path: Path):
    store.write(SPACE, Kind.TURN, {1: tokens(1), 2: tokens(2), 3: tokens(3)})
    data = only_file(tmp_path, ".int8")
    content = bytearray(data.read_bytes())
    content[0] = 99
    data.write_bytes(content[:-1])
    assert read(TokenFiles(tmp_path, SPEC), 1, 2, 3) == [None, [[2, 3, 4]], None]


def test_data_left_by_a_kill_before_its_entry_do_no_harm(store: TokenFiles, tmp_path: Path):
    store.write(SPACE, Kind.TURN, {1: tokens(1)})
    with open(only_file(tmp_path, ".int8"), "ab") as file:
        file.write(b"\x01\x02")
    store.write(SPACE, Kind.TURN, {2: tokens(2)})
    assert read(store, 1, 2) == [[[1, 2, 3]], [[2, 3, 4]]]


def test_dead_bytes_are_dropped_once_they_are_too_many(tmp_path: Path):
    store = TokenFiles(tmp_path, SPEC, IndexConfig(compact_dead_share=0.5))
    store.write(SPACE, Kind.TURN, {n: tokens(n) for n in range(10)})
    first = only_file(tmp_path, ".int8")
    other = TokenFiles(tmp_path, SPEC)
    held = other.read(SPACE, Kind.TURN, [8])[0]
    store.delete(SPACE, Kind.TURN, [0, 1, 2, 3, 4, 5, 6])
    second = only_file(tmp_path, ".int8")
    assert second != first
    assert second.stat().st_size == 3 * 3
    assert read(store, 1, 8) == [None, [[8, 9, 10]]]
    assert read(other, 1, 8) == [None, [[8, 9, 10]]]
    assert held is not None
    assert held.tolist() == [[8, 9, 10]]


def test_dropping_a_space_removes_every_byte_and_leaves_the_others(store: TokenFiles, tmp_path: Path):
    other_process, other_space = TokenFiles(tmp_path, SPEC), uuid4()
    store.write(SPACE, Kind.TURN, {1: tokens(1)})
    store.write(other_space, Kind.TURN, {1: tokens(9)})
    read(other_process, 1)
    store.drop_space(SPACE)
    assert [path.name for path in tmp_path.iterdir()] == [other_space.hex]
    assert read(store, 1) == read(other_process, 1) == [None]
    store.write(SPACE, Kind.TURN, {2: tokens(2)})
    assert read(other_process, 1, 2) == [None, [[2, 3, 4]]]
    assert read(store, 1, space=other_space) == [[[9, 10, 11]]]


def test_another_embedders_tokens_are_not_read(store: TokenFiles, tmp_path: Path):
    store.write(SPACE, Kind.TURN, {1: tokens(1)})
    assert read(TokenFiles(tmp_path, EmbedderSpec("another", 3)), 1) == [None]

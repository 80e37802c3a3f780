"""Files that several processes append to."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from memory.stores.files import append_records, locked, read_records, replace_file

RECORD: np.dtype[np.void] = np.dtype([("a", "<i4"), ("b", "<i2")])


def records(*numbers: int) -> np.ndarray:
    return np.array([(n, -n) for n in numbers], RECORD)


def numbers(path: Path, **options: int) -> list[int]:
    return [int(n) for n in read_records(path, RECORD, **options)["a"]]


def test_a_missing_file_holds_nothing(tmp_path: Path):
    assert numbers(tmp_path / "none") == []


def test_records_are_read_from_a_number_on_and_no_more_than_asked(tmp_path: Path):
    path = tmp_path / "file"
    append_records(path, records(1, 2))
    append_records(path, records(3))
    assert numbers(path) == [1, 2, 3]
    assert numbers(path, start=2) == [3]
    assert numbers(path, count=1) == [1]
    assert numbers(path, start=3) == numbers(path, start=9) == []


def test_a_torn_record_is_not_read_and_gives_way_to_the_next(tmp_path: Path):
    path = tmp_path / "file"
    append_records(path, records(1))
    with open(path, "ab") as file:
        file.write(b"\x09\x00")
    assert numbers(path) == [1]
    append_records(path, records(2))
    assert numbers(path) == [1, 2]


def test_a_replaced_file_is_the_new_one_and_leaves_nothing_beside_it(tmp_path: Path):
    path = tmp_path / "file"
    append_records(path, records(1))
    replace_file(path, records(7).tobytes())
    assert numbers(path) == [7]
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_under_the_lock_no_append_is_lost(tmp_path: Path):
    path = tmp_path / "folder" / "file"

    def add(number: int) -> None:
        with locked(path):
            held = numbers(path)
            replace_file(path, records(*held, number).tobytes())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(40)))
    assert sorted(numbers(path)) == list(range(40))

"""Files are read plain or gzipped, and every fault is one sentence with its place."""

from pathlib import Path

import pytest

from evaluation.loaders.files import BadData, items_of, read_json, reading, text_of
from tests.evaluation.loaders.shapes import write_json


@pytest.mark.parametrize("name", ["data.json", "data.json.gz"])
def test_json_is_read_plain_and_gzipped(tmp_path: Path, name: str):
    assert read_json(write_json(tmp_path / name, {"a": ["ü"]})) == {"a": ["ü"]}


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("data.json", b"[1, 2", "is no JSON"),
        ("data.json", b"\xff\xfe\x00", "cannot be read"),
        ("data.json.gz", b"not gzipped", "cannot be read"),
        ("data.json.gz", b"\x1f\x8b", "cannot be read"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, content: bytes, fault: str):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadData, match=fault) as raised:
        read_json(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path):
    with pytest.raises(BadData, match="no such file"):
        read_json(tmp_path / "none.json")
    with pytest.raises(BadData, match="is a folder"):
        read_json(tmp_path)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (KeyError("answer"), "item 3: 'answer' is missing"),
        (TypeError("no list"), "item 3: no list"),
        (ValueError("no date"), "item 3: no date"),
        (AttributeError("no get"), "item 3: no get"),
    ],
)
def test_a_fault_of_shape_says_where(tmp_path: Path, fault: Exception, told: str):
    with pytest.raises(BadData, match=told), reading(tmp_path, "item 3"):
        raise fault


def test_the_innermost_place_is_kept_and_other_errors_pass(tmp_path: Path):
    with (
        pytest.raises(BadData, match="inner: 'x' is missing"),
        reading(tmp_path, "outer"),
        reading(tmp_path, "inner"),
    ):
        raise KeyError("x")
    with pytest.raises(RuntimeError), reading(tmp_path):
        raise RuntimeError


def test_a_list_must_hold_something_and_a_text_too(tmp_path: Path):
    assert items_of(tmp_path, [1]) == [1]
    assert text_of("x", "question") == "x"
    wrongs: tuple[object, ...] = ("", {}, [], None, 3)
    for wrong in wrongs:
        with pytest.raises(BadData, match="a list with at least one item"):
            items_of(tmp_path, wrong)
    for blank in ("", "  ", None, 3):
        with pytest.raises(ValueError, match="question is no text"):
            text_of(blank, "question")

"""Do questions find images: the counting, on captions that can be checked by hand."""

import json
from pathlib import Path

import pytest

from evaluation.loaders.files import BadData
from evaluation.pictures import Picture, load_pictures, measure_pictures
from tests.visual.conftest import image_dir  # noqa: F401 - a fixture

CONVERSATION = {
    "session_10": [{"text": "Later.", "query": "late bus", "blip_caption": "a photo of a bus"}],
    "session_2": [
        {"text": "My new bike!", "query": "red bicycle", "blip_caption": "a photo of a bicycle"},
        {"text": "No image.", "blip_caption": "a photo"},
    ],
    "session_2_date_time": "1:00 pm on 1 May, 2023",
}


def test_turns_with_both_are_read_session_by_session(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"conversation": CONVERSATION}]))
    assert load_pictures(path) == [
        [
            Picture("red bicycle", "a photo of a bicycle", "My new bike!"),
            Picture("late bus", "a photo of a bus", "Later."),
        ]
    ]


@pytest.mark.parametrize("content", ["{}", "[{}]", "no json"])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(BadData):
        load_pictures(path)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("image_dir")
def test_each_system_is_counted_over_the_same_questions() -> None:
    pictures = [Picture(f"thing{n}", f"a photo of thing{n}", f"said{n}") for n in range(8)]
    pictures.append(Picture("said0 and nothing else", "a photo of a cloud", "zebra"))
    bare, captions, around = measure_pictures([pictures])
    assert (bare.questions, captions.questions, around.questions) == (9, 9, 9)
    assert (bare.hits, captions.hits >= 8, around.hits >= 8) == (8, True, True)
    assert bare.rate == pytest.approx(8 / 9)

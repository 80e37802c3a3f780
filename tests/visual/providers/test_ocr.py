"""RapidOCR through the real library, where it is installed; what it is given, everywhere."""

from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.visual.pictures import encoded, plain
from visual.providers.ocr import RapidReader, is_installed

pytestmark = pytest.mark.filterwarnings("ignore")
real = pytest.mark.skipif(not is_installed(), reason="rapidocr is not installed")


@pytest.mark.parametrize(
    ("size", "given"),
    [
        ((640, 200), [(640, 200)]),
        ((7_000, 7_000), [(2_000, 2_000)]),
        ((10, 2_000), [(250, 2_000)]),
        ((3_000, 30), [(2_000, 250)]),
        ((1, 20_000), []),
        ((60_000, 1), []),
        ((3, 3), []),
    ],
)
def test_no_strip_is_blown_up_to_an_image_of_minutes(size: tuple[int, int], given: list[object]) -> None:
    seen: list[tuple[int, int]] = []

    def engine(pixels: Any) -> SimpleNamespace:
        seen.append((pixels.shape[1], pixels.shape[0]))
        return SimpleNamespace(txts=("read",), scores=(0.9,))

    reader = RapidReader()
    reader.__dict__["_engine"] = engine
    assert reader.read(plain(size=size)) == ("read" if given else "")
    assert seen == given


@real
def test_what_is_written_is_read_line_by_line():
    image = Image.new("RGB", (640, 200), "white")
    draw = ImageDraw.Draw(image)
    draw.text((30, 30), "PLATFORM NINE", fill="black", font=ImageFont.load_default(48))
    draw.text((30, 110), "TRAIN 4711", fill="black", font=ImageFont.load_default(48))
    read = RapidReader().read(encoded(image)).upper().split("\n")
    assert [line.replace(" ", "") for line in read] == ["PLATFORMNINE", "TRAIN4711"]


@real
def test_where_nothing_is_written_nothing_is_read():
    assert RapidReader().read(plain()) == ""

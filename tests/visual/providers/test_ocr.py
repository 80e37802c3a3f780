"""RapidOCR through the real library; skipped where it is not installed."""

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.visual.pictures import encoded, plain
from visual.providers.ocr import RapidReader, is_installed

pytestmark = [
    pytest.mark.skipif(not is_installed(), reason="rapidocr is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


def test_what_is_written_is_read_line_by_line():
    image = Image.new("RGB", (640, 200), "white")
    draw = ImageDraw.Draw(image)
    draw.text((30, 30), "PLATFORM NINE", fill="black", font=ImageFont.load_default(48))
    draw.text((30, 110), "TRAIN 4711", fill="black", font=ImageFont.load_default(48))
    read = RapidReader().read(encoded(image)).upper().split("\n")
    assert [line.replace(" ", "") for line in read] == ["PLATFORMNINE", "TRAIN4711"]


def test_where_nothing_is_written_nothing_is_read():
    assert RapidReader().read(plain()) == ""

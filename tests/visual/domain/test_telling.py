"""An image in words."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from visual.domain.telling import (
    alt_text,
    index_text,
    name_words,
    plain_words,
    title_of,
    told,
)
from visual.domain.types import Visual

BARE = Visual(
    id=uuid4(),
    space_id=uuid4(),
    private_to=None,
    session_id=uuid4(),
    seen_at=datetime(2026, 7, 1, tzinfo=UTC),
    name="",
    mime="image/png",
    width=640,
    height=480,
    byte_size=1_000,
    frames=1,
    image_hash="0" * 64,
    colors=("#d21e28", "#ffffff"),
    caption="",
    scene_type="",
    entities=(),
    structured={},
    text_in_image="",
    words_around="",
    importance=0.5,
    is_caption_due=True,
    is_pinned=False,
    recall_count=0,
    last_recalled_at=None,
    expired_at=None,
    expired_reason="",
    retention=1.0,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("my-red_bike.jpg", "my red bike"),
        ("IMG_2041.JPG", ""),
        ("DSC00012.jpeg", ""),
        ("Screenshot 2026-05-01.png", ""),
        ("图片 花园.png", "图片 花园"),
        ("", ""),
    ],
)
def test_a_files_name_tells_what_a_person_wrote_into_it(name: str, words: str):
    assert name_words(name) == words


def test_everything_that_is_told_of_an_image_is_indexed():
    image = replace(
        BARE,
        caption="A bicycle.",
        entities=("Nora",),
        structured={"total": "12 €"},
        text_in_image="SALE",
        name="garden-gate.png",
        words_around="Look at my new bike!",
    )
    text = index_text(image)
    for word in ("A bicycle", "Nora", "total: 12 €", "SALE", "garden gate", "my new bike"):
        assert word in text
    assert "mostly" not in text


def test_an_image_nobody_has_described_is_indexed_by_kind_shape_and_colours():
    assert index_text(BARE) == plain_words(BARE) == "PNG image, wide, mostly red and white"
    assert plain_words(replace(BARE, mime="image/jpeg", width=100, height=400)).startswith("JPG image, tall")


def test_a_model_reads_the_caption_and_what_is_written_in_the_image():
    image = replace(BARE, caption="A receipt.", scene_type="document", text_in_image="TOTAL 12")
    assert told(image) == "[document: A receipt.]\n[written in it: TOTAL 12]"
    assert "…]" in told(replace(image, text_in_image="x" * 5_000))


def test_a_model_is_told_when_nobody_has_described_an_image():
    line = told(replace(BARE, name="cat.png"))
    assert line == (
        "[image named cat.png, 640×480, PNG image, wide, mostly red and white; nobody has described it]"
    )


def test_people_who_cannot_see_an_image_get_its_caption_or_what_is_known():
    assert alt_text(replace(BARE, caption="A bicycle.")) == "A bicycle."
    assert alt_text(replace(BARE, name="cat.png")) == "cat.png, PNG image, wide, mostly red and white"


def test_people_call_an_image_by_its_caption_or_its_name_or_what_is_seen_at_once():
    assert title_of(replace(BARE, caption="A red\nbicycle.", name="cat.png")) == "A red bicycle."
    assert title_of(replace(BARE, name="cat.png")) == "cat.png"
    assert title_of(BARE) == "PNG image, wide, mostly red and white"

"""Looks and colours, told from pixels alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.visual.pictures import BLUE, RED, scene
from visual.domain.pixels import (
    HASH_SIDE,
    color_names,
    dominant_colors,
    likeness,
    perceptual_hash,
    signed,
    unsigned,
)


def looks(image: Image.Image) -> int:
    return perceptual_hash(np.asarray(image.convert("L").resize((HASH_SIDE, HASH_SIDE)), np.float64))


def alike(one: int, other: int) -> float:
    return float(likeness(one, np.array([other], np.uint64))[0])


def test_the_same_picture_smaller_or_darker_looks_nearly_the_same():
    original = looks(scene(1))
    assert alike(original, looks(scene(1).resize((160, 120)))) > 0.9
    assert alike(original, looks(scene(1).point(lambda value: value * 0.8))) > 0.9


def test_other_pictures_look_different():
    others = [alike(looks(scene(1)), looks(scene(seed))) for seed in (2, 3, 4, 5)]
    assert max(others) < 0.7


def test_likeness_counts_differing_bits():
    assert alike(0b1111, 0b1111) == 1.0
    assert alike(0b1111, 0b1110) == pytest.approx(1 - 2 / 64)
    assert alike(0, (1 << 64) - 1) == 0.0


@given(st.integers(0, (1 << 64) - 1))
def test_a_database_keeps_every_hash(bits: int):
    assert -(1 << 63) <= signed(bits) < 1 << 63
    assert unsigned(signed(bits)) == bits


def test_what_there_is_most_of_comes_first():
    pixels = np.array([RED] * 70 + [BLUE] * 30, np.uint8)
    assert dominant_colors(pixels, 3) == ("#d21e28", "#285ad2")
    assert dominant_colors(pixels, 1) == ("#d21e28",)


def test_near_shades_count_as_one_colour():
    pixels = np.array([(200, 20, 30)] * 50 + [(212, 28, 44)] * 40 + [(255, 255, 255)] * 10, np.uint8)
    assert len(dominant_colors(pixels, 3)) == 2


@pytest.mark.parametrize(
    ("color", "name"),
    [
        ("#d21e28", "red"),
        ("#000000", "black"),
        ("#fefefe", "white"),
        ("#2a55cc", "blue"),
        ("#3a9140", "green"),
    ],
)
def test_colours_have_the_names_that_people_give_them(color: str, name: str):
    assert color_names([color, color]) == (name,)

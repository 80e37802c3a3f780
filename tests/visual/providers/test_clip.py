"""CLIP through the real library, with random weights: shapes, order, sameness; skipped without torch."""

from importlib.util import find_spec

import numpy as np
import pytest

from memory.errors import ProviderError
from tests.visual.pictures import BLUE, RED, plain
from visual.providers.clip import PACKAGES, RANDOM, OpenClip, why_no_packages

needs_torch = pytest.mark.skipif(
    any(find_spec(package) is None for package in PACKAGES), reason="torch or open_clip is not installed"
)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def clip() -> OpenClip:
    return OpenClip("ViT-B-32", RANDOM)


@needs_torch
def test_images_become_unit_vectors_in_their_order(clip: OpenClip):
    vectors = clip.embed_images([plain(RED), plain(BLUE), plain(RED)])
    assert vectors.shape == (3, 512)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert vectors[0] != pytest.approx(vectors[1], abs=1e-5)


@needs_torch
def test_a_text_lies_in_the_same_space_however_long_it_is(clip: OpenClip):
    for text in ("a red door", "word " * 1_000, ""):
        assert clip.embed_text(text).shape == (512,)


@needs_torch
def test_no_images_are_no_vectors(clip: OpenClip):
    assert clip.embed_images([]).shape == (0, 512)


@needs_torch
def test_every_process_makes_the_same_vectors(clip: OpenClip):
    again = OpenClip("ViT-B-32", RANDOM).embed_images([plain(RED)])
    assert again == pytest.approx(clip.embed_images([plain(RED)]), abs=1e-5)


@needs_torch
def test_weights_that_are_nowhere_are_told_in_words():
    with pytest.raises(ProviderError, match="CLIP_WEIGHTS"):
        OpenClip("ViT-B-32", "/nowhere/weights.pt").embed_text("x")


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_without_the_packages_it_says_what_to_install():
    assert "requirements/visual.txt" in why_no_packages()
    with pytest.raises(ProviderError):
        OpenClip("ViT-B-32", RANDOM).embed_text("x")


def test_its_name_tells_the_weights_and_no_path():
    assert OpenClip("ViT-B-32", "/secret/place/laion.pt").name == "ViT-B-32/laion.pt"
    assert OpenClip("ViT-L-14", RANDOM).dimension == 768

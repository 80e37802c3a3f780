"""Scores: in bounds, monotone, and by the numbers of the specification."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visual.config import VisualWeights
from visual.domain.scoring import alike_score, caption_score, fused_score, image_score, weighed_score

WEIGHTS = VisualWeights()
SHARES = st.floats(0, 1)
COSINES = st.floats(-1, 1)


def test_looks_count_for_six_tenths_and_words_for_four():
    assert fused_score(1.0, 0.0, WEIGHTS) == pytest.approx(0.6)
    assert fused_score(0.0, 1.0, WEIGHTS) == pytest.approx(0.4)
    assert fused_score(0.5, 0.25, WEIGHTS) == pytest.approx(0.4)


def test_where_a_channel_is_off_the_other_carries_alone():
    assert fused_score(None, 0.7, WEIGHTS) == 0.7
    assert fused_score(0.3, None, WEIGHTS) == 0.3
    assert fused_score(None, None, WEIGHTS) == 0.0


def test_importance_weighs_between_half_and_whole():
    assert weighed_score(0.8, 0.0, WEIGHTS) == pytest.approx(0.4)
    assert weighed_score(0.8, 0.5, WEIGHTS) == pytest.approx(0.6)
    assert weighed_score(0.8, 1.0, WEIGHTS) == pytest.approx(0.8)


def test_cosines_of_looks_are_stretched_over_the_band_they_lie_in():
    assert [image_score(cosine, WEIGHTS) for cosine in (0.1, 0.25, 0.4)] == pytest.approx([0, 0.5, 1])
    assert [alike_score(cosine, WEIGHTS) for cosine in (0.4, 0.75, 1.0)] == pytest.approx([0, 0.5, 1])


def test_words_and_vector_of_a_caption_count_equally():
    assert caption_score(0.5, 0.7, WEIGHTS) == pytest.approx(0.6)
    assert caption_score(1.0, -0.2, WEIGHTS) == pytest.approx(0.5)


@given(looks=COSINES, share=SHARES, cosine=COSINES, importance=SHARES)
def test_every_score_lies_between_nothing_and_one(
    looks: float, share: float, cosine: float, importance: float
):
    caption = caption_score(share, cosine, WEIGHTS)
    fused = fused_score(image_score(looks, WEIGHTS), caption, WEIGHTS)
    assert 0 <= weighed_score(fused, importance, WEIGHTS) <= fused <= 1

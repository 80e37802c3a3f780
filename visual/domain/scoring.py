"""How near an image is to what is searched: looks and words fused, weighed by importance."""

import numpy as np
import numpy.typing as npt

from visual.config import VisualWeights

Scores = npt.NDArray[np.float64]


def caption_score(matched_share: float, cosine: float, weights: VisualWeights) -> float:
    """Of the words and the vector of what is told of an image: 0.5 and 0.7 give 0.6."""
    score = weights.words * matched_share + (1 - weights.words) * max(0.0, cosine)
    return min(1.0, max(0.0, score))


def image_score(cosine: float, weights: VisualWeights) -> float:
    """Of the cosine of a text and an image, which lies in a narrow band: 0.25 gives 0.5."""
    return _stretched(cosine, weights.lowest_cosine, weights.highest_cosine)


def alike_score(cosine: float, weights: VisualWeights) -> float:
    """Of the cosine of two images: 1 for the same one, 0.75 gives 0.5."""
    return _stretched(cosine, weights.lowest_alike, 1.0)


def fused_score(image: float | None, caption: float | None, weights: VisualWeights) -> float:
    """0.6 of the looks and 0.4 of the words; where one channel is off the other carries alone."""
    if image is None or caption is None:
        return image if image is not None else caption or 0.0
    return weights.image * image + weights.caption * caption


def weighed_score(fused: float, importance: float, weights: VisualWeights) -> float:
    """The score that orders: an image of importance 0 keeps half of it, one of 1 all."""
    least = weights.least_importance
    return fused * (least + (1 - least) * importance)


def _stretched(cosine: float, lowest: float, highest: float) -> float:
    return min(1.0, max(0.0, (cosine - lowest) / (highest - lowest)))

"""A reranker's scores into the order that was found without it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from memory.domain.selection import Candidate

RERANKER = "reranker"


def weigh_reranker(
    candidates: Sequence[Candidate], scores: npt.NDArray[np.float32], *, weight: float
) -> list[Candidate]:
    """The candidates, best first before and after, scores in [0, 1].

    `scores` (n,), of the first n candidates on any scale, are stretched over [0, 1] and stand
    beside the score found without them, stretched too, as the channel `reranker`. What was not
    reread keeps its order, behind or among what the reranker thinks nothing of. Scores that are
    all equal change no order.
    """
    if not candidates:
        return []
    found = _stretched(np.array([each.score for each in candidates], np.float32), flat=1.0)
    read = np.zeros(len(candidates), np.float32)
    read[: len(scores)] = _stretched(scores, flat=0.0)
    totals = (found + weight * read) / (1 + weight)
    order = np.argsort(-totals, kind="stable")
    return [
        replace(
            candidates[place],
            score=float(totals[place]),
            breakdown={**candidates[place].breakdown, RERANKER: float(read[place])}
            if place < len(scores)
            else candidates[place].breakdown,
        )
        for place in order
    ]


def _stretched(values: npt.NDArray[np.float32], *, flat: float) -> npt.NDArray[np.float32]:
    """Over [0, 1]; all `flat` where no value differs."""
    if not len(values):
        return values
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return np.full(len(values), flat, np.float32)
    stretched: npt.NDArray[np.float32] = ((values - low) / (high - low)).astype(np.float32)
    return stretched

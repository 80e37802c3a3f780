"""Rankings to numbers: hit, recall, all, MRR and NDCG at k, with intervals and a paired test.

Binary relevance over distinct keys; the ranking is cut at k keys. Every measure lies
in [0, 1], higher better.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Measure = Callable[[Sequence[str], frozenset[str], int], float]


def hit_at(ranking: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """1 if any relevant key is among the first k."""
    return float(any(key in relevant for key in ranking[:k]))


def recall_at(ranking: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """The share of the relevant keys among the first k."""
    return len(relevant.intersection(ranking[:k])) / len(relevant)


def all_at(ranking: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """1 if every relevant key is among the first k."""
    return float(relevant.issubset(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """1 / rank of the first relevant key among the first k, else 0."""
    return next((1 / rank for rank, key in enumerate(ranking[:k], start=1) if key in relevant), 0.0)


def ndcg_at(ranking: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """Discounted gain, 1/log2(rank + 1) for each relevant key, as a share of the best order's."""
    gain = sum(1 / math.log2(rank + 1) for rank, key in enumerate(ranking[:k], start=1) if key in relevant)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), k) + 1))
    return gain / best


MEASURES: dict[str, Measure] = {
    "hit": hit_at,
    "recall": recall_at,
    "all": all_at,
    "mrr": reciprocal_rank,
    "ndcg": ndcg_at,
}


def interval(
    values: npt.NDArray[np.float64], *, seed: int = 7, resamples: int = 1_000
) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean over questions, drawn `resamples` times."""
    draws = np.random.default_rng(seed).integers(0, len(values), (resamples, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two systems on the same questions: how many only one of them got right, and how likely so
    uneven a split is if neither is better.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """The exact, two-sided test: the questions on which they differ are tosses of a fair coin.

    Three against none gives p = 0.25. Raises ValueError unless both are as long.
    """
    pairs = Counter(zip(first, second, strict=True))
    only_first, only_second = pairs[True, False], pairs[False, True]
    tosses = only_first + only_second
    tail = sum(math.comb(tosses, wins) for wins in range(min(only_first, only_second) + 1))
    p_value = min(1.0, 2 * tail / 2**tosses)
    return McNemar(pairs[True, True], only_first, only_second, pairs[False, False], p_value)

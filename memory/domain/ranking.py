"""Channels to scores: what the indexes say of many items, as columns, into one order.

Pure NumPy over columns of one length; no loop over items. The channels and their
weights are described in docs/algorithms/recall.md (arXiv 2608.12990, section 4.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memory.config import RecordWeights, TurnWeights

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]
TokenVectors = npt.NDArray[np.int8]
Channels = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items of one kind and what was measured of them, ordered by session and position.

    `items`, `sessions`, `positions`: (n,) int64; `cosines`, `bm25`, `matched_share`: (n,)
    float32, 0 where a channel does not know the item. `awaiting`: those of the items whose
    vectors are still to be written.
    """

    items: Ints
    sessions: Ints
    positions: Ints
    cosines: Floats
    bm25: Floats
    matched_share: Floats
    awaiting: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of candidates, (n,) each: their sum under the weights, and what it is made of."""

    total: Floats
    channels: Mapping[str, Floats]

    def best(self, count: int) -> Places:
        """Places of the best `count`, best first; of equals the earlier place."""
        if count >= len(self.total):
            return np.argsort(-self.total, kind="stable")
        cut = np.sort(np.argpartition(-self.total, count - 1)[:count])
        return cut[np.argsort(-self.total[cut], kind="stable")]


def merge_channels(
    places: tuple[Ints, Ints, Ints], cosines: Floats, texts: tuple[Ints, Floats, Floats]
) -> Candidates:
    """Put what the vector and the text index found side by side.

    `places`: items, sessions, positions of everything that either found, each item once
    or more often; `cosines`: (m,) of the first m of them; `texts`: items, BM25 and
    matched share of those that the words found.
    """
    items, first = np.unique(places[0], return_index=True)
    sessions, positions = places[1][first], places[2][first].astype(np.int64)
    columns = np.zeros((3, len(items)), np.float32)
    columns[0, np.searchsorted(items, places[0][: len(cosines)])] = cosines
    rows = np.searchsorted(items, texts[0])
    columns[1, rows], columns[2, rows] = texts[1], texts[2]
    order = np.lexsort((positions, sessions))
    cosine, bm25, share = columns[:, order]
    return Candidates(items[order], sessions[order], positions[order], cosine, bm25, share)


def score_turns(candidates: Candidates, weights: TurnWeights) -> Scored:
    """Score raw turns by themselves, their neighbours and their sessions, all in [0, 1].

    A short answer rarely holds the words of its question: what surrounds it does.
    """
    bm25, dense = _share_of_best(candidates.bm25), _dense(candidates)
    before, after = _neighbours(candidates)
    sessions = np.unique(candidates.sessions, return_inverse=True)[1]
    square: Floats = bm25**2
    channels: Channels = {
        "dense": dense,
        "bm25": bm25,
        "matched_share": candidates.matched_share,
        "previous_bm25": before(bm25),
        "window_bm25": _share_of_best(np.sqrt(square + before(square) + after(square))),
        "neighbour_dense": np.maximum(before(dense), after(dense)),
        "session_bm25": _share_of_best(_cubic_sum(bm25, sessions))[sessions],
        "session_dense": _mean_of_best(dense, sessions, count=3)[sessions],
    }
    return weigh(channels, weights)


def score_records(candidates: Candidates, weights: RecordWeights) -> Scored:
    """Score records by their own vectors and words and by those of their session."""
    bm25 = _share_of_best(candidates.bm25)
    sessions = np.unique(candidates.sessions, return_inverse=True)[1]
    channels: Channels = {
        "dense": _dense(candidates),
        "bm25": bm25,
        "matched_share": candidates.matched_share,
        "session_bm25": _share_of_best(_cubic_sum(bm25, sessions))[sessions],
    }
    return weigh(channels, weights)


def weigh(channels: Mapping[str, Floats], weights: TurnWeights | RecordWeights) -> Scored:
    """The weighted sum of channels; each is named like its weight."""
    total = sum(np.float32(getattr(weights, name)) * values for name, values in channels.items())
    return Scored(np.asarray(total, np.float32), channels)


def extend(scored: Scored, more: Mapping[str, Floats], weights: TurnWeights | RecordWeights) -> Scored:
    """The scores with further channels added."""
    added = weigh(more, weights)
    return Scored(scored.total + added.total, {**scored.channels, **added.channels})


def take(scored: Scored, places: Places) -> Scored:
    """The scores of some candidates, in that order."""
    return Scored(scored.total[places], {name: values[places] for name, values in scored.channels.items()})


def length_share(lengths: Sequence[int], *, full: int) -> Floats:
    """How much a text can hold: ln(1 + length) over ln(1 + full), at most 1.

    `lengths` in search terms; 4 of 20 give 0.53. A greeting scores low, an essay no
    higher than a paragraph.
    """
    share: Floats = np.log1p(np.asarray(lengths, np.float32)) / np.log1p(np.float32(full))
    capped: Floats = np.minimum(share, np.float32(1))
    return capped


def _dense(candidates: Candidates) -> Floats:
    """Cosines as shares of the best; by matched words where the vector is still to be written.

    Else what was said a moment ago would stand behind all that has a vector.
    """
    dense = _share_of_best(candidates.cosines)
    is_awaiting = np.isin(candidates.items, candidates.awaiting)
    known: Floats = np.where(is_awaiting, np.maximum(dense, candidates.matched_share), dense)
    return known


def _share_of_best(values: Floats) -> Floats:
    """Each value as a share of the largest; negative ones are 0."""
    largest = values.max(initial=0.0)
    if largest <= 0:
        return np.zeros_like(values)
    share: Floats = np.maximum(values, 0) / largest
    return share


class _Shift:
    """A column moved by one turn within its session; 0 where that turn is no candidate."""

    def __init__(self, is_adjacent: npt.NDArray[np.bool_], step: int) -> None:
        self._is_adjacent = is_adjacent  # (n - 1,): candidates i and i + 1 are neighbours
        self._step = step

    def __call__(self, values: Floats) -> Floats:
        moved: Floats = np.zeros_like(values)
        if self._step > 0:
            moved[1:] = np.where(self._is_adjacent, values[:-1], 0)
        else:
            moved[:-1] = np.where(self._is_adjacent, values[1:], 0)
        return moved


def _neighbours(candidates: Candidates) -> tuple[_Shift, _Shift]:
    """What gives each turn the value of the one before, and of the one after it."""
    is_adjacent = (np.diff(candidates.sessions) == 0) & (np.diff(candidates.positions) == 1)
    return _Shift(is_adjacent, 1), _Shift(is_adjacent, -1)


def _cubic_sum(values: Floats, groups: Places) -> Floats:
    """Cube root of the sum of cubes by group: near its maximum, raised by further matches."""
    return np.cbrt(np.bincount(groups, values.astype(np.float64) ** 3)).astype(np.float32)


def _mean_of_best(values: Floats, groups: Places, *, count: int) -> Floats:
    """The mean of each group's best `count`; what is missing to them counts 0."""
    order = np.lexsort((-values, groups))
    ordered = groups[order]
    starts = np.searchsorted(ordered, np.arange(ordered[-1] + 1 if len(ordered) else 0))
    is_best = np.arange(len(ordered)) - starts[ordered] < count
    sums = np.bincount(ordered, np.where(is_best, values[order], 0).astype(np.float64))
    return (sums / count).astype(np.float32)

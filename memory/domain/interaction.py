"""Late interaction: how well a text, and what stands around it, answers each word asked.

Pure NumPy. For each token of the question its best cosine among a text's stored token
vectors (MaxSim); docs/algorithms/recall.md tells what is made of them.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from memory.config import EvidenceWeights
from memory.domain.ranking import Floats, TokenVectors
from memory.domain.selection import Candidate

INTERACTION, WINDOW, SESSION = "late_interaction", "window_interaction", "session_interaction"
_TELLING_TIME = 1.0  # mark of a time of a month at most


def token_matches(query: TokenVectors, texts: Sequence[TokenVectors | None]) -> Floats:
    """For each token of the query its best cosine in each text: (q, n); NaN for a text without tokens.

    `query` and texts: (t, d) int8, unit vectors times 127.
    """
    matches = np.full((len(query), len(texts)), np.nan, np.float32)
    known = [place for place, text in enumerate(texts) if text is not None and len(text)]
    if not known or not len(query):
        return matches
    parts = [np.asarray(texts[place], np.float32) for place in known]
    cosines = query.astype(np.float32) @ np.concatenate(parts).T
    starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
    matches[:, known] = np.maximum.reduceat(cosines, starts, axis=1) / 127**2
    return matches


def in_windows(matches: Floats, near: Sequence[Sequence[int]]) -> Floats:
    """For each window, places of `matches`' columns, the best of each token in any of them: (q, n)."""
    best = np.full((len(matches), len(near)), np.nan, np.float32)
    for window, places in enumerate(near):
        if places:
            best[:, window] = np.fmax.reduce(matches[:, list(places)], axis=1)
    return best


def interaction_channel(matches: Floats, stand_in: Floats) -> Floats:
    """The mean over the tokens, stretched over [0, 1] among the texts compared.

    An unknown text has the mean of the known ones, or its `stand_in` where that is more.
    """
    similar: Floats = matches.mean(axis=0) if len(matches) else np.full(matches.shape[1], np.nan, np.float32)
    known = ~np.isnan(similar)
    if not known.any():
        return np.array(stand_in, np.float32)
    low, high = similar[known].min(), similar[known].max()
    stretched: Floats = (similar - low) / max(float(high - low), 1e-6)
    instead = np.maximum(stand_in, stretched[known].mean())
    return np.where(known, stretched, instead).astype(np.float32)


def best_of_group(values: Floats, groups: Iterable[Hashable]) -> Floats:
    """For each place the largest value among those of its group."""
    keys = list(groups)
    best: dict[Hashable, float] = {}
    for value, key in zip(values.tolist(), keys, strict=True):
        best[key] = max(best.get(key, value), value)
    return np.array([best[key] for key in keys], np.float32)


def join_on_turns(
    records: Sequence[Candidate], turns: Sequence[Candidate], weights: EvidenceWeights
) -> list[Candidate]:
    """Records and turns on one scale, stretched over [0, 1], best first.

    A record stands on the best of its turns, and on its own time where that is asked for and tells more
    than theirs; a turn is worded by the best record that rests on it, or by itself where none is compared. A
    record none of whose turns is in the running stands where the last of them does. Of equals the record
    comes first.
    """
    own = {turn.id: _turn_score(turn, weights) for turn in turns}
    in_time = {turn.id: turn.breakdown.get("in_time", 0.0) for turn in turns}
    ground = min(own.values(), default=0.0)
    worded: dict[UUID, float] = {}
    joined: list[Candidate] = []
    for record in records:
        evidence = tuple(sorted(record.evidence, key=lambda turn_id: -own.get(turn_id, ground)))
        stands = max((own[turn_id] for turn_id in evidence if turn_id in own), default=ground)
        own_time = record.breakdown.get("in_time", 0.0)
        theirs = max((in_time.get(turn_id, 0.0) for turn_id in evidence), default=0.0)
        stands += weights.in_time * max(0.0, own_time - theirs) if own_time >= _TELLING_TIME else 0.0
        words = _words_score(record, weights)
        hangs = sum(weight * record.breakdown.get(name, 0.0) for name, weight in weights.record_marks())
        joined.append(replace(record, score=stands + words + hangs, evidence=evidence))
        for turn_id in evidence:
            worded[turn_id] = max(worded.get(turn_id, words), words)
    for turn in turns:
        words = worded.get(turn.id, _words_score(turn, weights))
        joined.append(replace(turn, score=own[turn.id] + words))
    return _stretched(sorted(joined, key=lambda each: -each.score))


def _words_score(candidate: Candidate, weights: EvidenceWeights) -> float:
    return weights.late_interaction * candidate.breakdown.get(INTERACTION, 0.0)


def _turn_score(turn: Candidate, weights: EvidenceWeights) -> float:
    """What speaks for a turn by itself: its rank score, and some of its channels weighed again."""
    marks = sum(weight * turn.breakdown.get(name, 0.0) for name, weight in weights.marks())
    return weights.turn * turn.score + marks


def _stretched(ranked: list[Candidate]) -> list[Candidate]:
    """The same order with scores from 1, the best, down to 0."""
    if not ranked:
        return []
    low, high = ranked[-1].score, ranked[0].score
    if high <= low:
        return [replace(each, score=1.0) for each in ranked]
    return [replace(each, score=(each.score - low) / (high - low)) for each in ranked]

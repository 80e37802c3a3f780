"""Ranked candidates of several kinds to what is kept: fusion, floor, variety, spread.

Every candidate that is left out is returned with its reason. Follows arXiv
2608.12990, section 4.3; docs/algorithms/recall.md has a worked example.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from memory.config import Floor
from memory.domain.types import Kind

WEAK = "too weak: neither its meaning nor its words come near the question"
ECHO = "only repeats the question or what is remembered"
EXPIRED = "what it said was expired or corrected"
COVERED = "covered by a kept item that rests on the same turns"
BEYOND = "ranked below top_k"
OVER_BUDGET = "does not fit the token budget"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One item in the running. `cosine` and `matched_share` are absolute evidence;
    `score` orders (per kind, after `fuse_kinds` over all); `evidence`: turn ids, most
    relevant first; `terms`: the search terms of its text; `item`: its number in the
    indexes, 0 where they do not know it; `routes`: those of the plan that found it.
    """

    kind: Kind
    id: UUID
    cosine: float
    matched_share: float
    score: float
    evidence: tuple[UUID, ...]
    terms: frozenset[str] = frozenset()
    breakdown: Mapping[str, float] = field(default_factory=dict)
    item: int = 0
    routes: tuple[int, ...] = (0,)

    @property
    def strength(self) -> float:
        """The absolute strength of the evidence, in [0, 1]."""
        return min(1.0, max(self.cosine, self.matched_share, 0.0))


Left = tuple[Candidate, str]


def above_floor(
    candidates: Iterable[Candidate],
    *,
    question: Floor,
    item: Floor,
    min_score: float | None = None,
    telling: Collection[UUID] = (),
    evident: Collection[UUID] = (),
) -> tuple[list[Candidate], list[Left]]:
    """Keep what has evidence of its own: nothing at all unless one item reaches `question`.

    `telling`: items that are as good as one that reaches it, `evident`: as one that reaches `item`, whatever
    their meaning and words are. `min_score` bounds the strength further. The order stays.
    """
    everything = list(candidates)
    is_known = any(
        each.id in telling or question.passes(each.cosine, each.matched_share) for each in everything
    )
    kept: list[Candidate] = []
    left: list[Left] = []
    for each in everything:
        passes = is_known and (each.id in evident or item.passes(each.cosine, each.matched_share))
        if passes and each.strength >= (min_score or 0.0):
            kept.append(each)
        else:
            left.append((each, WEAK))
    return kept, left


def fuse_rankings(rankings: Iterable[Sequence[UUID]], *, k: int) -> dict[UUID, float]:
    """Reciprocal-rank fusion: the sum of 1/(k + rank) over the rankings, ranks from 1."""
    scores: dict[UUID, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (k + rank)
    return scores


def fuse_kinds(
    records: Sequence[Candidate],
    turns: Sequence[Candidate],
    *,
    k: int,
    unfiled: Collection[UUID] = (),
) -> list[Candidate]:
    """Join records and turns by the turns they stand for, best first.

    A turn votes for the records that rest on it and a record for its turns, so each
    item's score is that of its own rank plus that of the best-ranked item of the other
    kind that shares evidence with it. A turn in `unfiled` can have no record yet and votes
    for itself, lest what was just said stand behind all that was filed. Of equals the record
    comes first.
    """
    rank_of_turn = {turn.id: rank for rank, turn in enumerate(turns, start=1)}
    rank_by_record: dict[UUID, int] = {}
    for rank, record in enumerate(records, start=1):
        for turn_id in record.evidence:
            rank_by_record.setdefault(turn_id, rank)
    fused: list[Candidate] = []
    for rank, record in enumerate(records, start=1):
        ordered = tuple(
            sorted(record.evidence, key=lambda turn_id: rank_of_turn.get(turn_id, len(turns) + 1))
        )
        other = min((rank_of_turn[i] for i in ordered if i in rank_of_turn), default=0)
        fused.append(replace(record, evidence=ordered, score=_fused(rank, other, k)))
    for rank, turn in enumerate(turns, start=1):
        other = rank_by_record.get(turn.id, rank if turn.id in unfiled else 0)
        fused.append(replace(turn, score=_fused(rank, other, k)))
    return sorted(fused, key=lambda each: -each.score)


def diversify(
    candidates: Sequence[Candidate], *, top_k: int, weight: float, unquoted: Collection[UUID] = ()
) -> tuple[list[Candidate], list[Left]]:
    """Choose `top_k`: the best, then ever the best of relevance less likeness to the kept.

    `weight` (lambda) is the share of relevance, the score as a share of the best; likeness
    is the Jaccard overlap of terms. What rests first of all on a turn of a kept item is
    left out: that turn is quoted already, unless it is one of those that are `unquoted`.
    """
    best = max((each.score for each in candidates), default=0.0) or 1.0
    waiting = list(candidates)
    likeness = dict.fromkeys((each.id for each in waiting), 0.0)
    kept: list[Candidate] = []
    left: list[Left] = []
    while waiting and len(kept) < top_k:
        chosen = max(waiting, key=lambda each: weight * each.score / best - (1 - weight) * likeness[each.id])
        kept.append(chosen)
        covered = set(chosen.evidence).difference(unquoted)
        rest: list[Candidate] = []
        for each in waiting:
            if each is chosen:
                continue
            if each.evidence and each.evidence[0] in covered:
                left.append((each, COVERED))
                continue
            likeness[each.id] = max(likeness[each.id], _overlap(chosen.terms, each.terms))
            rest.append(each)
        waiting = rest
    left.extend((each, BEYOND) for each in waiting)
    return kept, left


def spread(
    candidates: Sequence[Candidate], *, group: Callable[[Candidate], Hashable | None], places: int
) -> list[Candidate]:
    """The same with each but the first of its group `places` further back; `None` is no group.

    The best of another conversation stands before the second best of one.
    """
    seen: set[Hashable] = set()
    order: list[tuple[int, bool, int]] = []
    for at, each in enumerate(candidates):
        of = group(each)
        is_second = of in seen
        order.append((at + places * is_second, is_second, at))
        seen |= {of} - {None}
    return [candidates[at] for *_, at in sorted(order)]


def _fused(rank: int, other: int, k: int) -> float:
    return 1 / (k + rank) + (1 / (k + other) if other else 0.0)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    if not left or not right:
        return 0.0
    common = len(left & right)
    return common / (len(left) + len(right) - common)

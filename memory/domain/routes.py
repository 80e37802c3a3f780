"""Rankings of several routes into one: each need of a question gets its share of what is recalled.

Reciprocal-rank fusion with a quota per route (arXiv 2608.12990, section 4.2); a question of one
route keeps its own ranking. docs/algorithms/recall.md has a worked example.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.config import RecallConfig
from memory.domain.selection import Candidate, fuse_rankings


@dataclass(slots=True)
class _Seen:
    """One item as the routes found it: the candidate of the route that ranks it best."""

    best: Candidate
    rank: int
    route: int
    cosine: float
    matched_share: float
    routes: list[int]


def fuse_routes(rankings: Sequence[Sequence[Candidate]], config: RecallConfig) -> list[Candidate]:
    """One ranking, best first, scores in [0, 1]; of one route its own.

    A route votes for what reaches the item's floor by its own queries. The best `route_quota` of each
    route, things that rest on the same turn counted once, stand before all else, whatever the others
    say. An item's `routes` are those that vote for it among their first `route_depth`, at least the
    one that ranks it best; its evidence is as strong as in the route where it is strongest.
    """
    if len(rankings) < 2:
        return [each for ranking in rankings for each in ranking]
    floor = config.item_floor
    voting = [
        [each for each in ranking if floor.passes(each.cosine, each.matched_share)] for ranking in rankings
    ]
    votes = fuse_rankings([[each.id for each in ranking] for ranking in voting], k=config.rrf_k)
    granted = {item_id for ranking in voting for item_id in _first(ranking, config.route_quota)}
    seen = _seen(rankings, voting, depth=config.route_depth)
    most = max(votes.values(), default=1.0)

    def score(item_id: UUID) -> float:
        return (votes.get(item_id, 0.0) / most + (item_id in granted)) / 2

    fused = [
        replace(
            each.best,
            score=score(item_id),
            cosine=each.cosine,
            matched_share=each.matched_share,
            routes=tuple(sorted(each.routes)),
        )
        for item_id, each in seen.items()
    ]
    return sorted(fused, key=lambda each: -each.score)


def _first(ranking: Sequence[Candidate], quota: int) -> list[UUID]:
    """The best of a route, those left out that rest on a turn of one before."""
    first: list[UUID] = []
    covered: set[UUID] = set()
    for each in ranking:
        if len(first) == quota:
            break
        if not each.evidence or each.evidence[0] not in covered:
            first.append(each.id)
            covered.update(each.evidence)
    return first


def _seen(
    rankings: Sequence[Sequence[Candidate]], voting: Sequence[Sequence[Candidate]], *, depth: int
) -> dict[UUID, _Seen]:
    """Every item once, in the order of the routes."""
    seen: dict[UUID, _Seen] = {}
    for number, ranking in enumerate(rankings):
        for rank, each in enumerate(ranking):
            known = seen.get(each.id)
            if known is None:
                seen[each.id] = _Seen(each, rank, number, each.cosine, each.matched_share, [])
                continue
            known.cosine = max(known.cosine, each.cosine)
            known.matched_share = max(known.matched_share, each.matched_share)
            if rank < known.rank:
                known.best, known.rank, known.route = each, rank, number
    for number, ranking in enumerate(voting):
        for each in ranking[:depth]:
            seen[each.id].routes.append(number)
    for known in seen.values():
        known.routes = known.routes or [known.route]
    return seen

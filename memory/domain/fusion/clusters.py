"""Records or composites of one level to groups that stand together.

Edges join what is alike and has a subject, entity or topic in common, the nearest of
each; groups that chained too far are cut at their weakest edges. What a group is depends
on nothing beyond the reach of its members' likeness: `cluster` of everything is `cluster`
of its parts that no likeness joins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.config import FusionConfig

Vectors = npt.NDArray[np.float32]

_DIGITS = 4  # of a cosine: what float32 leaves the same in products of any shape
_BLOCK = 512  # rows of one product


@dataclass(frozen=True, slots=True)
class Member:
    """What may stand in a group. `subjects` are folded names; `labels` its entities and topics,
    told apart.
    """

    id: UUID
    subjects: frozenset[str]
    labels: frozenset[str]


class _Edge(NamedTuple):
    """Places of two members, the lower first."""

    cosine: float
    low: int
    high: int


@dataclass(slots=True)
class _Group:
    """A node of the merge tree: a member, or two groups joined by one edge."""

    size: int
    place: int = -1
    halves: tuple["_Group", "_Group"] | None = None


def is_related(one: Member, other: Member) -> bool:
    """Whether both speak of a person, thing or topic in common."""
    return bool(one.subjects & other.subjects or one.labels & other.labels)


def are_alike(cosines: npt.NDArray[np.float32], threshold: float) -> npt.NDArray[np.bool_]:
    """Which cosines exceed the threshold, decided alike wherever it is asked."""
    alike: npt.NDArray[np.bool_] = np.round(cosines, _DIGITS) > np.float32(threshold)
    return alike


def cluster(members: Sequence[Member], vectors: Vectors, config: FusionConfig) -> list[tuple[UUID, ...]]:
    """The groups of two or more, ids ascending, groups in order of their first.

    `vectors`: (n, d) unit rows, side by side with the members, whose order does not matter.
    """
    order = sorted(range(len(members)), key=lambda place: members[place].id)
    ordered, rows = [members[place] for place in order], vectors[order]
    groups = [
        part
        for root in _merge(_edges(ordered, rows, config), len(ordered))
        for part in _cut(root, rows, config)
    ]
    return sorted(tuple(ordered[place].id for place in group) for group in groups)


def centroid(vectors: Vectors) -> Vectors:
    """The unit vector in the middle of (n, d) unit vectors; (d,)."""
    mean = vectors.astype(np.float64).mean(axis=0)
    middle: Vectors = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
    return middle


def _edges(members: Sequence[Member], vectors: Vectors, config: FusionConfig) -> list[_Edge]:
    """Each member's edges to the nearest related ones, strongest first."""
    codes = _subject_codes(members)
    found: set[_Edge] = set()
    for start in range(0, len(members), _BLOCK):
        cosines = np.round(vectors[start : start + _BLOCK] @ vectors.T, _DIGITS)
        for offset, row in enumerate(cosines):
            place = start + offset
            near = np.flatnonzero(row > np.float32(config.edge_cosine))
            near = near[near != place]
            if not len(near):
                continue
            same = codes[near] == codes[place]
            apart = [] if same.all() else near[~same].tolist()
            fit = {other for other in apart if is_related(members[place], members[other])}
            near = near[same | np.isin(near, list(fit))] if fit else near[same]
            best = near[np.argsort(-row[near], kind="stable")[: config.nearest]]
            found.update(
                _Edge(float(row[other]), min(place, other), max(place, other)) for other in best.tolist()
            )
    return sorted(found, key=lambda edge: (-edge.cosine, edge.low, edge.high))


def _subject_codes(members: Sequence[Member]) -> npt.NDArray[np.int64]:
    """A number for each lone subject; members of none or of several get one of their own."""
    numbers: dict[str, int] = {}
    codes = [
        numbers.setdefault(next(iter(member.subjects)), len(numbers))
        if len(member.subjects) == 1
        else -1 - place
        for place, member in enumerate(members)
    ]
    return np.array(codes, np.int64)


def _merge(edges: Sequence[_Edge], count: int) -> list[_Group]:
    """Single linkage: the roots of the merge trees of all that edges join, strongest edge first."""
    parents = list(range(count))
    groups = [_Group(1, place) for place in range(count)]

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    for edge in edges:
        low, high = root(edge.low), root(edge.high)
        if low != high:
            parents[high] = low
            joined = groups[low], groups[high]
            groups[low] = _Group(joined[0].size + joined[1].size, halves=joined)
    return [groups[place] for place in range(count) if parents[place] == place and groups[place].size > 1]


def _cut(root: _Group, vectors: Vectors, config: FusionConfig) -> list[list[int]]:
    """The largest parts that are small and dense enough; what stands alone drops out.

    The last edge of a merge is the weakest that holds its halves together.
    """
    parts: list[list[int]] = []
    waiting = [root]
    while waiting:
        group = waiting.pop()
        if group.halves is None:
            continue
        if group.size <= config.largest:
            places = _places(group)
            if _coherence(vectors[places]) >= config.coherence:
                parts.append(places)
                continue
        waiting.extend(group.halves)
    return parts


def _places(group: _Group) -> list[int]:
    found: list[int] = []
    waiting = [group]
    while waiting:
        each = waiting.pop()
        if each.halves is None:
            found.append(each.place)
        else:
            waiting.extend(each.halves)
    return sorted(found)


def _coherence(vectors: Vectors) -> float:
    """The mean cosine of unit vectors to their centroid: the length of their mean."""
    return float(np.round(np.linalg.norm(vectors.astype(np.float64).mean(axis=0)), _DIGITS))

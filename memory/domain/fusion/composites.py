"""A group's children to the composite that stands for them, and to the one it was before."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.config import FusionConfig
from memory.domain.text import fold


@dataclass(frozen=True, slots=True)
class Representative:
    """The record that gives a composite its text: the surest, then the newest."""

    record_id: UUID
    text: str
    memory_type: str
    session_id: UUID
    confidence: float
    said_at: datetime

    @property
    def rank(self) -> tuple[float, datetime, UUID]:
        """What puts one before another; the largest leads."""
        return self.confidence, self.said_at, self.record_id


@dataclass(frozen=True, slots=True)
class Child:
    """A record, or a composite of the level below, as its parent is made of it.

    Half-open in time; `said_at` is when its newest record was said.
    """

    id: UUID
    representative: Representative
    subjects: tuple[str, ...]
    entities: tuple[str, ...]
    topics: tuple[str, ...]
    said_at: datetime
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    leaf_count: int = 1


def compose(children: Sequence[Child], config: FusionConfig, *, id_: UUID) -> Child:
    """What stands for the children: the representative's text, everything else merged.

    Valid from the first beginning, to the last end if all have one. What many children
    name comes first; the order of the children does not matter.
    """
    ordered = sorted(children, key=lambda child: child.id)
    begun = [child.valid_from for child in ordered if child.valid_from]
    ended = [child.valid_to for child in ordered if child.valid_to]
    names = sorted({name for child in ordered for name in child.tags})
    return Child(
        id=id_,
        representative=max((child.representative for child in ordered), key=lambda each: each.rank),
        subjects=_merged((child.subjects for child in ordered), most=config.listed),
        entities=_merged((child.entities for child in ordered), most=config.listed),
        topics=_merged((child.topics for child in ordered), most=config.listed),
        said_at=max(child.said_at for child in ordered),
        tags={
            name: _merged((child.tags.get(name, ()) for child in ordered), most=config.listed)
            for name in names
        },
        valid_from=min(begun, default=None),
        valid_to=max(ended) if len(ended) == len(ordered) else None,
        leaf_count=sum(child.leaf_count for child in ordered),
    )


def adopt_existing(
    groups: Sequence[frozenset[UUID]], existing: Mapping[UUID, frozenset[UUID]], config: FusionConfig
) -> dict[int, UUID]:
    """Which groups are a composite that exists: by place the composite's id, the likest pairs first.

    A group that is a subset of a composite, or has grown out of it, or overlaps it by at least
    `same_composite` (Jaccard), makes no new one; the existing one takes on its members.
    """
    by_child: dict[UUID, list[UUID]] = {}
    for id_, children in existing.items():
        for child in children:
            by_child.setdefault(child, []).append(id_)
    pairs = [
        (-_jaccard(group, existing[id_]), id_, place)
        for place, group in enumerate(groups)
        for id_ in {id_ for child in group for id_ in by_child.get(child, ())}
        if group <= existing[id_]
        or group > existing[id_]
        or _jaccard(group, existing[id_]) >= config.same_composite
    ]
    adopted: dict[int, UUID] = {}
    taken: set[UUID] = set()
    for _, id_, place in sorted(pairs):
        if place not in adopted and id_ not in taken:
            adopted[place] = id_
            taken.add(id_)
    return adopted


def _jaccard(one: frozenset[UUID], other: frozenset[UUID]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def _merged(lists: Iterable[Iterable[str]], *, most: int) -> tuple[str, ...]:
    """Each name once, whatever its case: the most frequent first, then by spelling."""
    counts: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    for names in lists:
        for name in set(names):
            key = fold(name)
            counts[key] += 1
            spellings[key] = min(name, spellings.get(key, name))
    ranked = sorted(counts, key=lambda key: (-counts[key], key))
    return tuple(spellings[key] for key in ranked[:most])

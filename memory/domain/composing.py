"""Recalled items to a context inside a token budget, each turn quoted once.

Items said in one conversation on one day share a heading, so that neither is told with each.
Everything that fits is told briefly before anything is told at length: an answer that stands in
the tenth item is worth more than the turns around the first (docs/algorithms/recall.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.domain.formatting import Detail, Occasion, format_item, occasion_of
from memory.domain.types import Hit

_BREAK_TOKENS = 1  # of the line break, single or double, after an item or a heading


@dataclass(frozen=True, slots=True)
class Composed:
    """The context, the hits it tells of, numbered from 1 in this order, and those that found no room."""

    text: str
    kept: tuple[Hit, ...]
    over: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Forms of an item, fullest first; the first `foremost` items are not cut to the last of them."""

    fullest: Detail
    alone: Detail  # without the turns around it
    brief: Detail
    foremost: int

    def least(self, place: int) -> Detail:
        """What an item is told in at least."""
        return self.alone if place < self.foremost else self.brief


@dataclass(slots=True)
class _Group:
    """Items said at one occasion: its heading, if any, their places, and when the latest was said."""

    heading: list[str]
    latest: datetime
    places: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """The blocks so far, their tokens, and under which number each turn is quoted."""

    count: Callable[[str], int]
    time_zone: str
    left: int
    kept: list[Hit] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    quoted: dict[UUID, int] = field(default_factory=dict)
    groups: dict[Occasion | UUID, _Group] = field(default_factory=dict)

    def add(self, hit: Hit, detail: Detail) -> bool:
        """Append the item if it fits, with the heading of its occasion if that is the first there."""
        block, size = self._render(hit, len(self.kept) + 1, detail)
        occasion = occasion_of(hit, time_zone=self.time_zone)
        heading = [occasion.heading()] if occasion and occasion not in self.groups else []
        size_of_heading = sum(self.count(line) + _BREAK_TOKENS for line in heading)
        if size + size_of_heading > self.left:
            return False
        self.left -= size + size_of_heading
        group = self.groups.setdefault(occasion or hit.id, _Group(heading, hit.said_at))
        group.places.append(len(self.kept))
        group.latest = max(group.latest, hit.said_at)
        self.kept.append(hit)
        self.blocks.append(block)
        self.sizes.append(size)
        self._quote(hit, len(self.kept), has_neighbours=detail.has_neighbours)
        return True

    def widen(self, place: int, detail: Detail) -> bool:
        """Tell the item at that place in another form if what that takes more is left."""
        hit = self.kept[place]
        block, size = self._render(hit, place + 1, detail)
        if size - self.sizes[place] > self.left:
            return False
        self.left -= size - self.sizes[place]
        self.blocks[place], self.sizes[place] = block, size
        self._quote(hit, place + 1, has_neighbours=detail.has_neighbours)
        return True

    def text(self) -> str:
        """The items by occasion, the latest first: what was said anew stands before what it replaces."""
        groups = sorted(self.groups.values(), key=lambda group: group.latest, reverse=True)
        return "\n\n".join(
            "\n".join([*group.heading, *(self.blocks[place] for place in group.places)]) for group in groups
        )

    def _render(self, hit: Hit, number: int, detail: Detail) -> tuple[str, int]:
        block = format_item(hit, number, detail, time_zone=self.time_zone, quoted=self.quoted)
        return block, self.count(block) + _BREAK_TOKENS

    def _quote(self, hit: Hit, number: int, *, has_neighbours: bool) -> None:
        for each in hit.evidence:
            if has_neighbours or not each.is_neighbour:
                self.quoted.setdefault(each.turn_id, number)


def compose_context(
    hits: Sequence[Hit], *, budget_tokens: int, layout: Layout, count: Callable[[str], int], time_zone: str
) -> Composed:
    """The items, numbered from the best on, by occasion, in at most so many tokens.

    Each is kept in its least form if that fits, a smaller one may follow one that was too long;
    then, in order, each is told as fully as what is left allows.
    """
    page = _Page(count, time_zone, budget_tokens)
    over = [
        hit
        for place, hit in enumerate(hits)
        if not (page.add(hit, layout.least(place)) or page.add(hit, layout.brief))
    ]
    for place in range(len(page.kept)):
        if not page.widen(place, layout.fullest):
            page.widen(place, layout.alone)
    return Composed(page.text(), tuple(page.kept), tuple(over))

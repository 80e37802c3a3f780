"""Recalled items to a context inside a token budget, each turn quoted once.

Everything that fits is told briefly before anything is told at length: an answer that stands in
the tenth item is worth more than the turns around the first (docs/algorithms/recall.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memory.domain.formatting import Detail, format_item
from memory.domain.types import Hit

_SEPARATOR = "\n\n"
_SEPARATOR_TOKENS = 2  # at most, of the blank line between two items


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
class _Page:
    """The blocks so far, their tokens, and under which number each turn is quoted."""

    count: Callable[[str], int]
    time_zone: str
    left: int
    kept: list[Hit] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    quoted: dict[UUID, int] = field(default_factory=dict)

    def add(self, hit: Hit, detail: Detail) -> bool:
        """Append the item if it fits."""
        block, size = self._render(hit, len(self.kept) + 1, detail)
        if size > self.left:
            return False
        self.left -= size
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

    def _render(self, hit: Hit, number: int, detail: Detail) -> tuple[str, int]:
        block = format_item(hit, number, detail, time_zone=self.time_zone, quoted=self.quoted)
        return block, self.count(block) + _SEPARATOR_TOKENS

    def _quote(self, hit: Hit, number: int, *, has_neighbours: bool) -> None:
        for each in hit.evidence:
            if has_neighbours or not each.is_neighbour:
                self.quoted.setdefault(each.turn_id, number)


def compose_context(
    hits: Sequence[Hit], *, budget_tokens: int, layout: Layout, count: Callable[[str], int], time_zone: str
) -> Composed:
    """The numbered items, best first, a blank line apart, in at most so many tokens.

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
    return Composed(_SEPARATOR.join(page.blocks), tuple(page.kept), tuple(over))

"""Pages by keyset: the items, and where the next page begins."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page. `next_cursor` is empty on the last; `total` counts all pages."""

    items: tuple[T, ...]
    next_cursor: str = ""
    total: int = 0

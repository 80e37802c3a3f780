"""What stands in a prompt beside the talk and the recalled items: skills, and what images show.

They share what the window reserves for them and what the talk leaves of its budget, so that the
prompt keeps its window however small that is. docs/algorithms/working-memory.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory.domain.fencing import fence, hanging
from memory.domain.prompts import IMAGES_NOTE, SKILLS_NOTE, shorten
from memory.domain.types import Turn
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Window

Count = Callable[[str], int]

_HEADING_TOKENS = 12  # "Images sent with the last message:", and the ends of lines
_MARK_TOKENS = 3  # of the `…` that `shorten` adds


@dataclass(frozen=True, slots=True)
class Beside:
    """What fits: the first of the skills and of the recalled pictures, and the window's turns with what
    their images show. `is_tight`: something was left out or shortened.
    """

    skills: tuple[str, ...]
    pictures: tuple[str, ...]
    turns: tuple[Turn, ...]
    is_tight: bool


@dataclass(slots=True)
class _Room:
    """The tokens that are left; each note is told once."""

    left: int
    count: Count
    least_tokens: int
    told: set[str]
    is_tight: bool = False

    def take(self, texts: Sequence[str], tag: str, note: str, *, keeping: int = 0) -> tuple[str, ...]:
        """The first of the texts that fit beside the `keeping` tokens, the last of them perhaps shortened."""

        def cost(text: str) -> int:
            return self.count(fence(tag, f"- {hanging(text)}"))

        kept: list[str] = []
        room = self.left - keeping - _HEADING_TOKENS - (0 if note in self.told else self.count(note))
        for text in texts:
            shown = text if cost(text) <= room else self._shortened(text, room, cost)
            if shown:
                kept.append(shown)
                room -= cost(shown)
            if shown != text:
                self.is_tight = True
                break
        if kept:
            self.left = room + keeping
            self.told.add(note)
        return tuple(kept)

    def _shortened(self, text: str, room: int, cost: Count) -> str:
        """Its beginning, or nothing where too little of it would be told."""
        if room < self.least_tokens:
            return ""
        shown = shorten(text, count=cost, budget=room - _MARK_TOKENS)
        return shown if cost(shown) <= room else ""


def fit_beside(
    window: Window,
    *,
    skills: Sequence[str],
    pictures: Sequence[str],
    count: Count,
    least_tokens: int = WindowConfig().beside_least_tokens,
) -> Beside:
    """What of them fits beside the window, whose last turn is the question.

    What the question's own images show comes first, then skills, then recalled pictures, then the
    images of earlier turns, the newest first.
    """
    tokens = window.skill_tokens + window.image_tokens + window.spare_tokens
    room = _Room(tokens, count, least_tokens, set())
    *earlier, question = window.recent
    turns = [_told(question, room)]
    told = room.take(skills, "skill", SKILLS_NOTE, keeping=window.image_tokens if pictures else 0)
    seen = room.take(pictures, "images", IMAGES_NOTE)
    turns += [_told(turn, room) for turn in reversed(earlier)]
    return Beside(told, seen, tuple(reversed(turns)), room.is_tight)


def _told(turn: Turn, room: _Room) -> Turn:
    """The turn with what its images show, as far as there is room."""
    shown = room.take(turn.images, "images", IMAGES_NOTE) if turn.images else ()
    return turn if shown == turn.images else replace(turn, images=shown)

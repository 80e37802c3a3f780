"""Whether a segment says anything new, before any model call.

A segment is skipped when its user turns hold only questions and courtesies, or text that
was recalled for them a moment ago. Doubt means encode.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.config import IngestConfig
from memory.domain.denial import is_denying
from memory.domain.text import search_terms
from memory.domain.types import Role, Turn

IsEmpty = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Novelty:
    """Whether to encode, and if not, why."""

    is_new: bool
    reason: str = ""


def judge_novelty(
    turns: Sequence[Turn], *, recalled_texts: Sequence[str], is_empty: IsEmpty, config: IngestConfig
) -> Novelty:
    """Judge a segment by its user turns, tools' results and replies to what an assistant asked.

    `is_empty` says whether a turn holds only questions and courtesies. Tool results are new
    by themselves; what an assistant says alone never is.
    """
    if any(turn.role is Role.TOOL and turn.text.strip() for turn in turns):
        return Novelty(is_new=True)
    said = [turn for turn in turns if turn.role is Role.USER and turn.text.strip()]
    if not said:
        return Novelty(is_new=False, reason="nobody said anything")
    telling = [turn for turn in said if not is_empty(turn.text) or _answers(turn, turns)]
    if not telling:
        return Novelty(is_new=False, reason="only questions and courtesies")
    known = frozenset(term for text in recalled_texts for term in search_terms(text))
    has_denial = any(is_denying(text) for text in recalled_texts)
    if known and all(
        overlap(turn.text, known) >= config.novelty_overlap and is_denying(turn.text) <= has_denial
        for turn in telling
    ):
        return Novelty(is_new=False, reason="nothing beyond what was recalled")
    return Novelty(is_new=True)


def overlap(text: str, known: frozenset[str]) -> float:
    """The share of the text's search terms among the known ones; 0 for a text without any."""
    terms = search_terms(text)
    return sum(term in known for term in terms) / len(terms) if terms else 0.0


def _answers(turn: Turn, turns: Sequence[Turn]) -> bool:
    """Whether the turn replies to a question, so that a bare "yes" says something."""
    before = [
        other for other in turns if other.index < turn.index and other.role in (Role.USER, Role.ASSISTANT)
    ]
    if not before or before[-1].speaker == turn.speaker:
        return False
    asked = before[-1].text.rstrip().endswith(("?", "？", "؟"))
    return asked and not turn.text.rstrip().endswith(("?", "？", "؟"))

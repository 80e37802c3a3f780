"""What the asker said that is not filed yet, as lines of an answer to "What do you know about me?"."""

from collections.abc import Sequence
from datetime import datetime

from memory.domain.encoding import is_suspicious
from memory.domain.novelty import overlap
from memory.domain.temporal import zone_of
from memory.domain.text import search_terms
from memory.domain.types import Hit, Kind, Question, Role, Turn
from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.phrases import cut, show_day
from memory.providers.offline_language.quotes import statements_of

MOST = 10  # turns of the conversation itself
MAX_CHARS = 400
REPEATED = 0.8  # share of a turn's words in what is told already


def said_of_asker(question: Question, shown: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[str]:
    """The statements of the conversation's turns, the newest first, then of the turns among the hits.

    Each as "Alice (1 December 2026): “I have a son.” [2]", those of the conversation without a number.
    In a conversation of several people none of its turns is known to be the asker's.
    """
    lines = [_line(question, turn.speaker, turn.said_at, text) for turn, text in _of_window(shown, window)]
    for number, hit in shown:
        if hit.kind is Kind.TURN and not is_suspicious(hit.text):
            lines.append(f"{_line(question, hit.subject, hit.said_at, hit.text)} [{number}]")
    return lines


def _of_window(shown: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[tuple[Turn, str]]:
    own = [turn for turn in window if turn.role is Role.USER]
    if len({turn.speaker for turn in own}) > 1:
        return []
    quoted = {each.turn_id for _, hit in shown for each in hit.evidence} | {hit.id for _, hit in shown}
    told = frozenset(term for _, hit in shown for term in search_terms(hit.text))
    fresh = [turn for turn in reversed(own) if turn.id not in quoted]
    stated = [(turn, text) for turn in fresh for text in statements_of([turn])]
    return [(turn, text) for turn, text in stated if overlap(text, told) < REPEATED][:MOST]


def _line(question: Question, speaker: str, said_at: datetime, text: str) -> str:
    day = said_at.astimezone(zone_of(question.time_zone)).date()
    when = show_day(day, detect_language(question.text))
    return f"{speaker} ({when}): “{cut(text, MAX_CHARS)}”"

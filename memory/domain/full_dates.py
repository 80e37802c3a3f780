"""Dates that name their day and month, with the weekday that stands beside them.

"Thursday, the 3rd of December", "12月3日（星期四）": the weekday is part of the date and names no other.
"""

import re
from collections.abc import Iterator

from memory.domain import date_words as say

_ARTICLE = r"(?:(?:the|den|dem|día|dia|le)\s)?"
_BEFORE = re.compile(rf"(?<![^\W_]){say.WEEKDAY}\.?(?:,\s?|\s){_ARTICLE}$", re.IGNORECASE)
_AFTER = re.compile(
    rf",?\s?[(（]?(?:a\s)?{say.WEEKDAY}(?![^\W_])[)）]?|\s?[(（]?(?:周|星期|礼拜|週)(?P<zh>[一二三四五六日天])[)）]?",
    re.IGNORECASE,
)
_LONGEST = 30  # characters of a weekday and what joins it to its date
_PATTERNS = (say.ISO_DATE, *say.FULL_DATES, say.NUMERIC_DATE)


def weekday_beside(text: str, start: int, end: int) -> tuple[int, int, int | None]:
    """The stretch of a full date with the weekday before or behind it, and that weekday, 0 for Monday."""
    before = _BEFORE.search(text, max(0, start - _LONGEST), start)
    if before:
        return before.start(), end, say.weekday_of(before["weekday"])
    after = _AFTER.match(text, end)
    if after and text[end - 1] != ".":
        return start, after.end(), say.weekday_of(after["weekday"] or after["zh"])
    return start, end, None


def full_dates(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of the text that are full dates, weekday included; the calendar may lack them."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end, _ = weekday_beside(text, match.start(), match.end())
            yield start, end


def without_full_dates(text: str) -> str:
    """The text, as long as before, with commas in place of its full dates."""
    for start, end in full_dates(text):
        text = f"{text[:start]}{',' * (end - start)}{text[end:]}"
    return text

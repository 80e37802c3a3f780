"""Hours of the clock in a text, and the date that each belongs to.

"tomorrow at 9" is nine o'clock, "at 3pm" and "tonight at 8" lie in the second half of the day. Where
English and Spanish give an hour from 1 to 5 without its half, the afternoon is meant.
"""

import re
from collections.abc import Sequence
from datetime import time

from memory.domain.number_words import digits_of

_L = r"(?<![^\W_])"
_R = r"(?![^\W_])"
_H = r"(?P<h>[01]?\d|2[0-3])"
_M = r"(?P<m>[0-5]\d)"
# What may follow a bare hour: "at 9 on Monday", but not "at 9 Main Street".
_BARE = (
    r"(?=\s*(?:$|[.,;!?()])|\s(?:on|at|in|tomorrow|today|tonight|yesterday|this|next|and|or|but|with|for|to|by|from|sharp"
    r"|instead|not|until|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)"
)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# `half`: a or p; `part`: a word for the part of the day; `loose`: the half may be left out.
_CLOCKS = (
    _compile(rf"{_L}{_H}(?:[:.]{_M})?\s?(?P<half>[ap])\.?m\b"),
    _compile(rf"(?:(?P<loose>)at\s)?(?<![\d:.]){_H}:{_M}(?::[0-5]\d)?(?!\d|:\d|\s?%)"),
    _compile(rf"{_L}at\s(?P<loose>){_H}(?:\so['’]clock|{_BARE})"),
    _compile(rf"{_L}at\s(?P<noon>noon|midday){_R}"),
    _compile(rf"{_L}{_H}(?:\.{_M})?\sUhr{_R}"),
    _compile(rf"{_L}um\s{_H}(?=\s*(?:$|[.,;!?]))"),
    _compile(rf"{_L}a\slas?\s(?P<loose>){_H}(?:[:.]{_M})?(?:\sde\sla\s(?P<part>mañana|tarde|noche))?{_R}"),
    _compile(rf"{_L}(?:à|vers|dès)\s{_H}\s?h(?:eures?)?\s?{_M}?{_R}"),
    _compile(rf"{_L}às?\s{_H}(?:[h:]{_M}?)?(?:\sda\s(?P<part>manhã|tarde|noite))?{_R}"),
    _compile(
        rf"{_L}в\s{_H}\s(?:час(?:ов|а)?{_R}(?:\s(?P<part>утра|дня|вечера))?|(?P<part2>утра|дня|вечера))"
    ),
    re.compile(
        rf"(?P<part>上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|午前|午後)?(?<![有说說这這那第])(?P<h>\d{{1,2}}|十[一二]?|[两二三四五六七八九])"
        rf"[点點時](?![钟鐘间間])(?:{_M}分?|(?P<thirty>半))?"
    ),
    re.compile(rf"(?P<part>오전|오후)?\s?(?P<h>\d{{1,2}})시(?!간)(?:\s?{_M}분)?"),
)
_LATE = _compile(
    rf"{_L}(?:afternoon|evening|dinner|supper|drinks|tonight|at night|nachmittags?|abends?|tarde|noche|noite"
    rf"|soir|après-midi|дня|вечера|вечером){_R}|下午|傍晚|晚上|今晚|明晚|昨晚|中午|午後|오후"
)
_EARLY = _compile(
    rf"{_L}(?:morning|early|breakfast|sunrise|wak(?:e|es|ing)|woke|(?:get|gets|got)\sup"
    rf"|früh|morgens?|vormittags?|de la mañana|manhã|matin|утра|утром){_R}"
    r"|上午|早上|早晨|凌晨|今早|午前|오전"
)
_LOOSE_HOURS = range(1, 6)
_REACH = 40  # characters between a clock time and its date
_NEAR = 25  # characters around a clock time in which a word tells the part of the day
_BREAK = re.compile(r"[.!?;。！？；]\s|[。！？；]")


def clock_times(text: str, spans: Sequence[tuple[int, int]]) -> dict[int, time]:
    """The first clock time of each date, by its place in `spans` (the stretches of the text's dates).

    A time belongs to the date that is nearest within the sentence; of two as near, to the one before it.
    """
    told: dict[int, time] = {}
    for start, end, hour in _clocks(text, spans):
        near = [
            (gap, place)
            for place, span in enumerate(spans)
            if (gap := _gap(start, end, span)) <= _REACH
            and not _BREAK.search(text, min(end, span[1]), max(start, span[0]))
        ]
        if near:
            told.setdefault(min(near)[1], hour)
    return told


def _gap(start: int, end: int, span: tuple[int, int]) -> int:
    """The characters between a stretch and a span; below zero where they overlap."""
    return max(start - span[1], span[0] - end)


def _clocks(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int, time]]:
    """Where clock times stand near a date, in order; none in what is a date itself."""
    found: list[tuple[int, int, time]] = []
    for match in (match for pattern in _CLOCKS for match in pattern.finditer(text)):
        start, end = match.span()
        gaps = [_gap(start, end, span) for span in spans]
        if not gaps or not 0 <= min(gaps) <= _REACH or any(_gap(start, end, each[:2]) < 0 for each in found):
            continue
        hour = _time_of(match)
        if hour is not None:
            found.append((start, end, hour))
    return sorted(found)


def _time_of(match: re.Match[str]) -> time | None:
    told = match.groupdict()
    if told.get("noon"):
        return time(12)
    hour = digits_of(told["h"])
    if hour < 12 and _is_late(match, hour):
        hour += 12
    elif hour == 12 and (told.get("half") or "").lower() == "a":
        hour = 0
    minute = 30 if told.get("thirty") else int(told.get("m") or 0)
    return time(hour, minute) if hour < 24 else None


def _is_late(match: re.Match[str], hour: int) -> bool:
    """Whether an hour below twelve lies in the second half of the day."""
    told = match.groupdict()
    if told.get("half"):
        return told["half"].lower() == "p"
    around = match.string[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    part = told.get("part") or told.get("part2") or around
    if _EARLY.search(part) and not _LATE.search(part):
        return False
    is_plain = not told["h"].startswith("0")
    is_loose = told.get("loose") is not None and hour in _LOOSE_HOURS
    return is_plain and hour > 0 and (_LATE.search(part) is not None or is_loose)

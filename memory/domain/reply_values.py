"""Single values of a model's JSON, read leniently and kept inside bounds.

What cannot be meant is None or left out; nothing here raises, whatever the type.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.domain.replies import JsonValue
from memory.domain.temporal import zone_of
from memory.domain.text import fold, normalize

FIRST_YEAR = 1970
YEARS_AHEAD = 100

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?\Z")


@dataclass(frozen=True, slots=True)
class Calendar:
    """How instants of a reply are read: the zone of naive ones, and the latest instant
    that was known when the text was said. An instant outside [1970, now + 100 years)
    is none.
    """

    time_zone: str
    now: datetime

    def instant(self, value: JsonValue) -> datetime | None:
        """The instant in UTC of an ISO 8601 date or time; a day, month or year begins it."""
        if not isinstance(value, str) or not value.strip():
            return None
        try:
            read = _iso(value.strip())
            local = read if read.tzinfo else read.replace(tzinfo=zone_of(self.time_zone))
            instant = local.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
        is_sane = FIRST_YEAR <= instant.year < self.now.year + YEARS_AHEAD
        return instant if is_sane else None

    def span(self, start: JsonValue, end: JsonValue) -> tuple[datetime | None, datetime | None]:
        """Half-open; an end that is not after its start is dropped."""
        first, last = self.instant(start), self.instant(end)
        if first is not None and last is not None and last <= first:
            last = None
        return first, last

    def end_of(self, value: JsonValue) -> datetime | None:
        """The end of a day that is named alone: `2023-05-07` as an end means its last moment."""
        start = self.instant(value)
        if start is None or not isinstance(value, str) or len(value.strip()) > 10:
            return start
        return start + timedelta(days=1)


def text_of(value: JsonValue, *, limit: int) -> str:
    """A string on one line, cut at `limit` characters; numbers count, other types give ""."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    line = normalize(str(value))
    return line if len(line) <= limit else line[:limit].rstrip() + "…"


def block_of(value: JsonValue, *, limit: int) -> str:
    """A string that may have several lines."""
    return value.strip()[:limit] if isinstance(value, str) else ""


def texts_of(value: JsonValue, *, limit: int, most: int) -> tuple[str, ...]:
    """Distinct strings of a list; a lone string is a list of one, an object gives its name."""
    items = value if isinstance(value, list) else [value]
    named = (item.get("name") if isinstance(item, dict) else item for item in items)
    return distinct((text for item in named if (text := text_of(item, limit=limit))), key=fold)[:most]


def distinct(texts: Iterable[str], *, key: Callable[[str], str]) -> tuple[str, ...]:
    """The texts without repetitions, the first of each kept."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(key(text), text)
    return tuple(found.values())


def truth_of(value: JsonValue, *, default: bool) -> bool:
    """A boolean, also as a word or a number."""
    if isinstance(value, (bool, int)):
        return bool(value)
    word = value.strip().lower() if isinstance(value, str) else ""
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(word, default)


def share_of(value: JsonValue, *, default: float) -> float:
    """A number clamped to [0, 1]; what is no number gives the default."""
    try:
        number = float(value) if isinstance(value, (str, int, float)) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    return default if math.isnan(number) else min(1.0, max(0.0, number))


def count_of(value: JsonValue, *, lowest: int, highest: int) -> int | None:
    """A whole number clamped to the range, or None."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return min(highest, max(lowest, int(float(value))))
    except (ValueError, OverflowError):
        return None


def indexes_of(value: JsonValue) -> tuple[int, ...]:
    """Turn numbers, sorted: `[3, "4", "turn 5"]` gives 3, 4, 5; also one number alone."""
    items = value if isinstance(value, list) else [value]
    found = set()
    for item in items:
        if isinstance(item, int) and not isinstance(item, bool):
            found.add(item)
        elif isinstance(item, float) and item.is_integer():
            found.add(int(item))
        elif isinstance(item, str):
            found.update(int(digits) for digits in re.findall(r"(?<![\d.])\d{1,9}(?![\d.])", item))
    return tuple(sorted(found))


def mapping_of(value: JsonValue) -> Mapping[str, JsonValue]:
    """An object, else an empty one."""
    return value if isinstance(value, dict) else {}


def _iso(text: str) -> datetime:
    if match := _DATE.match(text):
        year, month, day = (int(part) if part else 1 for part in match.groups())
        return datetime(year, month, day)  # noqa: DTZ001 - the caller gives it the user's zone
    return datetime.fromisoformat(text)

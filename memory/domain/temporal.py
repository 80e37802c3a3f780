"""Words for time in a text, and the half-open ranges they mean.

"Yesterday" is a day of the speaker's own calendar: mentions are resolved against the
instant of saying in the speaker's zone and returned in UTC. What gives a year outside
1900 to 2100 is no date. The words of each language stand in date_words.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from memory.domain import date_words as say
from memory.domain import tenses
from memory.domain.clock import clock_times
from memory.domain.feasts import FEAST, feast_day
from memory.domain.full_dates import weekday_beside
from memory.domain.languages import is_other_script, needs_other_script
from memory.domain.number_words import count_of, digits_of
from memory.domain.types import TimeRange

YEARS = range(1900, 2101)
# Of instants that people and programs give: far enough from the calendar's ends that every zone
# has a local time for them and that reckoning from them stays within it.
GIVEN_YEARS = range(1_000, 3_000)
_DAY = timedelta(days=1)
_LONGEST_DAY = timedelta(hours=25)
_SPAN_DAYS = {"day": 1, "weekend": 2, "week": 7, "month": 31, "season": 92, "year": 366}


@dataclass(frozen=True, slots=True)
class DateMention:
    """A stretch [start, end) of the text and the range of time it names.

    `grain`: day | days | weekend | week | month | season | year. `clock`: the instant within the day, UTC,
    where the text tells its hour.
    """

    start: int
    end: int
    text: str
    range: TimeRange
    grain: str
    clock: datetime | None = None

    @property
    def moment(self) -> datetime:
        """The hour that is told, else where the range begins."""
        return self.clock or self.range.start


@dataclass(frozen=True, slots=True)
class _Days:
    """Whole days [first, end) of some calendar."""

    first: date
    end: date
    grain: str


@dataclass(frozen=True, slots=True)
class _Anchor:
    """The day of saying, and whether the sentence looks ahead."""

    day: date
    is_ahead: bool


_Resolve = Callable[[say.Match, _Anchor], "_Days | None"]


def find_dates(text: str, *, said_at: datetime, time_zone: str) -> list[DateMention]:
    """The mentions of time in the text, in order, without overlaps.

    `said_at`: aware. Example: "yesterday" said on 2023-05-08 in UTC is the range
    2023-05-07T00:00 to 2023-05-08T00:00.
    """
    if not say.CUE.search(text):
        return []
    zone = zone_of(time_zone)
    anchor = _Anchor(said_at.astimezone(zone).date(), tenses.is_planning(text))
    found: list[DateMention] = []
    for pattern, resolve in _RULES if is_other_script(text) else _LATIN_RULES:
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            days = _guarded(resolve, match, anchor)
            if days is not None:
                found.append(_mention(match, days, zone, has_weekday=resolve in (_full_date, _numeric_date)))
    return _with_clocks(text, _meant(text, sorted(found, key=lambda mention: mention.start)), zone)


def is_given_year(instant: datetime) -> bool:
    """Whether an instant that came from outside may be stored and reckoned from."""
    return instant.year in GIVEN_YEARS


def zone_of(name: str) -> ZoneInfo:
    """The zone of this IANA name; UTC for a name nobody knows."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def tells_hour(instant: datetime, zone: ZoneInfo) -> bool:
    """Whether it is more than a day: neither the zone's midnight nor, as models write days, that of UTC."""
    return all(instant.astimezone(each).time() != time() for each in (zone, UTC))


def day_range(day: date, zone: ZoneInfo) -> TimeRange:
    """One day of the zone, 23 to 25 hours long."""
    return TimeRange(_midnight(day, zone), _midnight(day + _DAY, zone))


def _meant(text: str, found: list[DateMention]) -> list[DateMention]:
    """Without those that the text tells apart from what it means: "Thursday, not Wednesday"."""
    is_only = len(found) == 1
    return [each for each in found if not tenses.is_negated(text, each.start, is_only=is_only)]


def _with_clocks(text: str, mentions: list[DateMention], zone: ZoneInfo) -> list[DateMention]:
    """The mentions, those of one day with the hour that the text tells of them."""
    days = [each for each in mentions if each.range.end - each.range.start <= _LONGEST_DAY]
    times = clock_times(text, [(each.start, each.end) for each in days])
    told = {days[place].start: _instant(days[place].range.start, hour, zone) for place, hour in times.items()}
    return [replace(each, clock=told.get(each.start)) for each in mentions]


def _instant(midnight: datetime, hour: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(midnight.astimezone(zone).date(), hour, zone).astimezone(UTC)


def _mention(match: say.Match, days: _Days, zone: ZoneInfo, *, has_weekday: bool) -> DateMention:
    """A full date swallows the weekday beside it."""
    start, end = match.span()
    if has_weekday:
        start, end, _ = weekday_beside(match.string, start, end)
    span = TimeRange(_midnight(days.first, zone), _midnight(days.end, zone))
    return DateMention(start, end, match.string[start:end], span, days.grain)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _guarded(resolve: _Resolve, match: say.Match, anchor: _Anchor) -> _Days | None:
    """The days, unless the calendar does not have them or they lie beyond our years."""
    try:
        days = resolve(match, anchor)
    except (ValueError, OverflowError):
        return None
    if days is None or days.first.year not in YEARS or days.end.year not in YEARS:
        return None
    return days


def _span(day: date, unit: str, shift: int = 0) -> _Days:
    """The day, weekend, week, month, season or year around the day, `shift` units away."""
    if unit == "day":
        first = day + shift * _DAY
        return _Days(first, first + _DAY, unit)
    if unit in ("week", "weekend"):
        monday = day - day.weekday() * _DAY + 7 * shift * _DAY
        first = monday if unit == "week" else monday + 5 * _DAY
        return _Days(first, monday + 7 * _DAY, unit)
    if unit == "month":
        months = day.year * 12 + day.month - 1 + shift
        return _month(months // 12, months % 12 + 1)
    return _year(day.year + shift)


def _month(year: int, month: int) -> _Days:
    following = date(year + month // 12, month % 12 + 1, 1)
    return _Days(date(year, month, 1), following, "month")


def _year(year: int) -> _Days:
    return _Days(date(year, 1, 1), date(year + 1, 1, 1), "year")


def _one_day(day: date) -> _Days:
    return _Days(day, day + _DAY, "day")


def _named_day(match: say.Match, anchor: _Anchor) -> _Days:
    return _span(anchor.day, "day", say.DAYS[match.group("day").lower()])


def _some_ago(match: say.Match, anchor: _Anchor) -> _Days | None:
    """As in "3 weeks ago", "in two days", 三天前; "a few" is two to four."""
    unit = say.unit_of(match.group("unit"))
    sign = 1 if "ahead" in match.re.groupindex else -1
    least, most = count_of(match.group("n"))
    if most > _longest(unit):
        return None
    near, far = (_span(anchor.day, unit, sign * n) for n in (least, most))
    return _Days(min(near.first, far.first), max(near.end, far.end), unit)


def _longest(unit: str) -> int:
    return 200 * 366 // _SPAN_DAYS[unit]


def _relative_unit(match: say.Match, anchor: _Anchor) -> _Days:
    """Resolve a named unit; "over the weekend" looks back unless the sentence looks ahead."""
    if match.group("rel").lower() == "the" and not anchor.is_ahead and anchor.day.weekday() < 5:
        return _span(anchor.day, say.unit_of(match.group("unit")), -1)
    return _span(anchor.day, say.unit_of(match.group("unit")), say.shift_of(match.group("rel")))


def _relative_weekday(match: say.Match, anchor: _Anchor) -> _Days | None:
    """Resolve a weekday; "last Friday" is the latest before today, "next Friday" the first after it."""
    weekday = say.weekday_of(match.group("weekday"))
    if not match.group("rel") and _is_habit(match.string):
        return None
    is_ahead = _looks_ahead(match, anchor) or say.DUE.match(match.group()) is not None
    shift = say.shift_of(match.group("rel")) if match.group("rel") else (1 if is_ahead else -1)
    if shift == 0:
        return _one_day(_span(anchor.day, "week").first + weekday * _DAY)
    if shift > 0:
        return _one_day(anchor.day + ((weekday - anchor.day.weekday() - 1) % 7 + 1) * _DAY)
    return _one_day(anchor.day - ((anchor.day.weekday() - weekday - 1) % 7 + 1) * _DAY)


@lru_cache(maxsize=16)
def _is_habit(text: str) -> bool:
    return say.HABIT.search(text) is not None


def _week_weekday(match: say.Match, anchor: _Anchor) -> _Days | None:
    """上周五: the Friday of last week, weeks beginning on Monday; a bare 周五 to come is never past."""
    if not match.group("rel") and _is_habit(match.string):
        return None
    shift = say.week_shift_of(match.group("rel") or "")
    day = _span(anchor.day, "week", shift).first + say.weekday_of(match.group("weekday")) * _DAY
    is_next = not match.group("rel") and day < anchor.day and _looks_ahead(match, anchor)
    return _one_day(day + 7 * _DAY if is_next else day)


def _full_date(match: say.Match, anchor: _Anchor) -> _Days:
    """A day and month, with a year or the nearest one that fits the sentence."""
    month = say.month_of(match.group("month"))
    day = say.day_of(_first_of(match, "d", "zh", "between"))
    if match.group("year"):
        return _one_day(date(_year_of(match.group("year")), month, day))
    shift = say.year_shift_of(match.groupdict().get("yrel") or "")
    if shift is not None:
        return _one_day(date(anchor.day.year + shift, month, day))
    year = anchor.day.year
    this_year = date(year, month, day)
    is_ahead = _looks_ahead(match, anchor) or tenses.is_present(match.string)
    if is_ahead and this_year < anchor.day:
        year += 1
    elif not is_ahead and this_year > anchor.day:
        year -= 1
    weekday = weekday_beside(match.string, match.start(), match.end())[2]
    near = (year, year + 1, year - 1) if weekday is not None else (year,)
    fitting = (other for other in near if date(other, month, day).weekday() == weekday)
    return _one_day(date(next(fitting, year), month, day))


def _first_of(match: say.Match, *groups: str) -> str:
    said = match.groupdict()
    return next((word for group in groups if (word := said.get(group))), "")


def _days_of_month(match: say.Match, anchor: _Anchor) -> _Days | None:
    """The days of one month from the first to the last that are named, both included."""
    first = _full_date(match, anchor).first
    last = first.replace(day=int(match.group("last")))
    return _Days(first, last + _DAY, "days") if first < last else None


def _looks_ahead(match: say.Match, anchor: _Anchor) -> bool:
    return anchor.is_ahead or tenses.looks_ahead(match.string, match.start(), match.end())


def _numeric_date(match: say.Match, anchor: _Anchor) -> _Days:
    """12.05.2023 is day first, 05/12/2023 month first, unless only one order exists."""
    del anchor
    first, second = int(match.group("a")), int(match.group("b"))
    day_first = match.group("sep") != "/" or first > 12
    day, month = (first, second) if day_first else (second, first)
    return _one_day(date(_year_of(match.group("year")), month, day))


def _month_of_year(match: say.Match, anchor: _Anchor) -> _Days:
    month = say.month_of(match.group("month"))
    if match.groupdict().get("year"):
        return _month(_year_of(match.group("year")), month)
    shift = say.year_shift_of(match.groupdict().get("rel") or "")
    if shift is not None:
        return _relative_month(month, shift, anchor)
    passed = month <= anchor.day.month
    is_ahead = _looks_ahead(match, anchor)
    year = anchor.day.year + (passed and is_ahead and month < anchor.day.month)
    return _month(year - (not passed and not is_ahead), month)


def _relative_month(month: int, shift: int, anchor: _Anchor) -> _Days:
    """Resolve a month; "last June" is the latest June that has ended, "next June" the first to begin."""
    year = anchor.day.year
    if shift < 0:
        return _month(year if month < anchor.day.month else year - 1, month)
    if shift > 0:
        return _month(year if month > anchor.day.month else year + 1, month)
    return _month(year, month)


def _year_month(match: say.Match, anchor: _Anchor) -> _Days:
    """去年五月: the year is relative and stands first."""
    shift = say.year_shift_of(match.group("rel")) or 0
    return _month(anchor.day.year + shift, say.month_of(match.group("month")))


def _season(match: say.Match, anchor: _Anchor) -> _Days:
    """Northern seasons of three months; winter begins in December. 明年夏天 names the year."""
    start = say.season_of(match.group("season"))
    rel = match.group("rel") or ""
    year = anchor.day.year
    if rel.endswith("年"):
        first = date(year + (say.year_shift_of(rel) or 0), start, 1)
        return _Days(first, _season_end(first), "season")
    shift = say.shift_of(rel)
    first = date(year, start, 1)
    if shift < 0 and _season_end(first) > anchor.day:
        first = date(year - 1, start, 1)
    elif shift > 0 and first <= anchor.day:
        first = date(year + 1, start, 1)
    return _Days(first, _season_end(first), "season")


def _season_end(first: date) -> date:
    months = first.year * 12 + first.month - 1 + 3
    return date(months // 12, months % 12 + 1, 1)


def _plain_year(match: say.Match, anchor: _Anchor) -> _Days:
    del anchor
    return _year(_year_of(match.group("year")))


def _feast(match: say.Match, anchor: _Anchor) -> _Days | None:
    """A Chinese feast; of lunar ones only the years whose dates we hold."""
    name = match.group("feast")
    shift = say.year_shift_of(match.group("rel") or "")
    year = anchor.day.year + (shift or 0)
    day = feast_day(name, year)
    if day is not None and shift is None and not anchor.is_ahead and day > anchor.day:
        day = feast_day(name, year - 1)
    return None if day is None else _one_day(day)


def _year_of(digits: str) -> int:
    year = digits_of(digits)
    if year not in YEARS:
        raise ValueError(digits)
    return year


# The longer reading first: what an earlier rule has taken, later ones leave alone.
_RULES: tuple[tuple[say.Pattern, _Resolve], ...] = (
    (say.ISO_DATE, _full_date),
    *((pattern, _days_of_month) for pattern in say.DAY_RANGES),
    *((pattern, _full_date) for pattern in say.FULL_DATES),
    (say.NUMERIC_DATE, _numeric_date),
    *((pattern, _some_ago) for pattern in say.SOME_AGO),
    (say.WEEK_WEEKDAY, _week_weekday),
    *((pattern, _relative_weekday) for pattern in say.RELATIVE_WEEKDAYS),
    (FEAST, _feast),
    (say.YEAR_MONTH, _year_month),
    *((pattern, _season) for pattern in say.SEASONS),
    *((pattern, _relative_unit) for pattern in say.RELATIVE_UNITS),
    *((pattern, _month_of_year) for pattern in say.MONTHS_OF_YEAR),
    (say.NAMED_DAY, _named_day),
    *((pattern, _plain_year) for pattern in say.PLAIN_YEARS),
)
_LATIN_RULES = tuple(rule for rule in _RULES if not needs_other_script(rule[0]))

"""When a statement was true: mentions of time resolved against the turn they stand in.

The project's own rules come first; `dateparser` reads what they do not speak
(Italian, Portuguese, Dutch, Polish, Swedish, Turkish …), and only where a cheap
pattern sees a date.
"""

import re
from datetime import datetime, timedelta

from memory.domain.temporal import YEARS, DateMention, day_range, find_dates, zone_of
from memory.domain.types import MemoryType, Temporal, TimeRange, Turn

_OWN_LANGUAGES = frozenset({"en", "de", "ru", "es", "fr", "zh", "ja", "ko"})
_FOREIGN_DATE = re.compile(
    r"(?<!\w)(?:\d{1,2}\.?\s(?:de\s|di\s)?[^\W\d_]{3,12}\.?(?:\s(?:de\s|di\s)?\d{4})?(?!\w)"
    r"|ieri|oggi|domani|ontem|hoje|amanhã|gisteren|vandaag|wczoraj|dzisiaj|jutro|dün|bugün|yarın|"
    r"igår|idag|imorgon"
    r"|вчора|сьогодні|завтра|أمس|اليوم|غدا|אתמול|היום|מחר|कल|आज)(?!\w)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"(?:since|seit|desde|depuis|с|из)\s?$|^(?:since|seit|с)\s|(?:since|自从?|从)\s?$", re.IGNORECASE
)
_SINCE_AFTER = re.compile(r"^\s?(?:以来|起|开始|から|부터)")
_UNTIL = re.compile(
    r"(?:until|till|by|bis|до|hasta|jusqu'(?:à|en))\s?$|^(?:until|by|bis|до)\s", re.IGNORECASE
)
_UNTIL_AFTER = re.compile(r"^\s?(?:之前|以前|前|为止|まで|까지)")

_FROM = r"(?:from|between|von|vom|zwischen|de|du|del|entre|desde|с)\s(?:the\s|dem\s|el\s)?"
_OPENS_PERIOD = re.compile(rf"(?<!\w){_FROM}$", re.IGNORECASE)
_OPENS_WITHIN = re.compile(_FROM, re.IGNORECASE)
_JOINS_PERIOD = re.compile(
    r"\s?(?:(?:to|until|till|through|and|bis|und|à|au|a|al|y|et|hasta|по|до)\s(?:the\s|zum\s|dem\s|el\s)?)?",
    re.IGNORECASE,
)
_JOINS_WITHIN = re.compile(r"(?:to|until|till|and|bis|und|à|a|y|et|hasta|по|до)\s", re.IGNORECASE)
_JOINS_DENSE = re.compile(r"\s?[到至]\s?")
_SHIFTED = re.compile(
    r"\b(?:mov|postpon|reschedul|shift|push|delay|chang|verschob|verleg|umgez|перен|переех|aplaz|repor|mud)|搬|改|推迟",
    re.IGNORECASE,
)

_RECURS = re.compile(
    r"\b(?:birthday|anniversary)\s(?:is|falls|on)\b|\bGeburtstag ist\b|\bcumpleaños es\b|день рождения"
    r"|生日是",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\d{4}")
_OWN_STOP = re.compile(r"(?<!\.\w)\.$")  # a sentence's, not that of "p.m."


def find_mentions(sentence: str, turn: Turn, *, language: str, time_zone: str) -> list[DateMention]:
    """The mentions of time in one sentence of the turn, in order."""
    mentions = find_dates(sentence, said_at=turn.said_at, time_zone=time_zone)
    if mentions or language in _OWN_LANGUAGES:
        return mentions
    match = _FOREIGN_DATE.search(sentence)
    span = _parse(match.group(), turn.said_at, time_zone, language) if match else None
    if match is None or span is None:
        return []
    return [DateMention(match.start(), match.end(), match.group(), span, "day")]


def are_apart(some: list[DateMention], others: list[DateMention]) -> bool:
    """Whether one of the others names a time that none of the first, if there are any, shares."""
    return bool(some) and any(
        all(one.range.end <= other.range.start or other.range.end <= one.range.start for one in some)
        for other in others
    )


def temporal_of(
    sentence: str, mentions: list[DateMention], memory_type: MemoryType, *, is_slot: bool
) -> Temporal:
    """What the mentions say of validity.

    "since 2016" opens it, "until Friday" closes it, "from 2010 to 2014" does both; an event holds
    while its day lasts, from its hour on where that is told; an attribute ("moved to Berlin last
    month") holds from then on.
    """
    if not mentions or _is_yearly(sentence, mentions[0]):
        return Temporal()
    first = mentions[0]
    if (last := _end_of_period(sentence, mentions)) is not None:
        return Temporal(first.moment, first.moment, last)
    before, after = sentence[: first.start], sentence[first.end :]
    opens = _SINCE.search(before) or _SINCE.match(first.text) or _SINCE_AFTER.match(after)
    closes = _UNTIL.search(before) or _UNTIL.match(first.text) or _UNTIL_AFTER.match(after)
    if closes and not opens:
        return Temporal(ref=first.moment, valid_to=first.clock or first.range.end)
    if opens or is_slot:
        return Temporal(ref=first.moment, valid_from=first.moment)
    if memory_type is MemoryType.EVENT:
        return Temporal(first.moment, first.moment, first.range.end)
    return Temporal(ref=first.moment)


def _end_of_period(sentence: str, mentions: list[DateMention]) -> datetime | None:
    """When a period ends that the first mention or two tell, "from 3 May to 7 May"; None for none."""
    if mentions[0].grain == "days":
        return mentions[0].range.end
    if len(mentions) < 2 or _SHIFTED.search(sentence):
        return None
    first, second = mentions[:2]
    before, between = sentence[: first.start], sentence[first.end : second.start]
    is_joined = _JOINS_PERIOD.fullmatch(between) and (between.strip() or _JOINS_WITHIN.match(second.text))
    is_opened = _OPENS_PERIOD.search(before) or _OPENS_WITHIN.match(first.text)
    is_period = (is_joined and is_opened) or _JOINS_DENSE.fullmatch(between)
    return second.range.end if is_period and first.moment < second.range.end else None


def write_dates(sentence: str, mentions: list[DateMention], time_zone: str) -> str:
    """The sentence with each relative mention followed by its date.

    "went yesterday" -> "went yesterday (2023-05-07)"; a date that names its year stays bare.
    """
    zone = zone_of(time_zone)
    for mention in reversed(mentions):
        if (
            _is_yearly(sentence, mention)
            or _YEAR.search(mention.text)
            or sentence[mention.end : mention.end + 1] in ("'", "’")
        ):
            continue
        start = mention.range.start.astimezone(zone).date()
        shown = {"month": f"{start:%Y-%m}", "year": f"{start:%Y}"}.get(mention.grain, start.isoformat())
        if mention.grain in ("days", "week", "weekend", "season"):
            last = mention.range.end.astimezone(zone).date() - timedelta(days=1)
            shown = f"{start.isoformat()}/{last.isoformat()}"
        is_stopped = _OWN_STOP.search(mention.text) is not None and not sentence[mention.end :].strip()
        end = mention.end - is_stopped
        gap = "" if sentence[end - 1] > "\u2fff" else " "
        sentence = f"{sentence[:end]}{gap}({shown}){sentence[end:]}"
    return sentence


def _is_yearly(sentence: str, mention: DateMention) -> bool:
    """Whether the day comes back every year: a birthday that names none."""
    is_day = re.search(r"\d", mention.text) is not None and not _YEAR.search(mention.text)
    return is_day and _RECURS.search(sentence) is not None


def _parse(text: str, said_at: datetime, time_zone: str, language: str) -> TimeRange | None:
    """One day by `dateparser`; None for what it cannot read or what no calendar has."""
    import dateparser

    zone = zone_of(time_zone)
    settings = {
        "RELATIVE_BASE": said_at.astimezone(zone).replace(tzinfo=None),
        "PREFER_DATES_FROM": "past",
        "REQUIRE_PARTS": ["day", "month"],
    }
    try:
        found = dateparser.parse(text, languages=[language], settings=settings)
    except (ValueError, OverflowError, RecursionError):
        return None
    if found is None or found.year not in YEARS:
        return None
    return day_range(found.date(), zone)

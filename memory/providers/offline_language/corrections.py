"""A slip put right: "My number is 555-1234." and then "Sorry, I meant 555-9876.", as one statement."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from memory.domain.temporal import DateMention, find_dates
from memory.domain.text import search_terms
from memory.providers.offline_language.slots import find_slot

_OPENING = (
    r"^(?:(?:oh|oops|ah|sorry|wait|no|actually|correction|my bad|my mistake|i mean|typo|hold on"
    r"|oh je|entschuldigung|nein|korrektur|tut mir leid|falsch|pardon|désolée?|non|erreur|perdón|corrección"
    r"|lo siento|извини(?:те)?|ой|ошибся|ошиблась|нет|точнее|вернее)\b[\s,.!:;–—-]*)+"
)
_MEANT = (
    r"(?:(?:that )?i meant?(?: to say)?"
    r"|(?:it|that)(?:['’]s| is| was| should be| should have been)(?: actually)?"
    r"|make (?:that|it)|ich meinte?|es ist|je voulais dire|c'est|quise decir|quería decir|es"
    r"|я имел[аи]? в виду|это)\b[\s:,]*"
)
_SLIP = re.compile(rf"{_OPENING}(?P<meant>{_MEANT})?(?P<value>[^\n]{{1,100}}?)[\s.!]*$", re.IGNORECASE)
_ZH_SLIP = re.compile(
    r"^(?:不对|不好意思|抱歉|对不起|说错了|更正|不是|错了)[，,。！!\s]*(?:说错了[，,]?)?"
    r"(?P<meant>我?(?:的意思)?是|应该是|我是说|是)?[：:\s]*(?P<value>[^\n，。]{1,30}?)[。！!\s]*$"
)
# Alone these contradict somebody else, or only go on.
_BARE_NO = re.compile(
    r"^(?:(?:no|actually|nein|non|нет|不是)\b[\s,.!:;–—-]*)+(?![\s,.!:;–—-]*(?:sorry|wait)\b)", re.IGNORECASE
)
_NOT_BUT = re.compile(
    r"(?P<value>.+?)[,，]?\s*(?:not|nicht|pas|no|а не|而不是|不是)\s*(?P<wrong>.+)$", re.IGNORECASE
)
_NOT_FIRST = re.compile(
    r"(?:not|nicht|pas|no|не|不是)\s?(?P<wrong>[^,，]+?)(?:[,，]\s?(?:but\s|sondern\s|sino\s|mais\s|а\s|而?是)?"
    r"|\s(?:but|sondern|sino|mais)\s)(?P<value>.+)$",
    re.IGNORECASE,
)
_WEEKDAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag"
    "|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves"
    "|viernes|sábado|domingo|понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье"
)
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz"
    "|mai|juni|juli|oktober|dezember"
)
# What a slip may be put right with, by shape: only like replaces like.
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        r"\d{1,2}[:.h]\d{2}(?:\s?[ap]m)?|\d{1,2}\s?[ap]m",
        r"\+?\d[\d\s().-]{4,18}\d",
        r"\d+(?:[.,]\d+)?",
        rf"(?i:\b(?:{_WEEKDAYS})\b)",
        rf"(?i:\b(?:{_MONTHS})\b)",
        r"(?:周|星期|礼拜)[一二三四五六日天]",
        r"(?<![.!?]\s)(?<!^)\b(?!I\b)[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+(?:\s[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+)*",
    )
)
_DAY = re.compile(r"(?<!\d)(?P<day>\d{1,2})(?!\d)")
_ANY_DAY = datetime(2024, 1, 1, tzinfo=UTC)  # only whether days differ counts
_FILLING = frozenset(
    search_terms("correction sorry actually oops wait mein meine ist am ich mi es el mon est le")
)
RESTATED = 0.5  # of the words around what was wrong that the slip says again
_NAME = len(_SHAPES) - 1


def corrected(sentence: str, before: Iterable[str]) -> tuple[int, str] | None:
    """What the sentence puts right of those before it: the place in `before` and the statement as meant.

    `before`: what the same person said last, newest first. Only like replaces like: a number a
    number, a weekday a weekday, a name a name; otherwise None.
    """
    slip = _SLIP.match(sentence) or _ZH_SLIP.match(sentence)
    if slip is None:
        return None
    if not slip["meant"] and _BARE_NO.match(sentence):
        return None
    value = slip["value"].strip(" \"'“”")
    wrong = ""
    if (pair := _NOT_FIRST.match(value) or _NOT_BUT.match(value)) is not None:
        value, wrong = pair["value"].strip(), pair["wrong"].strip(" .!")
    for at, text in enumerate(before):
        meant = (
            _replaced(text, value, wrong)
            or (slip["meant"] and _with_value(text, value))
            or _redated(text, value, wrong)
        )
        if meant:
            return at, meant
    return None


def is_slip(sentence: str) -> bool:
    """Whether the sentence opens as one that puts something right."""
    return _SLIP.match(sentence) is not None and _BARE_NO.match(sentence) is None


def redated(sentence: str, text: str) -> str | None:
    """The text with the date that the sentence, a slip, gives it instead; None if it gives none.

    "Correction: my brother's wedding is on 27 May, not on the 20th" gives "My brother Erik marries
    on 20 May" the 27th.
    """
    slip = _SLIP.match(sentence)
    if slip is None or not is_slip(sentence):
        return None
    pair = _NOT_BUT.match(slip["value"])
    return _redated(text, pair["value"] if pair else slip["value"], pair["wrong"] if pair else "")


def _redated(text: str, value: str, wrong: str) -> str | None:
    """Where both say the same of one day each, or the text names the day that is wrong."""
    told, meant = (_dates(each) for each in (text, value))
    if len(told) != 1 or len(meant) != 1 or told[0].range == meant[0].range:
        return None
    old, new = told[0], meant[0]
    said, again = (
        set(search_terms(_without(each, date))) - _FILLING for each, date in ((text, old), (value, new))
    )
    day = _DAY.search(wrong)
    is_named = (
        day is not None and int(day["day"]) == old.range.start.day and _DAY.search(old.text) is not None
    )
    if wrong and not is_named:
        return None
    if len(said & again) < max(1, RESTATED * min(len(said), len(again))):
        return None
    return f"{text[: old.start]}{new.text}{text[old.end :]}"


def _dates(text: str) -> list[DateMention]:
    return find_dates(text, said_at=_ANY_DAY, time_zone="UTC")


def _without(text: str, date: DateMention) -> str:
    return f"{text[: date.start]} {text[date.end :]}"


def _replaced(text: str, value: str, wrong: str) -> str | None:
    if wrong:
        return _instead_of(text, value, wrong) if wrong in text and value != wrong else None
    shape = next((shape for shape in _SHAPES if _is_whole(shape, value)), None)
    if shape is None:
        return None
    found = [match for match in shape.finditer(text) if match.group() != value]
    if not found or (shape is not _SHAPES[_NAME] and len(found) > 1):
        return None
    last = found[-1]
    return f"{text[: last.start()]}{value}{text[last.end() :]}"


def _instead_of(text: str, value: str, wrong: str) -> str:
    """The text with the value for what was wrong; a value that says it all over again replaces it whole."""
    kept = set(search_terms(text.replace(wrong, " ")))
    if kept and len(kept & set(search_terms(value))) >= RESTATED * len(kept):
        return f"{value[:1].upper()}{value[1:]}."
    return text.replace(wrong, value)


def _with_value(text: str, value: str) -> str | None:
    """The statement of an attribute with another value; None if it then states none."""
    slot = find_slot(text)
    if slot is None or slot.value not in text or slot.value == value:
        return None
    meant = text.replace(slot.value, value)
    return meant if find_slot(meant) == (slot.name, value) else None


def _is_whole(shape: re.Pattern[str], value: str) -> bool:
    """Whether the value is nothing else; a name begins a sentence here, so it is tried behind a word."""
    match = shape.search(f"x {value}")
    return match is not None and match.start() == 2 and match.end() == len(value) + 2

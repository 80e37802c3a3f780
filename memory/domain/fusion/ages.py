"""The age that a whole sentence gives somebody: "Clara turned 7", "My son Leo is 12 years old"."""

import re
from typing import NamedTuple

from memory.domain.number_words import count_of
from memory.domain.text import words

_CALLED = r"(?-i:[A-ZÀ-ÖØ-ÞА-ЯЁ])[\w'’-]+"
_WHO = (
    r"(?P<who>I|(?:my|our|mein|meine|unsere?|mon|ma|notre|mi|nuestr[oa])\s[\w-]+"
    rf"(?:,?\s{_CALLED},?)?|{_CALLED})"
)
_N = r"(?P<n>\w+)"
_WHEN = (
    r"(?:\s(?:now|already|today|yesterday|recently|jetzt|schon|heute|gestern|ya|hoy|ayer|(?:last|this)\s\w+"
    r"|(?:on|in|am|im|le|el)\s[\w. ]{3,24}))?"
)
# By whether the day of it is told: "turned 7" happened, "is 7" holds.
_FORMS = tuple(
    (is_turning, re.compile(form, re.IGNORECASE))
    for is_turning, form in (
        (True, rf"{_WHO} (?:has |have )?(?:just |recently |finally )?turned {_N}(?: years old)?{_WHEN}"),
        (False, rf"{_WHO} (?:is|am) (?:now |already |only |just )?{_N}(?P<years> years? old)?{_WHEN}"),
        (True, rf"{_WHO} (?:wurde|ist)(?: gerade| gestern| heute| jetzt)? {_N}(?: Jahre alt)? geworden"),
        (True, rf"{_WHO} wurde(?: gerade| gestern| heute)? {_N}(?: Jahre alt)?"),
        (False, rf"{_WHO} ist (?:jetzt |schon |nun |erst )?{_N}(?P<years> Jahre alt)?"),
        (True, rf"{_WHO} a (?:eu|fêté ses) {_N} ans{_WHEN}"),
        (False, rf"{_WHO} a (?:maintenant |déjà )?{_N} (?P<years>ans)"),
        (True, rf"{_WHO} (?:cumplió|ha cumplido) {_N}(?: años)?{_WHEN}"),
        (False, rf"{_WHO} (?:ya |ahora )?tiene (?:ya |ahora )?{_N} (?P<years>años)"),
        (True, rf"(?P<who>[\w-]+) (?:недавно |вчера |сегодня )?исполнилось {_N} (?:лет|года?)"),
        (False, rf"(?P<who>[\w-]+) (?:сейчас |уже |теперь )?{_N} (?P<years>лет|года?)"),
        (
            True,
            r"(?P<who>[^，。\d\s]{1,8}?)(?:刚|昨天|今天)*满(?P<n>[\d一二三四五六七八九十]{1,3})岁了?",
        ),
        (
            False,
            r"(?P<who>[^，。\d\s]{1,8}?)(?:今年|现在|已经)*(?P<n>[\d一二三四五六七八九十]{1,3})(?P<years>岁)了?",
        ),
    )
)
_MOST = 120  # years


class Age(NamedTuple):
    """Who, by the name if there is one, is how old. `is_turning`: told as what happened on a day."""

    who: tuple[str, ...]
    years: int
    is_turning: bool


def age_of(sentence: str) -> Age | None:
    """The age that the sentence, with "I" for who speaks, tells and nothing else; None for all others.

    "My bid is 6" names no person: without "years old" it takes a name.
    """
    for is_turning, form in _FORMS:
        match = form.fullmatch(sentence)
        if match is None or (years := _number(match["n"])) is None:
            continue
        named = re.findall(_CALLED, match["who"])
        if is_turning or named or match["who"] == "I" or match["years"]:
            return Age(tuple(words(named[-1] if named else match["who"])), years, is_turning)
    return None


def is_outgrown(later: Age | None, earlier: Age | None) -> bool:
    """Whether somebody has passed the age that they were said to be."""
    if later is None or earlier is None or earlier.is_turning:
        return False
    return later.who == earlier.who and later.years > earlier.years


def _number(word: str) -> int | None:
    try:
        least, most = count_of(word)
    except ValueError:
        return None
    return most if least == most and 0 < most <= _MOST else None

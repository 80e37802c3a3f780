"""The few sentences that the offline engine says itself, and days, in the asker's language.

English stands in for a language that the table does not hold.
"""

import re
from datetime import date, datetime

from django.utils import formats, translation

from memory.providers.offline_language.phrase_table import PHRASES

_OWN = re.compile(
    "|".join(
        re.escape(sentence.strip())
        for forms in PHRASES.values()
        for form in forms.values()
        for sentence in re.split(r"(?<=[.!?।])\s|\{text\}|(?<=[。！])", form)
        if sentence.strip()
    )
)
_DENSE = frozenset({"zh", "ja", "ko"})
_LOCALES = {"zh": "zh-hans"}
_ENGLISH_DAY, _ENGLISH_MONTH = "j F Y", "F Y"


def phrase(key: str, language: str, *, text: str = "") -> str:
    """The phrase in the language, or in English. `text` fills its place."""
    forms = PHRASES[key]
    return forms.get(language, forms["en"]).replace("{text}", text)


def is_own_phrase(sentence: str) -> bool:
    """Whether the sentence is, or begins as, one of the engine's own."""
    return _OWN.match(sentence) is not None


def cut(text: str, limit: int) -> str:
    """The text, or its beginning up to a word that ends within `limit` characters."""
    if len(text) <= limit:
        return text
    at = text.rfind(" ", limit // 2, limit)
    return text[: at if at > 0 else limit].rstrip(" ,;:") + "…"


def show_day(day: date, language: str) -> str:
    """The day as the language writes it: "7 May 2023", "2023年5月7日"."""
    return _shown(day, language, _ENGLISH_DAY, "DATE_FORMAT", otherwise=day.isoformat())


def show_hour(instant: datetime, language: str) -> str:
    """The day and the hour of a local instant: "4 December 2026, 15:00", "2026年12月4日 15:00"."""
    gap = " " if language in _DENSE else ", "
    return f"{show_day(instant.date(), language)}{gap}{instant:%H:%M}"


def show_month(day: date, language: str) -> str:
    """The month: "May 2023", "май 2023 г."."""
    return _shown(day, language, _ENGLISH_MONTH, "YEAR_MONTH_FORMAT", otherwise=f"{day:%Y-%m}")


def _shown(day: date, language: str, english: str, form: str, *, otherwise: str) -> str:
    """By Django's formats of that language; ISO where it has none."""
    if language == "en":
        form = english
    elif language not in PHRASES["nothing"]:
        return otherwise
    with translation.override(_LOCALES.get(language, language)):
        return str(formats.date_format(day, form))

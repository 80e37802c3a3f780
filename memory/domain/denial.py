"""Statements that take back others: denials, endings, corrections, and what they speak of.

Two statements contradict when one denies what the other says: most of what the shorter
one speaks of is in both. Words alone decide; which is newer, the caller knows.
"""

import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TypeVar

from memory.domain.contrast import without_contrast
from memory.domain.date_words import MONTH_NAMES, WEEKDAY
from memory.domain.full_dates import without_full_dates
from memory.domain.sentences import split_sentences
from memory.domain.text import search_terms

T = TypeVar("T")

SHARED = 0.6  # of the content words of the shorter statement that a denial has in common with the other
SHARED_AMENDING = 0.5  # the same of an amendment, which gives another value
MAX_CONTENT = 5  # content words of a sentence that takes another back; longer ones tell something else
ASKED = 0.5  # of the question's content words that both hold
MAX_BIGRAMS = 20  # the same where there are no words to count
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_MOST_SENTENCES = 20  # of one text that are compared

_DENYING = re.compile(
    r"\b(?:not|no longer|no more|never|nobody|nothing|cannot|any ?more|quit|quits|quitting"
    r"|stop(?:s|ped)?|gave up"
    r"|given up|cancel(?:s|l?ed)?|called off|broke up|split up|divorced|dropped out|got rid of"
    r"|sold|used to|former(?:ly)?"
    r"|nicht|kein\w*|nie(?:mals)?|aufgehört|aufgegeben|gekündigt|abgesagt|verkauft|getrennt"
    r"|ne|pas|jamais|arrêté|quitté|annulé|vendu|n['’]\w+"
    r"|no|nunca|jamás|dejé|dejado|cancelé|vendí|non|smesso|não|deixei|parei|vendi"
    r"|не|нет|никогда|больше не|бросил[аи]?|перестал[аи]?|отменил[аи]?|продал[аи]?|уволил(?:ся"
    r"|ась)|ні|ніколи|кинув|кинула"
    r"|niet|geen|nooit|gestopt|nie|nigdy|değil|yok|artık|नहीं|لا|لم|لن|ليس|لست|ليست|توقفت|تركت)\b"
    r"|n['’]t\b|(?<!差)不(?!错|过|久|少|断|仅|但|管)|没有?|沒|別|别再|戒了|取消|放弃|辞职|离开了|卖了|卖掉|分手"
    r"|ない|ません|なかった|やめた|辞めた|やめました|辞めました|中止|않|아니|없|그만",
    re.IGNORECASE,
)
_AMENDING = re.compile(
    r"\b(?:actually|correction|sorry|i mean|i meant|in fact|instead|rather than|moved to"
    r"|changed|switched|postponed"
    r"|rescheduled|moved"
    r"|eigentlich|korrektur|entschuldigung|stattdessen|doch|geändert|verschoben|verlegt"
    r"|en fait|pardon|désolée?|plutôt|changé|en realidad|perdón|cambié"
    r"|cambiado|in realtà"
    r"|na verdade|mudei|на самом деле|извини(?:те)?|вместо|перен[её]с\w*|насправді"
    r"|eigenlijk"
    r"|właściwie|aslında|في الواقع|عفوا)\b|其实|实际上|更正|说错|改成|改到|改为|換|换成"
    r"|実は|訂正|変更|변경|사실은",
    re.IGNORECASE,
)
# Cues of the above and words that nearly every statement may hold: they make no two speak of one thing.
_GENERAL = frozenset(
    search_terms(
        """
        not no longer never nobody nothing cannot anymore any more quit stop stopped gave give given
        up cancel canceled cancelled called off broke split divorced dropped out got get rid sold
        used former formerly actually correction sorry mean meant fact instead rather moved move
        changed change switched postponed rescheduled now new recently still just really always
        today yesterday like love want need go went going have had do make think know feel say said
        tell told see take time day week month year last next thing also too well lot don doesn didn
        isn wasn aren weren haven hasn won wouldn can couldn shouldn ain nicht kein keine keinen
        mehr nie ich bin habe doch jetzt ne pas plus jamais je suis ai no ya nunca yo soy tengo не
        нет больше я у меня теперь было был была non mai io não eu
        """
    )
)


WRITTEN_DATE = re.compile(r"\s?\(\d{4}-[\d/-]+\)")  # the date that an encoder has added to a mention
# Days and hours, which an amendment replaces.
_WHEN = re.compile(
    rf"(?<![^\W_])(?:{WEEKDAY}|{MONTH_NAMES}|\d{{1,2}}[:.]\d\d|\d{{1,2}}\s?(?:[ap]\.?m|uhr|h))(?![^\W_])"
    r"|(?:周|星期|礼拜)[一二三四五六日天]|(?:今|明|昨|后|前)天|\d{1,2}[点點時]半?",
    re.IGNORECASE,
)
_ASKING = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Claim:
    """What one sentence speaks of, and whether it denies or amends.

    `timeless`: its content without days and hours; `is_dated`: whether it names any.
    """

    content: frozenset[str]
    timeless: frozenset[str]
    is_dated: bool
    is_denying: bool
    is_amending: bool


def is_denying(text: str) -> bool:
    """Whether the text says that something is not, or no longer, so."""
    return _DENYING.search(text) is not None


def timeless(text: str) -> str:
    """The text without its dates, days and hours."""
    return _WHEN.sub(" ", without_full_dates(text))


def claims_of(text: str, *, names: Sequence[str] = ()) -> tuple[Claim, ...]:
    """What the text tells, by sentence; `names` (of who speaks) are no content."""
    known = frozenset(term for name in names for term in search_terms(name))
    told = (sentence for sentence in split_sentences(text) if not sentence.rstrip().endswith(_ASKING))
    claims = (_claim(sentence, known) for sentence in islice(told, _MOST_SENTENCES))
    return tuple(claim for claim in claims if claim.content)


def overrules(newer: Sequence[Claim], older: Sequence[Claim], *, asked: Collection[str]) -> bool:
    """Whether one of the newer claims denies, reaffirms or amends one of the older in what is asked.

    `asked`: search terms, half of which both must hold; if it is empty, all is asked.

    "I'm not allergic to peanuts anymore" does so to "I'm allergic to peanuts", "I don't love
    swimming" not to "I love running".
    """
    return any(_overrules(new, old, asked) for new in newer for old in older)


def put_newest_first(
    items: Sequence[T],
    *,
    about: Callable[[T], Hashable],
    said: Callable[[T], Sequence[Claim]],
    at: Callable[[T], datetime],
    asked: Collection[str] = (),
) -> list[T]:
    """The items, each before what was said earlier about the same and it overrules; else in their order.

    `at` is when an item was said: a denial of what is planned is the later word.
    """
    told = [(item, about(item), at(item), said(item)) for item in items]
    ordered: list[tuple[T, Hashable, datetime, Sequence[Claim]]] = []
    for new in told:
        place = next(
            (
                place
                for place, old in enumerate(ordered)
                if old[1] == new[1] and old[2] < new[2] and overrules(new[3], old[3], asked=asked)
            ),
            len(ordered),
        )
        ordered.insert(place, new)
    return [item for item, *_ in ordered]


def _claim(sentence: str, names: frozenset[str]) -> Claim:
    """A contrast ("on Thursday, not Wednesday") gives another value and denies nothing."""
    sentence = WRITTEN_DATE.sub("", sentence)
    meant = without_contrast(sentence)
    bare = timeless(meant)
    return Claim(
        content=frozenset(search_terms(sentence)) - _GENERAL - names,
        timeless=frozenset(search_terms(bare)) - _GENERAL - names,
        is_dated=bare != meant,
        is_denying=is_denying(meant),
        is_amending=meant != sentence or _AMENDING.search(sentence) is not None,
    )


def _overrules(new: Claim, old: Claim, asked: Collection[str]) -> bool:
    is_long = len(new.timeless) > (MAX_BIGRAMS if _UNSPACED.search("".join(new.content)) else MAX_CONTENT)
    if is_long:
        return False
    if new.is_denying != old.is_denying:
        return _is_same(new.content, old.content, SHARED, asked)
    if not new.is_amending:
        return False
    is_redated = new.is_dated and old.is_dated
    return _is_same(new.content, old.content, SHARED_AMENDING, asked) or (
        is_redated and _is_same(new.timeless, old.timeless, SHARED, asked)
    )


def _is_same(one: frozenset[str], other: frozenset[str], share: float, asked: Collection[str]) -> bool:
    """Whether both speak of one thing, and of what is asked."""
    common = one & other
    wanted = {term for term in asked if len(term) > 1} - _GENERAL
    is_asked = bool(common) and len(wanted & common) >= ASKED * len(wanted)
    return is_asked and len(common) >= share * min(len(one), len(other))

"""A question of nothing but a time to that time: "What did I tell you yesterday?".

Such a question has no word that a memory could hold; what it asks for is known by its date.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from memory.domain.temporal import find_dates
from memory.domain.text import fold, words
from memory.domain.types import TimeRange

# Words of telling and talking: asked for is what was said then, not what was the case then.
_TELLING = frozenset(
    fold(
        """
        tell told say said saying talk talked talking speak spoke spoken chat chatted discuss discussed
        mention mentioned conversation conversations
        erzahlt erzahlte erzahlen gesagt sagte besprochen geredet gesprochen erwahnt unterhalten gesprach
        dit parle discute raconte mentionne
        dicho dije conte contado hablado hablamos mencione comentado
        говорил говорила говорили сказал сказала рассказал рассказала рассказывал рассказывала обсуждали
        упомянул упомянула
        """
    ).split()
)
# What is left of such a question beside its date and its telling.
_ASKING = frozenset(
    fold(
        """
        what whatever anything everything something all which things thing stuff topics did do does was were
        have has had been is are i we you me us my our to of about with from in on at the a an and so then
        please for ahead happen happens happened happening go going went list show give recap summarise
        summarize summary remember know else that it up new can could would doing planned plan plans there any
        next been
        was woruber wovon alles etwas habe haben hast hat ist war waren ich wir du dir mir uns dich mich sie
        ihr es uber mit von am im an den der die das passiert los weisst noch
        que quoi tout est ce qu ai as a avons avez ont je tu on nous vous m t de du sur avec passe s il il
        he has hemos te me se todo todas de que sobre con paso pasado el la los las en
        что все о чем чем про я ты мы тебе мне вам нам с со был было были у меня произошло случилось помнишь
        """
    ).split()
)
_UNSPACED_TELLING = re.compile("告诉|告訴|说|說|聊|谈|談|讲|講|提到|提|話し|言っ|伝え")
_UNSPACED_ASKING = re.compile(
    "什么|什麼|哪些|发生|發生|做|我们|我們|我|你|您|跟|和|与|對|对|过|過|了|的|都|吗|嗎|呢|事情?|有|是|关于|在"
    "|何|なに|を|に|は|が|の|と|私|僕|まし?た|ました|か|こと|です|て|ていた|起き"
)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class AskedTime:
    """The range a question is about; `is_of_talk`: what was said then, not what was the case then."""

    range: TimeRange
    is_of_talk: bool


def asked_time(text: str, *, now: datetime, time_zone: str) -> AskedTime | None:
    """The time, if the question asks for nothing else. `now`: aware; ranges are half-open.

    "What did I tell you yesterday?" gives yesterday in the zone; "What did Ann eat yesterday?"
    gives None, for it names something to look for.
    """
    dates = find_dates(text, said_at=now, time_zone=time_zone)
    if not dates:
        return None
    rest = _without(text, [(each.start, each.end) for each in dates])
    telling, other = _sorted_out(rest)
    if other or not (telling or _is_asking(text)):
        return None
    return AskedTime(TimeRange(dates[0].range.start, max(each.range.end for each in dates)), telling)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return text


def is_only_asking(text: str) -> bool:
    """Whether a text holds nothing beside words of asking and small ones."""
    return not any(_sorted_out(text))


def _sorted_out(text: str) -> tuple[bool, bool]:
    """Whether words of telling are among the rest, and whether anything else is."""
    if _UNSPACED.search(text):
        bare = _UNSPACED_TELLING.sub(" ", text)
        return bare != text, any(char.isalnum() for char in _UNSPACED_ASKING.sub(" ", bare))
    said = set(words(fold(text)))
    return bool(said & _TELLING), bool(said - _TELLING - _ASKING)


def _is_asking(text: str) -> bool:
    return text.rstrip(" \"'”’」)").endswith(("?", "？", "吗", "呢", "か。"))

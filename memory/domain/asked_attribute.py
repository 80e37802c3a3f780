"""A question of one attribute to its slot: "What is my job?" asks for what stands under `job`.

The words of such a question need not be those in which the value was told: "I work as a
carpenter" holds no "job". Slots are those that the offline encoder fills.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from memory.domain.asked_time import is_only_asking
from memory.domain.temporal import find_dates
from memory.domain.text import is_stop_word, words
from memory.domain.types import TimeRange

_CUES: Mapping[str, str] = {
    "job": r"jobs?|professions?|occupations?|do(?: \w+)? for (?:a living|work)"
    r"|what do i do(?: for (?:a living|work))?|work as|(?:was bin ich von )?berufs?"
    r"|was mache ich beruflich|arbeite ich als|(?:als )?was arbeite ich|métier"
    r"|qu['’]est-ce que je fais dans la vie"
    r"|profesión|a qué me dedico|trabajo|professione|lavoro|profissão|профессия|кем я работаю|职业|什么工作"
    r"|做什么的|仕事|職業",
    "residence": r"where do (?:i|we) live"
    r"|(?:which|what) (?:town|city|village|place|country) do (?:i|we) live(?: in)?"
    r"|home ?town|residence|wohnort|wo (?:wohne|lebe) ich|wo (?:wohnen|leben) wir"
    r"|in welche[rm] (?:stadt|ort|dorf|land) (?:(?:wohne|lebe) ich|(?:wohnen|leben) wir)"
    r"|(?:où|dans quelle ville) (?:est-ce que )?j['’]habite|(?:dónde|en qué ciudad) vivo"
    r"|(?:dove|in (?:che|quale) città) (?:abito|vivo)|onde moro|em que cidade (?:eu )?moro"
    r"|(?:где|в каком городе) я живу|住在?(?:哪里|哪儿|哪个城市|哪)"
    r"|どこに住んで(?:い|る)*",
    "employer": r"employers?|where do i work|who do i work for|company do i work (?:for|at)|arbeitgeber"
    r"|wo arbeite ich|(?:où|pour qui) (?:est-ce que )?je travaille|dónde trabajo"
    r"|где я работаю|在哪(?:里|儿|家公司)?(?:工作|上班)",
    "birthday": r"birthday|when was i born|geburtstag|cumpleaños|date de naissance|день рождения|生日|誕生日",
    "age": r"how old am i|age|wie alt bin ich|cuántos años tengo|quel âge ai-je|сколько мне лет|几岁|多大",
    "phone": r"(?:tele)?phone(?: number)?|mobile(?: number)?|(?:telefon|handy)nummer|teléfono|телефон|电话"
    r"|手机号?码?",
    "email": r"e-?mail(?: address)?|e-?mail-?adresse|correo|почт[аы]|邮箱",
    "origin": r"where (?:do i come|am i) from|origin|woher komme ich|de dónde soy|откуда я|哪里人|哪儿人",
    "diet": r"diet|ernährung|dieta|диет[аы]|饮食",
    "school": r"school|university|college|where do i study|universität|wo studiere ich|universidad"
    r"|университет|大学|学校",
}
# A cue is a word of its own, but in scripts without spaces.
_COMPILED = {
    slot: re.compile(rf"(?<!\w)(?:{cue})(?!\w)|(?:{cue})(?=[\u4e00-\u9fff？?])", re.IGNORECASE)
    for slot, cue in _CUES.items()
}


class EarlierValue(NamedTuple):
    """The slot of which an earlier value is asked for; `than`: the value it was before, if one is named."""

    slot: str
    than: str


class ValueThen(NamedTuple):
    """The slot of which the value of a time that is over is asked for, and that time."""

    slot: str
    range: TimeRange


_THAN = r"(?:\s(?P<than>(?!i\b|we\b|that\b|this\b|now\b|then\b|it\b)[^\W\d_][\w\s'’-]{1,40}?))?"
_BEFORE = {
    slot: re.compile(rf"^\W*(?:{cue})\W*$", re.IGNORECASE)
    for slot, cue in {
        "residence": rf"where (?:did|was) (?:i|we) (?:live|living|based) (?:before|previously|earlier){_THAN}"
        r"(?: that| this| now)?|where did (?:i|we) use to live"
        r"|wo (?:habe ich|haben wir|hab ich) (?:vorher|davor|früher|zuvor) gewohnt"
        r"|wo (?:wohnte|lebte) ich (?:vorher|davor|früher|zuvor)|où (?:est-ce que )?j['’]habitais avant"
        r"|dónde vivía antes|где я (?:раньше )?жила?(?: раньше| до этого)?"
        r"|我(?:以前|之前|原来)住在?(?:哪里|哪儿|哪)",
        "employer": rf"(?:where did i work|who did i work for) (?:before|previously|earlier){_THAN}"
        r"|wo habe ich (?:vorher|davor|früher) gearbeitet|где я (?:раньше )?работала?(?: раньше)?",
        "job": r"what (?:was|were) my (?:(?:previous|former|last) (?:job|profession|occupation)"
        rf"|(?:job|profession|occupation) before{_THAN})",
    }.items()
}
# What is asked of a time that is over; the date itself is cut out.
_THEN = {
    slot: re.compile(rf"^\W*(?:{cue})\W*$", re.IGNORECASE)
    for slot, cue in {
        "residence": r"(?:where|(?:which|what) (?:city|town|place|country)) (?:did (?:i|we) (?:live|reside)"
        r"|(?:was i|were we) (?:living|based))(?: in)?(?: (?:then|back))?"
        r"|wo (?:habe ich|haben wir|hab ich)\W*gewohnt|wo (?:wohnte|lebte) ich|wo (?:wohnten|lebten) wir"
        r"|où (?:est-ce que )?(?:j['’]habitais|nous habitions)|où habitais-je|dónde (?:vivía|vivíamos|viví)"
        r"|где (?:я жила?|жила? я|мы жили)|我们?\W*(?:当时|那时)?(?:住在?|在)(?:哪里|哪儿|哪)住?",
        "employer": r"(?:where did i work|who did i work for|where was i working)(?: (?:then|back))?"
        r"|wo habe ich\W*gearbeitet|wo arbeitete ich|où (?:est-ce que )?je travaillais|dónde trabajaba"
        r"|где я работала?|我\W*在(?:哪里|哪儿|哪家公司)(?:工作|上班)",
        "job": r"what was my (?:job|profession|occupation)",
    }.items()
}
_FAVOURITE = re.compile(
    r"\bfavou?rite ([\w-]+)|\b(?:what|which) ([\w-]+) do i (?:like|love) (?:the )?(?:best|most)\b"
    r"|\blieblings(\w{2,20})|\bwelche[nrs]? (\w+) mag ich am (?:liebsten|meisten)\b",
    re.IGNORECASE,
)
_FILLING = """
    still again exactly called have got mein meine meiner meinen mi mis mon ma now currently jetzt ahora
    actualmente maintenant adesso agora теперь сейчас quel quelle
"""
_ANSWERING = frozenset(_FILLING.split())


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots that the question is about; empty if it asks for anything else besides.

    `text`: without people's names. "What is my job?" gives `("job",)`, "What is my sister's job?" and
    "What does my job pay?" nothing.
    """
    for slot, pattern in _COMPILED.items():
        found = pattern.search(text)
        if found and _is_all(text, found):
            return (slot,)
    found = _FAVOURITE.search(text)
    if found and _is_all(text, found):
        return (f"favourite_{found[found.lastindex or 0].lower()}",)
    return ()


def asked_before(text: str) -> EarlierValue | None:
    """The slot whose value before the present one is asked for; None if nothing else is meant.

    "Where did I live before Lübeck?" gives `EarlierValue("residence", "Lübeck")`.
    """
    for slot, pattern in _BEFORE.items():
        found = pattern.search(text)
        if found:
            return EarlierValue(slot, (found["than"] or "").strip(" .,!"))
    return None


def asked_then(text: str, *, now: datetime, time_zone: str) -> ValueThen | None:
    """The slot whose value in a time that is over is asked for; None if anything else is meant.

    "Where did I live in 2012?" gives `ValueThen("residence", <the year 2012>)`. `now`: aware.
    """
    dates = find_dates(text, said_at=now, time_zone=time_zone)
    if len(dates) != 1 or dates[0].range.end > now:
        return None
    bare = " ".join(f"{text[: dates[0].start]} {text[dates[0].end :]}".split())
    slot = next((slot for slot, pattern in _THEN.items() if pattern.match(bare)), None)
    return ValueThen(slot, dates[0].range) if slot else None


def _is_all(text: str, found: re.Match[str]) -> bool:
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    left = [word for word in words(rest) if not is_stop_word(word) and word not in _ANSWERING]
    return is_only_asking(" ".join(left))

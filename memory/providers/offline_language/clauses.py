"""A sentence to the clauses in it that are understood alone, each a statement of its own."""

import re
from collections.abc import Callable
from typing import NamedTuple

from memory.providers.offline_language.chatter import content_words, is_question, without_greeting
from memory.providers.offline_language.quotations import covers, quoted_spans
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.tastes import taste_of


class _Deeds(NamedTuple):
    """A sentence of what is over and what begins in its place, and sentences of the one and the other."""

    both: re.Pattern[str]
    over: re.Pattern[str]
    begun: re.Pattern[str]


class _Things(NamedTuple):
    """A sentence of several things, and of one."""

    several: re.Pattern[str]
    one: re.Pattern[str]


# Several statements in one sentence: "I'm Ana, I'm 41 and I live in Lisbon".
_CLAUSES = re.compile(
    r",?\s(?:and|und|и|y|et)\s(?=(?:I|ich|я|yo|je)\b|(?:my|our)\s(?:\w+\s){1,2}?(?:is|are|has|lives|works)\b)"
    r"|,\s(?=(?:I|ich|я|yo|je|j['’]\w+)\b)|，(?=我)",
    re.IGNORECASE,
)
# Words of a clause that is not understood, or not meant, without the one beside it.
_BOUND = re.compile(
    r"^(?:if|when|while|because|since|as|although|though|unless|until|before|after|wenn|weil|als|obwohl|falls"
    r"|если|когда|хотя|si|quand|quando|cuando|parce)\b"
    # A state of the moment ("I'm tired") and a secret that was cut out tell nothing by themselves.
    r"|^(?:I['’]m|I am)\b|\[redacted: "
    r"|\b(?:its?|there|that|this|those|these|them|they|then|so|too|also|he|she|him|her|his|one|both|es|dort|da|das"
    r"|dann|ihn|sie|auch|там|это|его|её|их|тоже|lo|eso|allí|y|ça|cela|là)\b|[那这它他她也]",
    re.IGNORECASE,
)
# What stands apart already, and what is told apart: "I can't stand olives, but I love capers".
_APART = re.compile(r";\s(?=(?:I|we|my|our|ich|wir|я|мы|yo|je|nous)\b|j['’])|；", re.IGNORECASE)
_CONTRAST = re.compile(
    r",?\s(?:but|aber|mais|pero|но)\s(?=(?:I|ich|je|yo|me|я|мне)\b|j['’])|[，,]?(?:但是?|可是|不过)(?=我)",
    re.IGNORECASE,
)
# One subject's two deeds, of which the first ends what was and the second begins what is in its place.
_ENDS = (
    r"(?:sold|quit|left|cancell?ed|called off|gave (?:up|away)|got rid of|donated|traded in|scrapped|dropped)"
)
_BEGINS = r"(?:bought|got|adopted|leased|ordered|rented|started|joined|found|booked|took up|moved|now)"
_STOPS = r"[.!…。！]*"
_DEEDS = tuple(
    _Deeds(
        re.compile(rf"^(?P<who>{who})(?P<one>{over}){join}(?P<other>{begun})$", re.IGNORECASE),
        re.compile(rf"^{who}{over}{_STOPS}$", re.IGNORECASE),
        re.compile(rf"^{who}{begun}{_STOPS}$", re.IGNORECASE),
    )
    for who, over, join, begun in (
        (
            r"(?:I|we)(?:['’]ve| have)?(?: just| recently| finally)?",
            rf"\s{_ENDS}\s.+?",
            r",?\sand",
            rf"\s{_BEGINS}\s.+",
        ),
        (
            r"(?:ich habe|wir haben)",
            r"\s.+\s(?:verkauft|verschenkt|gekündigt|abgesagt)",
            r",?\sund",
            r"\s.+\s(?:gekauft|bekommen|geleast|gebucht|bestellt|angefangen)[.!]*",
        ),
        (
            r"(?:j['’]ai|nous avons)",
            r"\s(?:vendu|donné|annulé|quitté)\s.+?",
            r",?\set",
            r"\s(?:acheté|pris|réservé|loué|adopté)\s.+",
        ),
        (
            "",
            r"(?:vendí|vendimos|cancelé|cancelamos|dejé)\s.+?",
            r",?\sy\s",
            r"(?:compré|compramos|alquilé|alquilamos|reservé|adopté|adoptamos)\s.+",
        ),
        (
            "(?:я|мы)",
            r"\s(?:продал|отменил|бросил)[аи]?\s.+?",
            r",?\sи",
            r"\s(?:купил|взял|заказал|снял)[аи]?\s.+",
        ),
        (
            "我们?",
            "(?:把.{1,12}?卖掉?了|(?:卖掉?|取消)了.{1,12}?)",
            "[，,]?(?:并|又|然后)?",
            "(?:买|订|租|养|换)了.+",
        ),
    )
)
# What one has or likes, each thing of its own: "a dog and a cat", "tea and coffee".
_THINGS = tuple(
    _Things(
        re.compile(
            rf"^(?P<head>{head})(?P<things>{thing}(?:{join}{thing})+)(?P<stop>{_STOPS})$", re.IGNORECASE
        ),
        re.compile(rf"^{head}{thing}{_STOPS}$", re.IGNORECASE),
    )
    for head, thing, join in (
        (
            r"(?:I|we)\s(?:also\s|now\s|still\s)?(?:have|own|keep)\s",
            r"(?:an?|one|two|three|four|five)\s[\w-]+(?:\s[\w-]+)?",
            r"(?:,\s|,?\sand\s)",
        ),
        (
            r"(?:I|we)\s(?:also\s|really\s|still\s)?(?:love|like|enjoy|adore|hate|dislike)\s",
            r"(?!(?:it|them|you|him|her|this|that|both)\b)[\w-]+",
            r"(?:,\s|,?\sand\s)",
        ),
        (r"(?:ich habe|wir haben)\s", r"(?:ein\w{0,2}|zwei|drei|vier)\s[A-ZÄÖÜ]\w+", r"(?:,\s|\sund\s)"),
        (r"ich (?:mag|liebe|hasse)\s", r"[A-ZÄÖÜ]\w+", r"(?:,\s|\sund\s)"),
        (r"(?:j['’]ai|nous avons)\s", r"(?:une?|deux|trois)\s\w+", r"(?:,\s|\set\s)"),
        (r"j['’](?:aime|adore)\s", r"(?:le |la |les |l['’])\w+", r"(?:,\s|\set\s)"),
        (r"(?:tengo|tenemos)\s", r"(?:una?|dos|tres)\s\w+", r"(?:,\s|\sy\s)"),
        (r"у (?:меня|нас) есть\s", r"\w+", r"(?:,\s|\sи\s)"),
        (r"я (?:люблю|обожаю|ненавижу)\s", r"\w+", r"(?:,\s|\sи\s)"),
        (r"我们?(?:有|养了?)", "[一两二三四五六][只条个辆台匹][^，。和、跟与了的]{1,6}", "[和、跟与]"),
        (r"我们?(?:很|最|都)?(?:喜欢|爱|讨厌)", "[^，。和、跟与了的]{1,6}", "[和、跟与]"),
    )
)
_JOINT = re.compile(r",?\s(?:and|und|et|y|и)\s|,\s|[和、跟与]")
# Two words that name one thing.
_ONE_THING = re.compile(
    r"\b(?:fish and chips|gin and tonic|rock and roll|salt and pepper|mac and cheese|bread and butter"
    r"|bacon and eggs|drum and bass|rhythm and blues|arts and crafts|hide and seek|bed and breakfast"
    r"|black and white|peace and quiet"
    r"|(?:peanut butter|pb) and jelly|milk and honey|sweet and sour|trial and error|law and order)\b",
    re.IGNORECASE,
)
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_STOP = re.compile(r"[.!…。！]$")


def clauses_of(sentence: str) -> list[str]:
    """The sentence, cut at semicolons, where likes and dislikes are contrasted, and between clauses of which
    one states an attribute of the speaker and the others one too, or something that is understood alone;
    where one thing is ended and another begun ("We sold the car and bought a bike"), and between things
    that one has or likes.
    """
    return [
        statement
        for part in _cut(sentence, _APART, lambda parts: all(map(_stands_alone, parts)))
        for side in _cut(part, _CONTRAST, _are_contrasted)
        for clause in _cut(side, _CLAUSES, _are_stated)
        for deed in _deeds_of(clause)
        for statement in _things_of(deed)
    ]


def are_told_apart(one: str, other: str) -> bool:
    """Whether the sentences tell of two things of one's own, or of what is over and what begins instead."""
    return any(form.over.match(one) and form.begun.match(other) for form in _DEEDS) or any(
        form.one.match(one) and form.one.match(other) for form in _THINGS
    )


def stopped(clause: str) -> str:
    """The clause with the full stop of its script, as it now stands alone."""
    return clause if _STOP.search(clause) else clause + ("。" if _DENSE.search(clause[-1:]) else ".")


def _deeds_of(sentence: str) -> list[str]:
    """What is over and what begins in its place, with the subject of both."""
    match = next((found for form in _DEEDS if (found := form.both.match(sentence))), None)
    if match is None:
        return [sentence]
    parts = [match["who"] + match["one"], match["who"] + match["other"]]
    if not all(map(_stands_alone, parts)):
        return [sentence]
    return [stopped(parts[0]), f"{parts[1][:1].upper()}{parts[1][1:]}"]


def _things_of(sentence: str) -> list[str]:
    """One statement for each of the things."""
    match = next((found for form in _THINGS if (found := form.several.match(sentence))), None)
    if match is None or _ONE_THING.search(match["things"]):
        return [sentence]
    return [f"{match['head']}{thing}{match['stop']}" for thing in _JOINT.split(match["things"])]


def _cut(sentence: str, between: re.Pattern[str], is_several: Callable[[list[str]], bool]) -> list[str]:
    """The parts of the sentence, if they are several statements; never cut within a quotation."""
    if between.search(sentence) is None:
        return [sentence]
    quoted = quoted_spans(sentence)
    if any(covers(quoted, cut.start()) for cut in between.finditer(sentence)):
        return [sentence]
    parts = between.split(without_greeting(sentence))
    if len(parts) == 1 or not is_several(parts):
        return [sentence]
    is_whole = between is _APART or _STOP.search(sentence)
    parts = [parts[0], *(part[:1].upper() + part[1:] for part in parts[1:])]
    return [*map(stopped, parts[:-1]), parts[-1]] if is_whole else parts


def _are_stated(clauses: list[str]) -> bool:
    others = [clause for clause in clauses if not find_slot(clause)]
    return len(others) < len(clauses) and all(map(_stands_alone, others))


def _are_contrasted(clauses: list[str]) -> bool:
    """Whether all are of what somebody likes and of what they do not, or of attributes."""
    others = [clause for clause in clauses if not find_slot(clause)]
    tastes = {taste_of(clause) for clause in others}
    return tastes in (set(), {True, False}) and all(map(_stands_alone, others))


def _stands_alone(clause: str) -> bool:
    return _BOUND.search(clause) is None and bool(content_words(clause)) and not is_question(clause)

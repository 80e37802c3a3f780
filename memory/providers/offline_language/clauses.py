"""A sentence to the clauses in it that are understood alone, each a statement of its own."""

import re
from collections.abc import Callable

from memory.providers.offline_language.chatter import content_words, is_question, without_greeting
from memory.providers.offline_language.quotations import covers, quoted_spans
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.tastes import taste_of

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
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_STOP = re.compile(r"[.!…。！]$")


def clauses_of(sentence: str) -> list[str]:
    """The sentence, cut at semicolons, where likes and dislikes are contrasted, and between clauses of which
    one states an attribute of the speaker and the others one too, or something that is understood alone.
    """
    return [
        clause
        for part in _cut(sentence, _APART, lambda parts: all(map(_stands_alone, parts)))
        for side in _cut(part, _CONTRAST, _are_contrasted)
        for clause in _cut(side, _CLAUSES, _are_stated)
    ]


def stopped(clause: str) -> str:
    """The clause with the full stop of its script, as it now stands alone."""
    return clause if _STOP.search(clause) else clause + ("。" if _DENSE.search(clause[-1:]) else ".")


def _cut(sentence: str, between: re.Pattern[str], is_several: Callable[[list[str]], bool]) -> list[str]:
    """The parts of the sentence, if they are several statements; never cut within a quotation."""
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

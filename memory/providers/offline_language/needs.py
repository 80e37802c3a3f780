"""A question to the independent needs it joins, by rules: what each route of a plan asks.

"When did Ann move and where does Ben work?" asks two things; "Does Ann like tea or coffee?"
is asked once with each; "What do Ann and Ben both like?" once of each.
"""

import re

from memory.domain.planning import question_terms
from memory.domain.text import fold, is_stop_word, words
from memory.providers.offline_language.chatter import is_chatter
from memory.providers.offline_language.statements import sentences_of

MOST = 4  # routes beside the whole question

_WH = (
    "when|where|who|whom|whose|what|which|how|why"
    "|wann|wo|woher|wohin|wer|wen|wem|was|welche[rnms]?|wie|warum|wieso|quand|où|qui|quoi|quels?|quelles?"
    "|combien|comment|pourquoi|cuándo|dónde|quién|qué|cuál|cómo|por qué|quando|dove|chi|cosa|quale|come"
    "|perché|onde|quem|qual|когда|где|куда|откуда|кто|что|какой|какая|какие|сколько|почему|как"
)
# An auxiliary asks where its subject follows; "and has a garden" goes on telling.
_SUBJECT = "i|you|he|she|it|we|they|the|my|your|his|her|our|their|any"
_AUXILIARY = rf"(?:did|does|do|is|are|was|were|has|have|can|could|should|will)\s(?:{_SUBJECT})"
_ASKING = rf"(?:{_WH}|{_AUXILIARY})"
_AND = "and|und|et|y|e|и|а"
_JOINT = re.compile(
    rf"(?:[;,]\s*(?:(?:{_AND})\s+)?|\s(?:{_AND})\s+)(?=(?:also\s+)?{_ASKING}\b)", re.IGNORECASE
)
_ASKS = re.compile(rf"\b{_ASKING}\b|[?？]\s*$", re.IGNORECASE)
_CJK_JOINT = re.compile("[，、,;；]\\s*(?:还有|以及|另外|而且|并且|それから|そして|그리고)?|以及|还有")
_CJK_ASKS = re.compile("什么|哪|谁|多少|几|何|どこ|なに|だれ|いつ|どう|어디|무엇|누구|언제|어떻게")
_WORD = r"[^\W\d_][\w.'’-]*"
_EITHER = re.compile(
    rf"(?P<left>{_WORD}(?:\s{_WORD}){{0,3}}),?\s(?:or|oder|ou|o|или)\s(?P<right>{_WORD}(?:\s{_WORD}){{0,3}})",
    re.IGNORECASE,
)
_ARTICLE = re.compile("an?|the|my|his|her|their|eine?n?|der|die|das|les?|la|une?|el|l[ao]s|il", re.IGNORECASE)
_NAME = r"[A-ZÀ-ÖØ-ÞА-ЯЁ][^\W\d_]+"
_BOTH = re.compile(rf"\b(?P<left>{_NAME})(?:['’]s)?\s(?:and|und|et|y|e|и|als auch)\s(?P<right>{_NAME})\b")
_BOTH_WORDS = re.compile(r"\b(?:both|sowohl|beide|together)\b\s?", re.IGNORECASE)
_LISTED = re.compile(
    r"\b(?:what(?: are| were)?|which|list|name|tell me(?: about)?|give me) all (?:of )?(?:the |my |our )?"
    r"|\b(?:alle|все|toutes? les|tous les|todos? los|todas las)\b",
    re.IGNORECASE,
)


def needs_of(text: str) -> tuple[str, ...]:
    """The questions that the text joins, each to be searched by itself; none if it asks one thing."""
    for split in (_sentences, _joined, _each_person, _either):
        needs = tuple(dict.fromkeys(" ".join(each.split()).strip(" ,;") for each in split(text)))
        if len(needs) > 1 and all(_is_whole(each) for each in needs):
            return needs[:MOST]
    bare = " ".join(_LISTED.sub(" ", text).split()).rstrip("?？ ")
    return (bare,) if _LISTED.search(text) and _is_whole(bare) else ()


def _is_whole(need: str) -> bool:
    """Whether it says by itself what it asks for: "and when?" does not."""
    said = words(need)
    return bool(question_terms(need)) and (len(said) > 2 or not need.isascii())


def _sentences(text: str) -> list[str]:
    """Its sentences that ask, if there are several."""
    said = [each for each in sentences_of(text) if not is_chatter(each)]
    return [each for each in said if each.rstrip().endswith(("?", "？"))]


def _joined(text: str) -> list[str]:
    """Parts that a conjunction before a question word joins, if all of them ask."""
    parts = _JOINT.split(text)
    if len(parts) == 1:
        return [part for part in _CJK_JOINT.split(text) if _CJK_ASKS.search(part)]
    return parts if all(_ASKS.search(part) for part in parts) else []


def _each_person(text: str) -> list[str]:
    """The question of each of two that bear names: "both Ann and Ben", "Ann and Ben's"."""
    found = _BOTH.search(text)
    if not found or fold(found["left"]) == fold(found["right"]):
        return []
    return [_BOTH_WORDS.sub("", _put(text, found, found[side])) for side in ("left", "right")]


def _either(text: str) -> list[str]:
    """The question with one and with the other of two alternatives."""
    found = _EITHER.search(text)
    if not found:
        return []
    left, right = found["left"].split(), found["right"].split()
    first, second = _alternatives(left, right)
    if not first or not second or is_stop_word(fold(first[-1])) or is_stop_word(fold(second[-1])):
        return []
    before, after = left[: -len(first)], right[len(second) :]
    return [_put(text, found, " ".join((*before, *one, *after))) for one in (first, second)]


def _alternatives(left: list[str], right: list[str]) -> tuple[list[str], list[str]]:
    """What the words beside "or" offer: "a beach", "the mountains"; "Ann Lee", "Ben"; else a word each."""
    if _ARTICLE.fullmatch(right[0]):
        begins = [place for place, word in enumerate(left) if _ARTICLE.fullmatch(word)]
        first = left[begins[-1] :] if begins else []
        return first, right[: max(2, len(first))]
    if right[0][0].isupper():
        return _named(left[::-1])[::-1], _named(right)
    return left[-1:], right[:1]


def _named(said: list[str]) -> list[str]:
    """The first words as far as they are capitalised."""
    count = next((place for place, word in enumerate(said) if not word[0].isupper()), len(said))
    return said[:count]


def _put(text: str, found: "re.Match[str]", one: str) -> str:
    return text[: found.start()] + one + text[found.end() :]

"""A sentence without what only opens or closes it: a greeting, the word that it puts something right,
and that it be remembered.
"""

import re

from memory.providers.offline_language.chatter import is_question, without_greeting

# Words by which a speaker turns to what follows; a mark sets them apart from "Wait times are long".
_TURNING = re.compile(
    r"^(?:(?:oh|oops|ah|well|sorry|wait|actually|correction|my (?:bad|mistake)|i mean|typo|hold on|by the way"
    r"|btw|fyi|scratch that|i (?:was wrong|made a mistake|got that wrong)"
    r"|no(?=,?\s(?:sorry|wait|actually|i mean)\b)"
    r"|oh je|ach|übrigens|eigentlich|entschuldigung|korrektur|tut mir leid|falsch|pardon|désolée?"
    r"|erreur|en fait|au fait|perdón|corrección|lo siento|en realidad|por cierto|извини(?:те)?|ой|ошибся"
    r"|ошиблась|точнее|вернее|кстати|на самом деле)(?:\s?[,:;.!]+|\s[–—-])\s+"
    r"|(?:更正|说错了|其实|对了|不好意思|抱歉|对不起)[，,：:。！!\s]+"
    r"|actually\s(?=(?:i|we|my|our|the)\b))+(?=\S)",
    re.IGNORECASE,
)
# "…, please remember that."
_ASKING_TO_KEEP = re.compile(
    r"[,;:.!]?\s(?:(?:so|and|und|y|et)\s)?"
    r"(?:(?:please|pls)\s(?:remember|note|keep|don['’]t forget)(?:\s(?:that|this|it|in mind))*"
    r"|(?:remember|note|keep)\s(?:that|this|it)(?:\sin mind)?,?\splease"
    r"|(?:bitte\s)?(?:merke? (?:dir|es dir)(?:\s(?:das|bitte))*|nicht vergessen)|bitte merken"
    r"|(?:por favor,?\s)?(?:recuérdalo|no lo olvides)(?:,?\spor favor)?"
    r"|(?:souviens-t['’]en|ne l['’]oublie pas)(?:,?\ss['’]il te plaît)?)"
    r"(?P<stop>[.!…]*)$",
    re.IGNORECASE,
)
# What is left of "Sorry! is the game that I own".
_SUBJECTLESS = re.compile(r"(?:is|are|was|were|has|had|ist|war|hat|est|es)\s")
_CAPITALS = re.compile(r"[A-Z]\w+(?:\s[A-Z]\w+)+[,!]\s$")
_OWN_SUBJECT = re.compile(
    r"(?:I|we|he|she|it|they|you|this|that|there|my|our|his|her|the|an?)(?![\w-])(?-i:(?!\s[A-Z]))",
    re.IGNORECASE,
)
_IN_TITLES = re.compile(
    r"(?:hello|hi|hey|good \w+|bye|goodbye|dear|thanks?|sorry|wait|oh|ah|well)[,!]\s$", re.IGNORECASE
)
_WORK = re.compile(
    r"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)+\s(?:is|was)\s.*\b(?:film|movie|book|novel|song|album|game|show|series|play|musical"
    r"|band|opera|poem|podcast)\b"
)


def without_opening(sentence: str) -> str:
    """What is said behind a greeting and words such as "Actually, " and "Correction: "."""
    opening = opening_of(sentence)
    rest = sentence[len(opening) :]
    return f"{rest[:1].upper()}{rest[1:]}" if opening else sentence


def without_closing(sentence: str) -> str:
    """What is said before "please remember that"."""
    closing = _ASKING_TO_KEEP.search(sentence)
    if closing is None or len(sentence[: closing.start()].split()) < 2:
        return sentence
    return sentence[: closing.start()] + (closing["stop"] and ".")


def opening_of(sentence: str) -> str:
    """The words that only open the sentence; empty if there are none, or if they begin its subject."""
    rest = _TURNING.sub("", without_greeting(sentence))
    opening = sentence[: len(sentence) - len(rest)]
    return opening if _SUBJECTLESS.match(rest) is None and not _is_titled(opening, rest) else ""


def _is_titled(opening: str, rest: str) -> bool:
    """Whether the opening begins a title: "Good Morning, Vietnam", "Sorry, Wrong Number is a film"."""
    if _CAPITALS.match(opening):
        is_asked = rest[:1].islower() and is_question(rest)
        return _OWN_SUBJECT.match(rest) is None and not is_asked
    return _IN_TITLES.match(opening) is not None and _WORK.match(rest) is not None

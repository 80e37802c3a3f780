"""A sentence without what only opens it: a greeting, or the word that it puts something right."""

import re

from memory.providers.offline_language.chatter import without_greeting

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


def without_opening(sentence: str) -> str:
    """What is said behind a greeting and words such as "Actually, " and "Correction: "."""
    opening = opening_of(sentence)
    rest = sentence[len(opening) :]
    return f"{rest[:1].upper()}{rest[1:]}" if opening else sentence


def opening_of(sentence: str) -> str:
    """The words that only open the sentence; empty if there are none."""
    rest = _TURNING.sub("", without_greeting(sentence))
    return sentence[: len(sentence) - len(rest)]

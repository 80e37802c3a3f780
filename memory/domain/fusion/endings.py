"""A later statement that leaves nothing of an earlier one: it ends it, or puts its day or figure right.

"I don't like tea any more" and "I sold my car" end "I like tea" and "I have a car"; "Correction: the
launch is on the 27th" puts "The launch is on the 20th" right. To be wrong here hides what still holds,
to miss one loses nothing: a few plain forms of speaking of oneself count, as whole sentences, and no
other. `memory.domain.denial`, which only orders, is wider.
"""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from memory.domain.contrast import without_contrast
from memory.domain.denial import WRITTEN_DATE, Claim, claims_of, timeless
from memory.domain.text import fold, stem, words

MAX_CONTENT = 6  # content words of a statement that is compared; a longer one tells more than one thing


class _Sense(Enum):
    """What a sentence says of a state: that it is, that it is not, or what was done to end it."""

    HOLDS = 1
    DENIED = 2
    ENDED = 3


class _State(NamedTuple):
    sense: _Sense
    verb: str
    rest: tuple[str, ...]


# To whom or when; "to the garage but only for a day" is none.
_TAIL = (
    r"(?:\s(?:to|for|on|last)(?:\s(?!(?:but|and|if|when|until|unless|only)\b)[\w.$€£]+){1,3}"
    r"|\syesterday|\stoday){0,2}"
)
_NOW_OR_SO = r"(?: (?:any ?more|any longer|now|at all))?"
_NOUN = r"(?P<rest>(?-i:[A-ZÄÖÜ])\w+)"
_GERMAN = r"ich (?P<verb>mag|habe|(?!würde|wäre)\w+(?<!t)e)"
_FRENCH = r"(?!suis|fus)(?P<verb>\w+(?:e|s|x)(?<!ais))"
# Whole sentences, "I" in place of who speaks. No verb: to have. The first that fits counts.
_FORMS = tuple(
    (sense, re.compile(form, re.IGNORECASE))
    for sense, form in (
        (
            _Sense.ENDED,
            r"I (?:ha(?:s|ve) )?(?:stopped|quit|g[ai]ven? up) (?P<verb>\w+ing)\b(?P<rest>.*?)(?: now)?",
        ),
        (
            _Sense.ENDED,
            r"I (?:ha(?:s|ve) )?(?:sold|donated|got rid of|g[ai]ven? away) (?:their|my) (?P<rest>.+?)"
            + _TAIL,
        ),
        (_Sense.ENDED, r"I (?:ha(?:s|ve) )?g[ai]ven? (?:their|my) (?P<rest>.+?) away" + _TAIL),
        (
            _Sense.DENIED,
            r"I do(?:es)?(?: not|n['’]t) (?P<verb>\w+)(?P<rest>.*?)" + _NOW_OR_SO,
        ),
        (_Sense.DENIED, r"I no longer (?P<verb>(?!\w+ed\b)\w+)(?P<rest>.*)"),
        (
            _Sense.DENIED,
            r"I (?P<verb>is|am)(?: not|n['’]t| no longer)(?P<rest>(?! \w+ing\b) .+?)" + _NOW_OR_SO,
        ),
        (_Sense.DENIED, r"I ha(?:s|ve) no (?P<rest>.+?)" + _NOW_OR_SO),
        (
            _Sense.HOLDS,
            r"I (?:now |still |really |also |currently )?"
            r"(?P<verb>(?:is|am)(?! \w+ing\b)|(?!is\b|was\b)\w+s)\b(?P<rest>.*?)(?: again| now)?",
        ),
        (_Sense.ENDED, rf"ich habe mein\w* {_NOUN} (?:verkauft|verschenkt|weggegeben)"),
        (_Sense.DENIED, rf"{_GERMAN} kein\w* {_NOUN}(?: mehr)?"),
        (_Sense.DENIED, rf"{_GERMAN}(?: {_NOUN})? nicht mehr"),
        (_Sense.HOLDS, rf"{_GERMAN}(?: wieder)?(?: (?:eine?n? )?{_NOUN})?"),
        (_Sense.ENDED, r"j['’]ai vendu m(?:a|on|es) (?P<rest>\w+)"),
        (_Sense.DENIED, r"je n['’]ai (?:plus|pas) (?:de |d['’])(?P<rest>\w+)"),
        (_Sense.HOLDS, r"j['’]ai une? (?P<rest>\w+)"),
        (_Sense.DENIED, rf"je n(?:e |['’]){_FRENCH} (?:plus|pas)\b(?P<rest>.*)"),
        (_Sense.HOLDS, rf"j(?:e |['’]){_FRENCH}\b(?P<rest>.*)"),
        (_Sense.ENDED, r"(?:yo )?vendí mi (?P<rest>\w+)"),
        (_Sense.DENIED, r"(?:yo )?(?:ya )?no (?P<verb>\w+o)\b(?P<rest>.*)"),
        (_Sense.HOLDS, r"(?:yo )?(?P<verb>\w+o)\b(?P<rest>.*)"),
        (_Sense.ENDED, r"я продала? (?:(?:сво|мо)\w{1,2} )?(?P<rest>\w+)"),
        (_Sense.DENIED, r"у меня (?:больше )?нет (?P<rest>\w+)"),
        (_Sense.HOLDS, r"у меня есть (?P<rest>\w+)"),
        (_Sense.DENIED, r"я (?:больше )?не (?P<verb>\w+[ую])\b(?P<rest>.*)"),
        (_Sense.HOLDS, r"я (?P<verb>\w+[ую])\b(?P<rest>.*)"),
    )
)
_TO_HAVE = "have"
_DAY = timedelta(days=1)
_IRREGULAR = {
    "is": "be",
    "am": "be",
    "does": "do",
    "goes": "go",
    **dict.fromkeys(("has", "owns", "own", "habe", "tengo"), _TO_HAVE),
}
_MORE_THAN_LIKING = frozenset(map(stem, ("loves", "enjoys", "adores")))
_ARTICLES = frozenset(words("a an any du de des d un una"))

_SURE = re.compile(
    r"correction|my (?:bad|mistake)|i (?:mean|was wrong|made a mistake|got that wrong)|typo|scratch that"
    r"|korrektur|falsch|erreur|corrección|ошиб|точнее|вернее|更正|说错",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"oops|sorry|actually|wait|hold on|eigentlich|entschuldigung|tut mir leid|pardon|désolé|en fait|perdón"
    r"|lo siento|en realidad|извини|на самом деле|其实|不好意思|抱歉|对不起",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|instead|jetzt|nun|maintenant|ahora|теперь)\b", re.IGNORECASE)
# What is spoken of as known: "the launch", not "a meeting".
_KNOWN = re.compile(
    r"\b(?:the|my|our|his|her|their|der|die|das|mein[e]?|unser[e]?|le|la|les|mon|ma|el|mi|мо[йяё]|наш[аеи]?)\b"
    r"|['’]s?\s",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(r"\b(?:an?|another|ein[e]?|une?|una)\b", re.IGNORECASE)
# Who or what these are, another sentence says.
_POINTING = frozenset(
    words("he she it they him her his its their this that one er sie es il elle он она они")
)
_DAY_OF_MONTH = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b(?!\s\w)")
# Words in which a statement and its correction may differ.
_JOINING = frozenset(
    words(
        """
        the is are was were been be on at to now instead actually moved postponed rescheduled changed
        der die das ist sind war wurde am um auf jetzt nun verschoben verlegt
        le la les est sont été maintenant el es está ahora теперь на в
        """
    )
)


class _Wording(NamedTuple):
    """The words of a statement in their order, its days and hours, and its other figures."""

    words: tuple[str, ...]
    days: tuple[str, ...]
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A statement without an attribute.

    `subject`: who speaks; `said_at`: when that was last said; `opening`: what stood before it in its
    turn ("Correction: "); `day`: the beginning of what it is dated for; `is_event`: whether it tells of
    what happened; `authors`: whose accounts said it, None for somebody unknown.
    """

    text: str
    subject: str
    said_at: datetime
    opening: str = ""
    day: datetime | None = None
    is_event: bool = False
    authors: frozenset[UUID | None] = frozenset()

    @cached_property
    def claim(self) -> Claim | None:
        """What it tells, if that is one thing."""
        claims = claims_of(self.text, names=[self.subject])
        return claims[0] if len(claims) == 1 and len(claims[0].content) <= MAX_CONTENT else None

    @cached_property
    def state(self) -> _State | None:
        """What it says of a state of who speaks; None for all else."""
        sentence = self._by_speaker("I ")
        for sense, form in _FORMS if sentence else ():
            if match := form.fullmatch(sentence):
                said = match.groupdict()
                verb = (said.get("verb") or _TO_HAVE).lower()
                rest = words((said.get("rest") or "").replace("my ", "their "))
                return _State(
                    sense,
                    _IRREGULAR.get(verb) or stem(verb),
                    tuple(_form(word) for word in rest if word not in _ARTICLES),
                )
        return None

    @cached_property
    def wording(self) -> _Wording:
        """What a correction has to say again, and what it may say otherwise."""
        sentence = without_contrast(self._by_speaker("") or WRITTEN_DATE.sub("", self.text))
        sentence = re.sub(rf"\b{re.escape(self.subject)}(?:['’]s?)?(?!\w)", "", sentence, flags=re.IGNORECASE)
        bare = words(_DAY_OF_MONTH.sub(" ", timeless(sentence)))
        return _Wording(
            tuple(word for word in bare if word not in _JOINING and not word.isdigit()),
            tuple((Counter(words(sentence)) - Counter(bare)).elements()),
            tuple(word for word in bare if word.isdigit()),
        )

    def _by_speaker(self, me: str) -> str:
        """Its sentence with `me` for a name of who speaks that stands first; empty if that does not."""
        text, length = WRITTEN_DATE.sub("", self.text).rstrip(" .!…"), len(self.subject)
        if not length or text[:length].casefold() != self.subject.casefold():
            return ""
        if text[length : length + 2] == ": ":
            return text[length + 2 :]
        return f"{me}{text[length + 1 :]}" if text[length : length + 1] == " " else ""


def leaves_nothing_of(new: Told, old: Told) -> bool:
    """Whether the later statement ends or corrects the whole of the earlier one.

    Only what all say who said the other; "I don't like tea with milk" leaves "I like tea" as it is.
    """
    is_theirs = fold(new.subject) == fold(old.subject) and old.authors <= new.authors
    if not is_theirs or new.claim is None or old.claim is None or new.said_at <= old.said_at:
        return False
    return _ends(new, old) or _corrects(new, old, new.claim)


def _ends(new: Told, old: Told) -> bool:
    """A deed and what happened stay true whatever is said later; what had ended before is not it."""
    later, earlier = new.state, old.state
    if later is None or earlier is None or later.rest != earlier.rest or old.is_event:
        return False
    if new.day is not None and new.day + _DAY <= old.said_at:
        return False
    is_of_one_day = new.day is None or old.day is None or new.day == old.day
    if earlier.sense is _Sense.HOLDS and later.sense is not _Sense.HOLDS:
        return is_of_one_day and _implies(earlier.verb, later.verb)
    is_taken_up = earlier.sense is _Sense.DENIED and later.sense is _Sense.HOLDS
    return is_taken_up and is_of_one_day and _implies(later.verb, earlier.verb)


def _implies(held: str, denied: str) -> bool:
    """Whether who does the one does the other: who loves tea likes it."""
    return held == denied or (held in _MORE_THAN_LIKING and denied == "like")


def _corrects(new: Told, old: Told, claim: Claim) -> bool:
    later, earlier = new.wording, old.wording
    if not later.words or later.words != earlier.words or not _POINTING.isdisjoint(later.words):
        return False
    if new.day and old.day:
        is_redated = new.day != old.day
    else:
        is_redated = bool(later.days and earlier.days) and later.days != earlier.days
    is_refigured = later.figures != earlier.figures
    if is_redated == is_refigured or (is_refigured and not len(later.figures) == len(earlier.figures) == 1):
        return False
    is_meant = _LIKELY.search(new.opening) or _NOW.search(new.text) or claim.is_amending
    is_known = _KNOWN.search(new.text) and not _UNKNOWN.search(new.text)
    return bool(_SURE.search(new.opening) or (is_meant and is_known))


def _form(word: str) -> str:
    """The word by which a thing is known: its number counts, a Russian case does not."""
    return word if word.isascii() else stem(word)

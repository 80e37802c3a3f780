"""A later statement that leaves nothing of an earlier one: it ends it, or puts its day or figure right.

"I don't like tea any more" and "I sold my car" end "I like tea" and "I have a car"; "Correction: the
launch is on the 27th" puts "The launch is on the 20th" right. Stricter than `memory.domain.denial`, which
only orders: to be wrong here hides what still holds, to miss one loses nothing.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from memory.domain.denial import WRITTEN_DATE, Claim, claims_of, is_denying
from memory.domain.text import search_terms

MAX_CONTENT = 6  # content words of a statement that is compared; a longer one tells more than one thing
RESTATED = 0.5  # of the words of the shorter one that a correction says again

_GIVEN_AWAY = re.compile(
    r"\b(?:sold|gave\saway|given\saway|gave(?=\s.+\s(?:away|to)\b)|donated|got\srid\sof|verkauft|vendu|vendí|продал[аи]?)\b"
    r"(?P<what>(?:(?!\b(?:to|for|at|on|in|last|because|an|für|à|a|за|away)\b)[^.,!?(])*)(?P<whom>[^.!?]*)",
    re.IGNORECASE,
)
# Small words and cues of an ending: whether a statement holds them makes no difference.
_SMALL = frozenset(
    search_terms(
        """
        no longer never anymore nobody nothing cannot quit stop stopped gave given up away cancel cancelled
        canceled called off got get have own possess sold donated rid used yet still now today since finally
        sadly unfortunately again really actually
        ich wir er sie du habe hab haben hat bin bist ist sind mein meine meinen meinem ein eine einen einem
        den die das der kein keine keinen keinem nicht nie mehr noch jetzt verkauft gekündigt
        je j nous ai as a avons un une le la les mon ma mes ne n pas plus jamais vendu
        yo tengo tiene un una el los las mi mis no ya nunca vendí
        я у меня мой моя моё мою не нет больше никогда уже продал продала есть
        """
    )
)
_TASTES = dict.fromkeys(search_terms("love enjoy adore"), "like")
_SURE = re.compile(
    r"correction|my (?:bad|mistake)|i (?:mean|was wrong|made a mistake|got that wrong)|typo|oops|scratch that"
    r"|korrektur|falsch|erreur|corrección|ошиб|точнее|вернее|更正|说错",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"sorry|actually|wait|hold on|eigentlich|entschuldigung|tut mir leid|pardon|désolé|en fait|perdón"
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


@dataclass(frozen=True)
class Told:
    """A statement without an attribute.

    `subject`: who speaks; `opening`: what stood before it in its turn ("Correction: "); `day`: the
    beginning of what it is dated for; `is_event`: whether it tells of what happened.
    """

    text: str
    subject: str
    said_at: datetime
    opening: str = ""
    day: datetime | None = None
    is_event: bool = False

    @cached_property
    def claim(self) -> Claim | None:
        """What it tells, if that is one thing."""
        claims = claims_of(self.text, names=[self.subject])
        return claims[0] if len(claims) == 1 and len(claims[0].content) <= MAX_CONTENT else None

    @cached_property
    def is_ending(self) -> bool:
        """Whether it says that something is not, or no longer, so."""
        return is_denying(self.text) or _GIVEN_AWAY.search(self.text) is not None

    @cached_property
    def matter(self) -> frozenset[str]:
        """What it says or denies: its terms without small words, days and who got it."""
        text = _GIVEN_AWAY.sub(r"\g<what>", WRITTEN_DATE.sub("", self.text))
        terms = {_TASTES.get(term, term) for term in search_terms(text)}
        return frozenset(terms) - _SMALL - frozenset(search_terms(self.subject))


def leaves_nothing_of(new: Told, old: Told) -> bool:
    """Whether the later statement ends or corrects the whole of the earlier one.

    Both are their subject's; "I don't like tea with milk" leaves "I like tea" as it is.
    """
    if new.claim is None or old.claim is None or new.said_at <= old.said_at:
        return False
    return _ends(new, old) or _corrects(new, old, new.claim, old.claim)


def _ends(new: Told, old: Told) -> bool:
    if new.is_ending == old.is_ending or (old.is_event and not new.is_ending):
        return False
    is_of_one_day = new.day is None or old.day is None or new.day == old.day
    is_past = old.is_event and _GIVEN_AWAY.search(new.text) is not None  # "I bought a car" stays true
    return is_of_one_day and not is_past and bool(new.matter) and new.matter == old.matter


def _corrects(new: Told, old: Told, later: Claim, earlier: Claim) -> bool:
    one, other = _figureless(later), _figureless(earlier)
    is_redated = new.day is not None and old.day is not None and new.day != old.day
    figures = later.timeless - one, earlier.timeless - other
    is_refigured = all(len(each) == 1 for each in figures) and figures[0] != figures[1]
    if not one or not (is_redated or is_refigured) or new.is_ending != old.is_ending:
        return False
    if _SURE.search(new.opening):
        return len(one & other) >= max(1, RESTATED * min(len(one), len(other)))
    is_meant = later.is_amending or any((_LIKELY.search(new.opening), _NOW.search(new.text)))
    is_known = _KNOWN.search(new.text) is not None and _UNKNOWN.search(new.text) is None
    return is_meant and is_known and one == other


def _figureless(claim: Claim) -> frozenset[str]:
    return frozenset(term for term in claim.timeless if not term.isdigit())

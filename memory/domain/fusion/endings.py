"""A later statement that leaves nothing of an earlier one: it ends it, or puts its day or figure right.

"I don't like tea any more" and "I sold my car" end "I like tea" and "I have a car"; "Correction: the
launch is on the 27th" puts "The launch is on the 20th" right. To be wrong here hides what still holds,
to miss one loses nothing: a few plain forms of speaking of oneself count, as whole sentences, and no
other. `memory.domain.denial`, which only orders, is wider.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from memory.domain.contrast import without_contrast
from memory.domain.denial import WRITTEN_DATE, Claim, claims_of, timeless
from memory.domain.fusion.ages import Age, age_of, is_outgrown
from memory.domain.fusion.states import (
    LIKE,
    Sense,
    State,
    doing_of,
    is_barred_by,
    is_bond,
    is_doer_of,
    is_nameable,
    is_of_one_tie,
    is_plan,
    is_tie,
    state_terms,
    tells_which,
    tie_of,
)
from memory.domain.sentences import split_sentences
from memory.domain.text import fold, stem, words

MAX_CONTENT = 6  # content words of a statement that is compared; a longer one tells more than one thing


_DAY = timedelta(days=1)
_CONTRACTED = re.compile(r"^I['’]m\s")
_DENSE = re.compile("[\u3400-\u9fff]")
_FOR_GOOD = re.compile(r"\b(?:no longer|any ?more|any longer|stopped|quit|g[ai]ven? up)\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:back together|together again|got back|took (?:it|him|her) back|kidding|joking|dream(?:ed|t)?"
    r"|wieder zusammen|scherz|je plaisante|de nouveau ensemble|es broma|juntos de nuevo|шучу|снова вместе)\b"
    r"|和好|复合|开玩笑",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:also|too|as well|second|another|auch|zweite[nrs]?|aussi|deuxième|también|segundo|тоже|также|ещё)\b"
    r"|也|还|另",
    re.IGNORECASE,
)
_MORE_THAN_LIKING = frozenset(map(stem, ("loves", "enjoys", "adores")))
_DISLIKING = frozenset(map(stem, ("hates", "dislikes", "detests", "loathes")))
_AGAIN = re.compile(
    r"\b(?:again|(?:went|gone|am|is|['’][sm]) back to|wieder|(?:de|à) nouveau|de nuevo"
    r"|otra vez|снова|опять)\b|又",
    re.IGNORECASE,
)

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
_NOW = re.compile(r"\b(?:now|again|back|instead|jetzt|nun|maintenant|ahora|теперь)\b", re.IGNORECASE)
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
        the is are was were been be has have on at to now again back instead
        actually moved postponed rescheduled changed
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
    """A statement of a person.

    `subject`: who speaks; `said_at`: when that was last said; `opening`: what stood before it in its
    turn ("Correction: "), `following`: the sentence behind it ("Just kidding."); `day`: the beginning of
    what it is dated for, `until`: its end; `is_event`: whether it tells of what happened; `slot`: the
    attribute that it gives a value; `authors`: whose accounts said it, None for somebody unknown.
    """

    text: str
    subject: str
    said_at: datetime
    opening: str = ""
    following: str = ""
    day: datetime | None = None
    until: datetime | None = None
    is_event: bool = False
    slot: str = ""
    authors: frozenset[UUID | None] = frozenset()

    @cached_property
    def claim(self) -> Claim | None:
        """What it tells, if that is one thing."""
        claims = claims_of(self.text, names=[self.subject])
        return claims[0] if len(claims) == 1 and len(claims[0].content) <= MAX_CONTENT else None

    @cached_property
    def state(self) -> State | None:
        """What it says of a state of who speaks; None for all else."""
        return tie_of(self._as_spoken()) or (doing_of(self._by_speaker("I ")) if self.claim else None)

    @cached_property
    def age(self) -> Age | None:
        """The age that it gives somebody."""
        return age_of(_bare(self._as_spoken()))

    @cached_property
    def endings(self) -> tuple[State, ...]:
        """The states that are over by what it says, however it goes on; none if it takes that back."""
        if _TAKEN_BACK.search(self.text) or _TAKEN_BACK.search(self.following):
            return ()
        told = (tie_of(_bare(sentence)) for sentence in split_sentences(self._as_spoken()))
        over = [state for state in told if state and state.sense is not Sense.HOLDS]
        return (*over, *([self.state] if self.state and self.state not in over else []))

    @cached_property
    def terms(self) -> frozenset[str]:
        """The search terms by which the statements are found that it may end, or that may end it."""
        states = [*self.endings, *([self.state] if self.state else [])]
        said = self.claim.timeless or self.claim.content if self.claim else frozenset()
        return frozenset(said).union(*map(state_terms, states))

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
        text, length = _bare(WRITTEN_DATE.sub("", self.text)), len(self.subject)
        if not length or text[:length].casefold() != self.subject.casefold():
            return ""
        if text[length : length + 2] == ": ":
            return _CONTRACTED.sub("I am ", text[length + 2 :])
        if text[length : length + 1] == "：":
            return text[length + 1 :]
        if _DENSE.match(text, length):
            return f"我{text[length:]}"
        return f"{me}{text[length + 1 :]}" if text[length : length + 1] == " " else ""

    def _as_spoken(self) -> str:
        """Its sentence as who speaks would say it, wherever in it their name stands."""
        said = self._by_speaker("I ") or _bare(WRITTEN_DATE.sub("", self.text))
        if not self.subject:
            return said
        name = re.escape(self.subject)
        said = re.sub(rf"\b{name}['’]s?(?=\s)", "my", said)
        return re.sub(rf"(?<=\s){name}\b", "me", re.sub(rf"(?<=\band ){name}\b", "I", said))


def leaves_nothing_of(new: Told, old: Told) -> bool:
    """Whether the later statement ends or corrects the whole of the earlier one.

    Only what all say who said the other; "I don't like tea with milk" leaves "I like tea" as it is.
    """
    is_theirs = fold(new.subject) == fold(old.subject) and old.authors <= new.authors
    if not is_theirs or new.said_at <= old.said_at:
        return False
    if _ends(new, old) or (is_outgrown(new.age, old.age) and not old.is_event and not _is_past(new, old)):
        return True
    return bool(new.claim and old.claim and not old.slot) and _corrects(new, old)


def leaves_open_which(new: Told, old: Told, others: Iterable[Told]) -> bool:
    """Whether the later statement ends one of several and does not tell which: of two dogs, or two jobs.

    `others`: what held beside the earlier one when the later was said.
    """
    earlier = old.state
    if earlier is None or earlier.sense is not Sense.HOLDS:
        return False
    over = [state for state in new.endings if state.sense is not Sense.HOLDS]
    meant = [state for state in over if is_tie(state) and is_of_one_tie(state, earlier)]
    if not meant or any(map(tells_which, meant)):
        return False
    alike = {
        each.text: each.state
        for each in (old, *others)
        if each.state and each.state.verb == earlier.verb and leaves_nothing_of(new, each)
    }
    if not is_nameable(earlier):
        return len(alike) > 1 and any(map(_ANOTHER.search, alike))
    names = {state.name for state in alike.values() if state.rest[-1:] == earlier.rest[-1:]} - {""}
    return len(names) > 1


def _ends(new: Told, old: Told) -> bool:
    """A deed and what happened stay true whatever is said later; what had ended before is not it."""
    earlier = old.state
    if earlier is None or (old.is_event and not is_bond(earlier)):
        return False
    is_of_one_day = new.day is None or old.day is None or new.day == old.day or is_bond(earlier)
    if is_plan(earlier) and not _is_plan_of(new, old):
        return False
    later = new.state
    if earlier.sense is Sense.HOLDS:
        return is_of_one_day and (
            any(_is_over(each, earlier, new, old) for each in new.endings)
            or (later is not None and not _is_past(new, old) and _are_opposed(later, earlier))
        )
    if later is None or later.sense is not Sense.HOLDS or not _may_return(earlier, new):
        return False
    return is_of_one_day and not _is_past(new, old) and _is_of(later, earlier)


def _is_plan_of(new: Told, old: Told) -> bool:
    """Whether the earlier is still to come when the later takes a plan back, and is the one of that day."""
    if old.day is None or (old.until or old.day + _DAY) <= new.said_at:
        return False
    is_dated = new.day is not None and new.day > new.said_at and _NOW.search(new.text) is None
    return not is_dated or new.day == old.day


def _are_opposed(later: State, earlier: State) -> bool:
    """Whether one who does the one does not do the other: like and hate it, be a vegetarian and eat meat."""
    if later.sense is not Sense.HOLDS:
        return False
    is_taste = later.rest == earlier.rest != () and any(
        one.verb in _DISLIKING and other.verb in _MORE_THAN_LIKING | {LIKE}
        for one, other in ((later, earlier), (earlier, later))
    )
    return is_taste or is_barred_by(later, earlier) or is_barred_by(earlier, later)


def _may_return(earlier: State, new: Told) -> bool:
    """Whether the state may hold again: it was denied, or given up and is taken up again."""
    is_given_up = earlier.sense is Sense.ENDED and not is_tie(earlier)
    return earlier.sense is Sense.DENIED or (is_given_up and _AGAIN.search(new.text) is not None)


def _is_over(later: State, earlier: State, new: Told, old: Told) -> bool:
    if later.sense is Sense.HOLDS:
        return False
    is_named = bool(later.name) and later.name == earlier.name
    if _is_past(new, old) and not is_named:
        return False
    is_doing = _FOR_GOOD.search(new.text) is not None and (
        is_doer_of(later, earlier) or is_doer_of(earlier, later)
    )
    return _is_of(later, earlier) or (is_doing and not old.slot)


def _is_past(new: Told, old: Told) -> bool:
    """Whether what the later statement tells of was over when the other was said."""
    return new.day is not None and (new.until or new.day + _DAY) <= old.said_at


def _is_of(later: State, earlier: State) -> bool:
    """Whether both speak of one state: who loves tea likes it."""
    if is_tie(later) and is_tie(earlier):
        return is_of_one_tie(later, earlier)
    held, other = (earlier, later) if earlier.sense is Sense.HOLDS else (later, earlier)
    is_more = held.verb in _MORE_THAN_LIKING and other.verb == LIKE
    return later.rest == earlier.rest and (held.verb == other.verb or is_more)


def _corrects(new: Told, old: Told) -> bool:
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
    is_meant = _LIKELY.search(new.opening) or _NOW.search(new.text) or (new.claim and new.claim.is_amending)
    is_known = _KNOWN.search(new.text) and not _UNKNOWN.search(new.text)
    return bool(_SURE.search(new.opening) or (is_meant and is_known))


def _bare(sentence: str) -> str:
    return sentence.rstrip(" .!…。！")

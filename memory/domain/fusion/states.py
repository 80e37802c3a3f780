"""A whole sentence, with "I" for who speaks, to the state it tells of: that it holds, or not, or is over.

A few plain forms count and no other: what people do or have ("I don't like tea any more"), and their ties,
which are told in many words: "I quit at the hospital", "Our dog Biscuit passed away".
"""

import re
from collections.abc import Mapping
from enum import Enum
from itertools import chain
from typing import NamedTuple

from memory.domain.fusion import tie_forms
from memory.domain.text import fold, is_unspaced, search_terms, stem, words


class Sense(Enum):
    """What a sentence says of a state: that it is, that it is not, or what was done to end it."""

    HOLDS = 1
    DENIED = 2
    ENDED = 3


class State(NamedTuple):
    """What who speaks does or has (`verb`), with what else (`rest`), and the name that this bears."""

    sense: Sense
    verb: str
    rest: tuple[str, ...] = ()
    name: str = ""


# To whom or when; "to the garage but only for a day" is none.
_TAIL = (
    r"(?:\s(?:to|for|on|last)(?:\s(?!(?:but|and|if|when|until|unless|only)\b)[\w.$€£]+){1,3}"
    r"|\syesterday|\stoday){0,2}"
)
_NOW_OR_SO = r"(?: (?:any ?more|any longer|now|at all))?"
_NOUN = r"(?P<rest>(?-i:[A-ZÄÖÜ])\w+)"
_FAN = r"(?:much of )?(?:an? )?(?:big |great |huge )?fan of"
_LIKED = r"(?P<liked>\w+(?: \w+){0,2}?)"
_GERMAN = r"ich (?P<verb>mag|habe|bin|(?!würde|wäre)\w+(?<!t)e)"
_FRENCH = r"(?!suis|fus)(?P<verb>\w+(?:e|s|x)(?<!ais))"
_SPANISH = r"(?P<verb>soy|\w+o)"
_ZH_DOES = r"(?P<verb>[抽吸喝吃打学练玩]|喜欢|爱)(?P<rest>[^，。了过的]{1,8}?)"
_DOING = tuple(
    (sense, re.compile(form, re.IGNORECASE))
    for sense, form in (
        (
            Sense.ENDED,
            r"I (?:ha(?:s|ve) )?(?:stopped|quit|g[ai]ven? up) (?P<verb>\w+ing)\b(?P<rest>.*?)(?: now)?",
        ),
        (
            Sense.ENDED,
            r"I (?:ha(?:s|ve) )?(?:sold|donated|got rid of|g[ai]ven? away) (?:their|my) (?P<rest>.+?)"
            + _TAIL,
        ),
        (Sense.ENDED, r"I (?:ha(?:s|ve) )?g[ai]ven? (?:their|my) (?P<rest>.+?) away" + _TAIL),
        (
            Sense.DENIED,
            r"I do(?:es)?(?: not|n['’]t) (?P<verb>\w+)(?P<rest>.*?)" + _NOW_OR_SO,
        ),
        (Sense.ENDED, rf"I (?:ha(?:s|ve) )?(?:gone|went) off {_LIKED}"),
        (Sense.DENIED, rf"I (?:can['’]t|cannot|can not) stand {_LIKED}" + _NOW_OR_SO),
        (
            Sense.DENIED,
            rf"I (?:is|am)(?: not|n['’]t| no longer) (?:(?:really|exactly) )?{_FAN} {_LIKED}" + _NOW_OR_SO,
        ),
        (Sense.HOLDS, rf"I (?:is|am) (?:now |still |really )?{_FAN} {_LIKED}(?: again| now)?"),
        (
            Sense.HOLDS,
            r"I (?:ha(?:s|ve) )?"
            r"(?:started|begun|began|took up|taken up|went back to|gone back to|(?:is|am) back to)"
            r" (?P<verb>\w+ing)\b(?P<rest>.*?)(?: again)?",
        ),
        (Sense.DENIED, r"I no longer (?P<verb>(?!\w+ed\b)\w+)(?P<rest>.*)"),
        (
            Sense.DENIED,
            r"I (?P<verb>is|am)(?: not|n['’]t| no longer)(?P<rest>(?! \w+ing\b) .+?)" + _NOW_OR_SO,
        ),
        (Sense.DENIED, r"I ha(?:s|ve) no (?P<rest>.+?)" + _NOW_OR_SO),
        (
            Sense.HOLDS,
            r"I (?:now |still |really |also |currently )?"
            r"(?P<verb>(?:is|am)(?! \w+ing\b)|(?!is\b|was\b)\w+s)\b(?P<rest>.*?)(?: again| now)?",
        ),
        (Sense.ENDED, rf"ich habe mein\w* {_NOUN} (?:verkauft|verschenkt|weggegeben)"),
        (Sense.ENDED, r"ich habe (?:mit dem|das) (?P<verb>\w+e)n (?:aufgehört|aufgegeben)"),
        (Sense.DENIED, rf"{_GERMAN} kein\w* {_NOUN}(?: mehr)?"),
        (Sense.DENIED, rf"{_GERMAN}(?: {_NOUN})? nicht mehr"),
        (Sense.HOLDS, rf"{_GERMAN}(?: wieder)?(?: (?:eine?n? )?{_NOUN})?"),
        (Sense.ENDED, r"j['’]ai vendu m(?:a|on|es) (?P<rest>\w+)"),
        (Sense.ENDED, r"j['’]ai arrêté de (?P<verb>\w+e)r\b(?P<rest>.*)"),
        (Sense.DENIED, r"je n['’]ai (?:plus|pas) (?:de |d['’])(?P<rest>\w+)"),
        (Sense.HOLDS, r"j['’]ai une? (?P<rest>\w+)"),
        (Sense.DENIED, r"je ne (?P<verb>suis) plus (?P<rest>\w+)"),
        (Sense.HOLDS, r"je (?P<verb>suis) (?P<rest>\w+)"),
        (Sense.DENIED, rf"je n(?:e |['’]){_FRENCH} (?:plus|pas)\b(?P<rest>.*)"),
        (Sense.HOLDS, rf"j(?:e |['’]){_FRENCH}\b(?: (?:de|à) nouveau)?(?P<rest>.*?)(?: (?:de|à) nouveau)?"),
        (Sense.ENDED, r"(?:yo )?vendí mi (?P<rest>\w+)"),
        (Sense.ENDED, r"(?:yo )?(?:dejé|he dejado) de (?P<root>\w+)[aei]r\b(?P<rest>.*)"),
        (Sense.DENIED, rf"(?:yo )?(?:ya )?no {_SPANISH}\b(?P<rest>.*)"),
        (
            Sense.HOLDS,
            rf"(?:yo )?{_SPANISH}\b(?: (?:de nuevo|otra vez))?(?P<rest>.*?)(?: (?:de nuevo|otra vez))?",
        ),
        (Sense.ENDED, r"я продала? (?:(?:сво|мо)\w{1,2} )?(?P<rest>\w+)"),
        (Sense.ENDED, r"я (?:бросил|перестал)а? (?P<verb>\w+ть)\b(?P<rest>.*)"),
        (Sense.DENIED, r"у меня (?:больше )?нет (?P<rest>\w+)"),
        (Sense.HOLDS, r"у меня есть (?P<rest>\w+)"),
        (Sense.DENIED, r"я (?:больше )?не (?P<verb>\w+[ую])\b(?P<rest>.*)"),
        (Sense.HOLDS, r"я (?:снова |опять )?(?P<verb>\w+[ую])\b(?P<rest>.*)"),
        (Sense.ENDED, rf"我{tie_forms.ZH_WHEN}戒(?P<given_up>[烟酒糖肉]|咖啡)了"),
        (Sense.ENDED, rf"我{tie_forms.ZH_WHEN}戒掉?了(?P<given_up>[烟酒糖肉]|咖啡)"),
        (Sense.DENIED, rf"我(?:已经|现在|再也)*(?:不再|不){_ZH_DOES}了?"),
        (Sense.HOLDS, rf"我(?:现在)?又(?:开始)?{_ZH_DOES}了?"),
        (Sense.HOLDS, rf"我(?:每天|经常|平时|一直|还|很)?{_ZH_DOES}"),
    )
)
_IRREGULAR = {
    "is": "be",
    "am": "be",
    "does": "do",
    "goes": "go",
    "吸": "抽",
    **dict.fromkeys(("has", "owns", "own", "habe", "tengo"), tie_forms.HAVE),
}
_CONSUMED = {"烟": "抽", "糖": "吃", "肉": "吃"}  # by what is given up the verb; else it is drunk
LIKE = "like"
_BEING = frozenset(("be", *map(stem, ("bin", "suis", "soy"))))
# Who they are, what verb they bar, and of what.
_MEAT = "meat beef pork chicken steak ham bacon sausages"
_DAIRY = "cheese milk dairy eggs butter"
_ABSTAINING = tuple(
    (frozenset(words(who)), stem(verb), frozenset(words(things)))
    for who, verb, things in (
        ("vegetarian", "eats", f"{_MEAT} fish"),
        ("vegan", "eats", f"{_MEAT} fish {_DAIRY}"),
        ("vegan", "drinks", "milk"),
        ("pescatarian", "eats", _MEAT),
        ("teetotal teetotaler teetotaller", "drinks", "alcohol beer wine"),
        ("vegetarier vegetarierin", "esse", "fleisch fisch wurst"),
        ("veganer veganerin", "esse", "fleisch fisch wurst käse eier"),
        ("végétarien végétarienne végan végane", "mange", "viande poisson"),
        ("vegetariano vegetariana vegano vegana", "como", "carne pescado"),
    )
)
_MAX_CHARS = 160  # of a sentence that tells of a tie and of nothing else
_TIES = tuple(
    (
        re.compile(script),
        tuple((Sense[sense], tie, re.compile(form, re.IGNORECASE)) for sense, tie, form in forms),
    )
    for script, forms in tie_forms.FORMS
)
# What keeps a sentence from telling that something is over.
_UNSURE = re.compile(
    r"\b(?:not|never|nearly|almost|might|(?-i:may)|could|would|should|will|if|when|unless|wish|nobody|maybe|perhaps"
    r"|nicht|nie|kein\w*|fast|beinahe|wenn|falls|würde|vielleicht|pas|jamais|presque|si|peut-être|no|casi|nunca"
    r"|не|чуть|почти|если|бы|может|возможно)\b|n['’]t\b|没|如果|要是|差点|可能|也许|想|打算",
    re.IGNORECASE,
)
_TRIP = re.compile(r"^(?:journey|visit|holiday|vacation)(?= to )", re.IGNORECASE)
_ARTICLES = frozenset(words("a an any du de des d un una"))
_OF_TIES = frozenset(
    words("a an the my our their der die das den dem einen eine ein le la les un une el los las una")
)


def doing_of(sentence: str) -> State | None:
    """What the sentence says that who speaks does, is or has; None for all else."""
    for sense, form in _DOING:
        if match := form.fullmatch(sentence):
            said = match.groupdict(default="")
            rest = words(_first(said, "rest", "liked", "given_up").replace("my ", "their "))
            return State(sense, _verb(said), tuple(_form(word) for word in rest if word not in _ARTICLES))
    return None


def tie_of(sentence: str) -> State | None:
    """The tie that the sentence tells of; None for all else."""
    if len(sentence) > _MAX_CHARS:
        return None
    for sense, tie, form in next(forms for script, forms in _TIES if script.search(sentence)):
        if match := form.fullmatch(sentence):
            said = match.groupdict(default="")
            if sense is Sense.ENDED and _UNSURE.search(sentence.removesuffix(said.get("instead", ""))):
                return None
            goal = said.get("goal")
            told = f"trip to {goal}" if goal else _TRIP.sub("trip", _first(said, "rest", "role"))
            rest = (word for word in words(told) if word not in _OF_TIES)
            name = " ".join(map(_form, words(_first(said, "name", "other", "third"))))
            return State(sense, tie, tuple(map(_form, rest)), name)
    return None


def is_tie(state: State) -> bool:
    """Whether the state is one that is told in many words."""
    return state.verb in tie_forms.CUES


def is_bond(state: State) -> bool:
    """Whether it holds until it is ended: work and a partner, but no meeting that one has."""
    return is_tie(state) and state.verb != tie_forms.HAVE


def is_plan(state: State) -> bool:
    """Whether it is something that is to take place."""
    return state.verb == tie_forms.PLAN


def is_nameable(state: State) -> bool:
    """Whether what one has may bear a name, as an animal does."""
    return state.verb == tie_forms.HAVE


def tells_which(state: State) -> bool:
    """Whether it says which one it means, of things by name, of jobs by place; a partner is the only one."""
    if state.verb == tie_forms.WORK:
        return bool(state.rest)
    return not is_nameable(state) or bool(state.name)


def is_of_one_tie(later: State, earlier: State) -> bool:
    """Whether what ends or denies a tie speaks of the one that was told.

    What names nobody and nothing means the only one: "We broke up". A name alone means an animal.
    """
    if later.verb != earlier.verb or (later.name and earlier.name and later.name != earlier.name):
        return False
    if later.verb != tie_forms.HAVE:
        return not later.rest or later.rest == earlier.rest
    if not later.rest:
        return bool(later.name) and later.name == earlier.name and _is_animal(earlier.rest)
    if later.name or earlier.name:
        return later.rest[-1:] == earlier.rest[-1:]
    return later.rest == earlier.rest


def is_doer_of(noun: State, verb: State) -> bool:
    """Whether who is the one does the other: a smoker smokes."""
    return not verb.rest and verb.verb in _deeds_of(noun)


def is_barred_by(deed: State, noun: State) -> bool:
    """Whether who is the one does not do the other: a vegetarian eats no meat."""
    if noun.verb not in _BEING or len(noun.rest) != 1 or len(deed.rest) != 1:
        return False
    return any(
        noun.rest[0] in who and verb == deed.verb and deed.rest[0] in things
        for who, verb, things in _ABSTAINING
    )


def state_terms(state: State) -> frozenset[str]:
    """The search terms by which statements of the same state are found, which need share no word with it."""
    said = " ".join((*state.rest, state.name))
    dense = (char for word in words(said) if is_unspaced(word) for char in word)
    doers = () if state.rest else (f"{state.verb}r", f"{state.verb}er")
    cues = search_terms(tie_forms.CUES.get(state.verb, ""))
    return frozenset((*cues, *search_terms(said), *dense, *_deeds_of(state), *doers, *_barring_terms(state)))


def _barring_terms(state: State) -> tuple[str, ...]:
    """The search terms of what the state bars, or of who bars it."""
    found = (
        things if state.verb in _BEING else who
        for who, verb, things in _ABSTAINING
        if (state.verb in _BEING and not who.isdisjoint(state.rest))
        or (state.verb == verb and not things.isdisjoint(state.rest))
    )
    return tuple(search_terms(" ".join(sorted(set(chain(*found))))))


def _deeds_of(state: State) -> tuple[str, ...]:
    """The stems that the verb of a doer may have: of "smoker" and "runner" among others "smoke" and "run"."""
    if state.verb != "be" or len(state.rest) != 1 or not state.rest[0].endswith("er"):
        return ()
    return tuple(state.rest[0][:-cut] for cut in (1, 2, 3))


def _verb(said: Mapping[str, str]) -> str:
    if given_up := said.get("given_up"):
        return _CONSUMED.get(given_up, "喝")
    if said.get("liked"):
        return LIKE
    verb = f"{said['root']}o" if said.get("root") else (said.get("verb") or tie_forms.HAVE).lower()
    return _IRREGULAR.get(verb) or stem(verb)


def _first(said: Mapping[str, str], *groups: str) -> str:
    return next((said[group] for group in groups if said.get(group)), "")


def _form(word: str) -> str:
    """The word by which a thing is known: its number counts, a Russian case does not."""
    return word if word.isascii() else stem(word)


def _is_animal(thing: tuple[str, ...]) -> bool:
    return bool(thing) and thing[-1] in _ANIMALS


_ANIMALS = frozenset(_form(fold(word)) for word in tie_forms.ANIMALS.split("|"))

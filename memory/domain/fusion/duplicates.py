"""Two records of one statement: the fuller one is kept.

A cosine or shared words propose a pair; the content words in their order decide. To be
wrong here loses what was said, to miss a pair loses nothing: so doubt means two records.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from memory.domain.text import is_unspaced, stem, words

Pair = tuple[UUID, UUID]

_CLAUSE = re.compile(r"[,;:!?，。；：！？、()\n]+|\.(?=\s|$)|\s[–—-]\s")
_FILLERS = "a an the also just really very so too quite well actually s"
# What an addition may begin with and still only add: place, company, time, reason, name.
_ADJUNCTS = """
    with in at on since for from to as by because and while when where which who that named called during
    near after before under mit in seit im am bei als weil und wo zu von aus с со в на по у и где когда
    потому con en desde porque y donde avec dans depuis pour et où
"""
# What turns a statement into another, wherever it stands in the addition.
_TURNS = """
    not no nor never t cannot without if unless but until except hardly rarely almost would could might
    nicht kein keine keinen keiner nie niemals ohne wenn aber bis fast не нет ни никогда без если но до
    no nunca sin si pero hasta ne pas jamais sans mais
"""


@dataclass(frozen=True, slots=True)
class Told:
    """A record as duplicates are judged.

    `frame` must be equal: type, subject, event time, value's era. `is_fixed`: a person has
    changed it, so it stays.
    """

    id: UUID
    text: str
    subject: str
    frame: Hashable
    said_at: datetime
    is_fixed: bool = False


class Word(NamedTuple):
    """A content word; `opens`: it is the first of a clause."""

    form: str
    opens: bool


def find_duplicates(told: Mapping[UUID, Told], proposed: Iterable[Pair]) -> dict[UUID, UUID]:
    """Which records go, each with the one that is kept for it.

    Kept is the fuller; of equals what a person fixed, then the earlier said, then the lower
    id. Pairs may come in any order, twice or either way round.
    """
    known = {id_: content_words(each.text, subject=each.subject) for id_, each in told.items()}

    def place(id_: UUID) -> tuple[int, bool, datetime, UUID]:
        return -len(known[id_]), not told[id_].is_fixed, told[id_].said_at, id_

    kept_for: dict[UUID, UUID] = {}
    for one, other in proposed:
        if one not in told or other not in told or told[one].frame != told[other].frame or one == other:
            continue
        kept, lost = sorted((one, other), key=place)
        if told[lost].is_fixed or not is_contained(known[lost], known[kept]):
            continue
        if lost not in kept_for or place(kept) < place(kept_for[lost]):
            kept_for[lost] = kept
    return {lost: _last(lost, kept_for) for lost in kept_for}


def content_words(text: str, *, subject: str) -> tuple[Word, ...]:
    """What decides whether two statements are one, in order: stems, bigrams of scripts without
    spaces, verbs with their past, numbers, names, denials; not articles, nor the subject's name.

    "Alice moved to a flat" with subject Alice gives move+ed, to, flat.
    """
    own = {*words(subject), *_FILLERS.split()}
    found: list[Word] = []
    for clause in _CLAUSE.split(text):
        forms = list(_forms(clause, own))
        found += [Word(form, opens=place == 0) for place, form in enumerate(forms)]
    return tuple(found)


def is_contained(shorter: Sequence[Word], longer: Sequence[Word]) -> bool:
    """Whether the longer says all that the shorter does, in its order, and only adds to it.

    "has a dog" is contained in "has a dog named Rex", not in "has a dog allergy", "has no dog"
    or "has wanted a dog".
    """
    if not shorter:
        return not longer
    place, is_adding = 0, False
    for word in longer:
        if place < len(shorter) and word.form == shorter[place].form:
            place, is_adding = place + 1, False
            continue
        may_begin = place > 0 and (word.opens or word.form in _BEGINNINGS)
        if word.form in _REVERSALS or not (is_adding or may_begin):
            return False
        is_adding = True
    return place == len(shorter)


def _forms(clause: str, left_out: set[str]) -> Iterable[str]:
    run = ""
    for word in words(clause):
        if is_unspaced(word):
            run += word  # a blank between such characters says nothing
            continue
        yield from _bigrams(run)
        run = ""
        if word not in left_out:
            yield _form(word)
    yield from _bigrams(run)


def _form(word: str) -> str:
    """The stem, an English past told from the present: "lived in Rome" is not "lives in Rome"."""
    return f"{stem(word)}+ed" if word.isascii() and word.endswith("ed") else stem(word)


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))] if run else []


def _last(lost: UUID, kept_for: Mapping[UUID, UUID]) -> UUID:
    """The one that is kept in the end: what is kept for one pair may go for another."""
    kept = kept_for[lost]
    while kept in kept_for:
        kept = kept_for[kept]
    return kept


_BEGINNINGS = frozenset(map(_form, words(_ADJUNCTS)))
_REVERSALS = frozenset(map(_form, words(_TURNS)))

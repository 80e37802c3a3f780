"""Judging what was recalled, by rules: composites by score gap, adequacy by unmatched words,
fragments by their strength.

What a model would do by one call each (arXiv 2608.12990, section 4.4); the score is the caller's.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from memory.domain.planning import question_terms
from memory.domain.text import search_terms
from memory.domain.types import Adequacy, Fragment, Judgement, Synthesis

LEAST_STRENGTH = 0.50  # of a composite that may help
MOST_RELEVANT = 2
LOOKED_AT = 6
BROAD = 6  # records from which a composite is too abstract to answer by its text
USEFUL = 0.6
_WORD = re.compile(r"\w+")


def judge_composites(composites: Sequence[Fragment]) -> Judgement:
    """Those before the widest gap of strength among the first; the broad of them are too abstract.

    Strengths of 0.8, 0.7, 0.4, 0.35 have their widest gap after the second.
    """
    order = sorted(range(len(composites)), key=lambda place: -composites[place].strength)[:LOOKED_AT]
    gaps = [composites[one].strength - composites[other].strength for one, other in pairwise(order)]
    first = order[: gaps.index(max(gaps)) + 1 if gaps else 1]
    strong = [place for place in first if composites[place].strength >= LEAST_STRENGTH]
    relevant = tuple(strong[:MOST_RELEVANT])
    return Judgement(relevant, tuple(place for place in relevant if composites[place].breadth >= BROAD))


def find_missing(question: str, recalled: Sequence[Fragment]) -> Adequacy:
    """The words of the question that nothing recalled holds, as one query; none if all are held."""
    held = {term for each in recalled for term in search_terms(each.text)}
    asked = question_terms(question)
    missing = {term for term in asked if term not in held}
    if not missing or len(missing) == len(set(asked)):
        return Adequacy()
    words = [word for word in _WORD.findall(question) if missing.intersection(search_terms(word))]
    return Adequacy((" ".join(words),) if words else ())


def quote_useful(fragments: Sequence[Fragment]) -> Synthesis:
    """Each fragment's strength as its score; those of at least 0.6 quoted with their numbers."""
    quoted = [
        f"{each.text} [{number}]" for number, each in enumerate(fragments, start=1) if each.strength >= USEFUL
    ]
    return Synthesis(tuple(each.strength for each in fragments), "\n".join(quoted))

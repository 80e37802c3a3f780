"""Which sentences of what was recalled and said answer a question best, and which of them are told.

Each is judged by the share of the question's words it holds, by the sort of answer asked for,
by its rank and by how new it is.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.domain.asked_attribute import asked_slots
from memory.domain.planning import question_terms
from memory.domain.text import search_terms
from memory.domain.types import Hit, Question, Turn
from memory.providers.offline_language.chatter import is_content_word
from memory.providers.offline_language.kin import is_relative, kin_of
from memory.providers.offline_language.language import detect_language, guess_language
from memory.providers.offline_language.message import Kind, kind_of
from memory.providers.offline_language.moments import mentions_of
from memory.providers.offline_language.naming import find_entities
from memory.providers.offline_language.quotes import (
    WINDOW,
    Quote,
    is_of_other_favourite,
    own_thing,
    quotes_of,
)
from memory.providers.offline_language.reported import asks_of_self, is_of_another
from memory.providers.offline_language.tastes import is_of_other_taste

MAX_QUOTES = 3
MAX_LIST_QUOTES = 5
MIN_SHARE = 0.70  # of the best quote's score, for a second quote
MIN_LIST_SHARE = 0.45
MIN_STRENGTH = 0.6  # of the strength of the first quote's memory, for a further one
MAX_OVERLAP = 0.70  # with a quote already taken
RANK_WEIGHT = 0.35
FIT_WEIGHT = 0.35
RECENCY_WEIGHT = 0.05
CONTEXT_WEIGHT = 0.6
FILLER_WEIGHT = 0.3
WINDOW_RANK = 3  # the context number that a sentence of the window counts as
MIN_WINDOW_MATCH = 0.25

_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|into|around|nach|bei|aus|в|на|из|en|à|a)\s(?:the\s)?"
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May\b|June|July"
    r"|August|September|October|November|December)[A-ZÀ-ÖØ-ÞА-ЯЁ]\w|"
    r"[在到去从](?=[\u4e00-\u9fff])"
)
_CAUSE = re.compile(
    r"\b(?:because|since|so that|in order to|due to|thanks to|inspired|wanted to|helps?|to \w+|weil|"
    r"damit|потому|чтобы|из-за|porque|parce que)\b|因为|为了|由于",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|dozen|several|zwei|drei|"
    r"два|две|три|четыре|пять)\b|[一二两三四五六七八九十]",
    re.IGNORECASE,
)
_CJK_ASKING = re.compile("[什么谁哪怎吗几何誰]")
_CJK_PERSON = re.compile("[我你您]")


def rank_quotes(question: Question, hits: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[Quote]:
    """Every sentence of the first hits and of what people said in the window, best first.

    The window was not searched, so a sentence of it must hold a fair share of the question.
    """
    quotes = quotes_of(hits, window)
    if not quotes:
        return []
    asked, language = asked_terms(question.text), guess_language(question.text)
    frequency = Counter(term for quote in quotes for term in quote.terms)
    weights = {
        term: _weight(term, language) * math.log(1 + (len(quotes) + 1) / (frequency[term] + 0.5))
        for term in asked
    }
    kind = kind_of(question.text)
    is_of_self, slots = asks_of_self(question.text), asked_slots(question.text)
    named, thing = _named(question.text, quotes), own_thing(question.text, quotes)
    newest = sorted({quote.hit.said_at for quote in quotes})
    scored = []
    for quote in quotes:
        if is_of_self and is_of_another(quote.text, subject=quote.hit.subject):
            continue
        if is_of_other_taste(question.text, quote.text):
            continue
        if named and not named & (quote.terms | quote.context | _terms_of(quote.hit.subject)):
            continue
        if thing and not any(kin_of(term) & quote.terms for term in thing):
            continue
        is_amiss = _misses_whom(asked, quote) or is_of_other_favourite(slots, quote)
        match = 0.0 if is_amiss else _share_held(weights, quote)
        fit = FIT_WEIGHT * _fits(quote, kind, question) * (0.3 + 0.7 * match)
        recency = RECENCY_WEIGHT * (newest.index(quote.hit.said_at) + 1) / len(newest)
        if quote.number == WINDOW and match < MIN_WINDOW_MATCH:
            continue
        rank = RANK_WEIGHT / (quote.number or WINDOW_RANK)
        scored.append(replace(quote, match=match, score=match + fit + recency + rank))
    return sorted(scored, key=lambda quote: (-quote.score, quote.number))


def _share_held(weights: Mapping[str, float], quote: Quote) -> float:
    """The share of the question's weight that the quotation holds."""
    total = sum(weights.values()) or 1.0
    return sum(weight * _held(term, quote) for term, weight in weights.items()) / total


def _weight(term: str, language: str) -> float:
    """How much of the question lies in the word: little in filler and in what asks."""
    if _CJK_ASKING.search(term):
        return 0.0
    return 1.0 if is_content_word(term, language) and not _CJK_PERSON.search(term) else FILLER_WEIGHT


def _held(term: str, quote: Quote) -> float:
    """1 if the quotation holds the word or its kin, less if only what it replied to does."""
    kin = kin_of(term)
    return 1.0 if kin & quote.terms else CONTEXT_WEIGHT if kin & quote.context else 0.0


def asked_terms(text: str) -> frozenset[str]:
    """The words of a question that a quotation should hold."""
    return frozenset(question_terms(text))


def _named(question: str, quotes: Sequence[Quote]) -> frozenset[str]:
    """The terms of the names in the question, if any quotation holds one of them."""
    names = find_entities(question, language=detect_language(question))
    terms = frozenset(term for name in names for term in search_terms(name))
    return (
        terms
        if any(terms & (quote.terms | _terms_of(quote.hit.subject)) for quote in quotes)
        else frozenset()
    )


def _terms_of(name: str) -> frozenset[str]:
    return frozenset(search_terms(name))


def names_whom(terms: frozenset[str]) -> bool:
    """Whether a relative or a pet is among the words."""
    return any(is_relative(term) for term in terms)


def _misses_whom(asked: frozenset[str], quote: Quote) -> bool:
    """Whether the question is of a relative or a pet that the quotation does not name."""
    whom = [term for term in asked if is_relative(term)]
    return bool(whom) and not any(_held(term, quote) for term in whom)


def _fits(quote: Quote, kind: Kind, question: Question) -> float:
    """1 when the sentence holds the sort of thing that is asked for."""
    if kind is Kind.WHEN:
        return float(
            bool(
                quote.hit.temporal.ref
                or quote.hit.temporal.valid_from
                or mentions_of(quote.text, quote.hit, question)
            )
        )
    if kind is Kind.WHERE:
        return float(_PLACE.search(quote.text) is not None)
    if kind is Kind.COUNT:
        return float(_NUMBER.search(quote.text) is not None)
    if kind is Kind.WHY:
        return float(_CAUSE.search(quote.text) is not None)
    if kind is Kind.WHO:
        asked = set(search_terms(question.text))
        names = (*quote.hit.entities, *find_entities(quote.text, language="en"), quote.hit.subject)
        return float(any(not set(search_terms(name)) <= asked for name in names if name))
    return 0.0


def choose_quotes(quotes: Sequence[Quote], asked: frozenset[str], *, is_list: bool) -> list[Quote]:
    """The best quote and those nearly as good that say something else than asked and said."""
    most = MAX_LIST_QUOTES if is_list else MAX_QUOTES
    floor = quotes[0].score * (MIN_LIST_SHARE if is_list else MIN_SHARE)
    chosen: list[Quote] = []
    for quote in quotes:
        if len(chosen) == most or quote.score < floor or (chosen and quote.match == 0.0):
            break
        if chosen and not is_list and quote.number and quote.hit.score < MIN_STRENGTH * chosen[0].hit.score:
            continue
        if not any(repeats(quote.terms - asked, other.terms - asked) for other in chosen):
            chosen.append(quote)
    return chosen


def repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the one says next to nothing that the other does not."""
    return not one or len(one & other) > MAX_OVERLAP * max(1, min(len(one), len(other)))

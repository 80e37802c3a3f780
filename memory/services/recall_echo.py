"""Turns that only repeat or tell nothing: questions and requests made before, greetings, quoting answers.

Recalled text is never evidence, or a memory would be proven by having been remembered.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from memory.domain.text import search_terms
from memory.domain.types import Kind, Role, Turn
from memory.providers.offline_language.chatter import is_chatter, is_content_word, is_question
from memory.providers.offline_language.message import is_courtesy
from memory.providers.offline_language.statements import (
    are_worthless,
    is_request,
    sentences_of,
    without_echo,
)
from memory.services.recall_items import Item, is_asking
from memory.services.recall_plan import Asked

REPEATED = 0.8  # share of a sentence's words in one memory that makes it a repetition of it
_MOST = 40  # sentences of one turn that are looked at
_MOST_IDLE_CHARS = 300  # of a turn that only greets or asks; longer ones tell something by the way
_KEPT_VERDICTS = 8_192  # on short turns: the same ones come up again and again
_NAMING = re.compile(r"\w\W+[^\W\d_a-zа-яёß]\w|\d")


def echoes(asked: Asked, items: Mapping[UUID, Item], terms: Mapping[UUID, frozenset[str]]) -> frozenset[UUID]:
    """Those of the items that only ask what is asked now, or only repeat what is remembered.

    `terms`: the search terms of each item's text.
    """
    own = frozenset((*asked.terms, *search_terms(asked.request.question)))
    told = [
        terms[each.id]
        for each in items.values()
        if each.role is not Role.ASSISTANT and each.id in terms and not is_asking(each)
    ]
    is_reply_wanted = asked.plan.question_type == "prior_assistant_response"
    return frozenset(
        item.id
        for item in items.values()
        if item.kind is Kind.TURN
        and item.id in terms
        and (
            (is_asking(item) and terms[item.id] <= own)
            or _asks_more(item, terms[item.id], asked)
            or _is_idle(item, terms[item.id], asked)
            or is_quoting(item.turn)
            or (not is_reply_wanted and item.role is Role.ASSISTANT and _is_told(item.text, told, own))
        )
    )


def _asks_more(item: Item, terms: frozenset[str], asked: Asked) -> bool:
    """Whether it is nothing but a question of the one who asks, of all that is asked now and more."""
    if item.role is not Role.USER or item.subject not in asked.names or not asked.terms:
        return False
    if not terms.issuperset(asked.terms):
        return False
    return all(is_question(sentence) for sentence in sentences_of(item.text)[:_MOST])


def _is_idle(item: Item, terms: frozenset[str], asked: Asked) -> bool:
    """Whether a person's turn only greets or asks, and of something else; what the asker asked helps to
    no answer unless it names something.
    """
    if item.turn is None:
        return False
    if asked.plan.question_type == "prior_assistant_response" or not asked.terms:
        return is_greeting(item.turn) and is_idle(item.turn)
    is_own = item.subject in asked.names
    is_beside = terms.isdisjoint(asked.terms) or (is_own and _NAMING.search(item.text) is None)
    return is_beside and is_idle(item.turn)


def is_idle(turn: Turn) -> bool:
    """Whether a person's turn holds only questions, requests, greetings, thanks and filler."""
    if turn.role is not Role.USER or len(turn.text) > _MOST_IDLE_CHARS:
        return False
    return _holds_nothing(turn.text, turn.speaker)


@lru_cache(_KEPT_VERDICTS)
def _holds_nothing(text: str, speaker: str) -> bool:
    told = (sentence for sentence in sentences_of(text) if not is_request(sentence))
    return are_worthless(told, names=[speaker])


def is_greeting(turn: Turn) -> bool:
    """Whether a person's turn holds nothing but greetings and thanks."""
    return turn.role is Role.USER and is_courtesy(turn.text[:_MOST_IDLE_CHARS])


def is_quoting(turn: Turn | None) -> bool:
    """Whether an assistant's turn holds nothing beside what it cites from memory and its own phrases."""
    if turn is None or turn.role is not Role.ASSISTANT:
        return False
    return not any(char.isalnum() for char in without_echo(turn.text))


def _is_told(text: str, told: Sequence[frozenset[str]], own: frozenset[str]) -> bool:
    """Whether every sentence that says something is nearly all in one memory and the question."""
    said = [sentence for sentence in sentences_of(without_echo(text))[:_MOST] if not is_chatter(sentence)]
    return all(_is_within(sentence, told, own) for sentence in said)


def _is_within(sentence: str, told: Sequence[frozenset[str]], own: frozenset[str]) -> bool:
    terms = frozenset(term for term in search_terms(sentence) if is_content_word(term))
    least = REPEATED * len(terms)
    return any(terms & each and len(terms & (each | own)) >= least for each in told)

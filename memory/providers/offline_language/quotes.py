"""Recalled memories and the conversation to the sentences that an answer may quote.

Of several values of one attribute only the newest is quotable; what takes another statement
back or amends it stands before it. Sentences that read like orders are passed over.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

from memory.domain.denial import Claim, claims_of, overrules, put_newest_first
from memory.domain.encoding import is_suspicious
from memory.domain.text import fold, index_terms, search_terms
from memory.domain.types import Evidence, Hit, Kind, Role, Temporal, Turn
from memory.providers.offline_language.chatter import is_chatter, is_question, wants_forgotten
from memory.providers.offline_language.corrections import corrected, is_slip, redated
from memory.providers.offline_language.kin import kin_of
from memory.providers.offline_language.reported import another_of
from memory.providers.offline_language.slots import Slot, find_slot
from memory.providers.offline_language.statements import is_request, sentences_of, without_echo

MAX_HITS = 10
MAX_WINDOW = 40  # turns
WINDOW = 0  # the number of what stands in the conversation itself and needs no citation
_SLIP_QUOTES = 4  # of the same person before, one of which a slip may be
MAX_SENTENCES = 400  # of one turn that are looked at
_FAVOURITE = "favourite_"  # how the slots of favourites begin
MAX_SLOT_CHARS = 400  # a longer sentence states no single attribute

REACH = 2  # turns before a statement in which it is looked for whom its pronoun means
MAX_REACH_CHARS = 2_000  # of each of them
# How a statement begins that is of somebody spoken of before.
_PRONOUN = re.compile(
    r"(?:she|he|they|her|his|their|sie|er|ihre?|seine?|elle|il|ella|él|su|она|он|её|ее|его)\b|[她他]",
    re.IGNORECASE,
)
_OWN_THING = re.compile(
    r"(?:\b(?:is|are|was|were|name of|ist|sind|war|heißt|est|sont|es|está|son)|['’]s)\s"
    r"(?:my|our|meine?|unsere?|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?)\s(?:\w+\s)??(?P<thing>[\w'’-]+)"
    r"(?:\s(?:like|called|named|worth|doing|parked|stored|kept))?\s*[?？.!]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """One sentence of one hit. `number` is the hit's place in the context, from 1."""

    number: int
    hit: Hit
    text: str
    terms: frozenset[str]
    context: frozenset[str] = frozenset()  # of the question that it replied to, of whom its pronoun means
    match: float = 0.0
    score: float = 0.0


def quotes_of(hits: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[Quote]:
    """Every sentence of the first hits, with their numbers, and of what people said in the window
    that still holds.
    """
    quotes = [quote for n, hit in hits[:MAX_HITS] for quote in _quotes(n, hit)]
    recent = [turn for turn in window[-MAX_WINDOW:] if turn.role is Role.USER]
    quotes += _put_right([quote for turn in recent for quote in _quotes(WINDOW, _as_hit(turn))])
    said = {(each.session_id, each.index): each.text for _, hit in hits for each in hit.evidence}
    said |= {(turn.session_id, turn.index): turn.text for turn in window}
    return [_understood(quote, said) for quote in _without_superseded(_without_redated(quotes))]


def statements_of(window: Sequence[Turn]) -> list[str]:
    """What people told in the turns, a text each, without what they asked, ordered or said to be polite."""
    told = [turn.text for turn in window if turn.role is Role.USER and not is_suspicious(turn.text)]
    stated = [[sentence for sentence in sentences_of(text) if _is_told(sentence)] for text in told]
    return [" ".join(sentences) for sentences in stated if sentences]


def _is_told(sentence: str) -> bool:
    is_order = is_request(sentence) or wants_forgotten(sentence)
    return not (is_order or is_question(sentence) or is_chatter(sentence))


def _put_right(quotes: Sequence[Quote]) -> list[Quote]:
    """Without slips: what puts one right is found by the words that it was meant with."""
    kept: list[Quote] = []
    for quote in quotes:
        own = [other for other in reversed(kept) if other.hit.subject == quote.hit.subject]
        slip = corrected(quote.text, [other.text for other in own[:_SLIP_QUOTES]])
        if slip is None:
            kept.append(quote)
            continue
        kept.remove(own[slip[0]])
        kept.append(replace(quote, terms=frozenset(index_terms(slip[1]))))
    return kept


def _without_redated(quotes: Sequence[Quote]) -> list[Quote]:
    """Without what the same person later gave another date; what did so is found by the words of both."""
    words: dict[int, frozenset[str]] = {}
    wrong: set[int] = set()
    for at, quote in enumerate(quotes):
        for place, other in enumerate(quotes if is_slip(quote.text) else ()):
            if other.hit.said_at >= quote.hit.said_at or fold(other.hit.subject) != fold(quote.hit.subject):
                continue
            if (meant := redated(quote.text, other.text)) is not None:
                words[at] = words.get(at, quote.terms) | frozenset(index_terms(meant))
                wrong.add(place)
    return [
        replace(quote, terms=words.get(at, quote.terms)) for at, quote in enumerate(quotes) if at not in wrong
    ]


def with_newest(chosen: list[Quote], quotes: Sequence[Quote], asked: frozenset[str]) -> list[Quote]:
    """Those chosen and, before each, what the same person said later to take it back or amend it."""
    later = [
        quote
        for quote in quotes
        if quote not in chosen
        and quote.match > 0
        and any(_is_overruled(other, quote, asked) for other in chosen)
    ]
    return put_newest_first(
        [*chosen, *later[:1]],
        about=lambda quote: fold(quote.hit.subject),
        said=_claims,
        at=lambda quote: quote.hit.said_at,
        asked=asked,
    )


def own_thing(question: str, quotes: Sequence[Quote]) -> frozenset[str]:
    """The term of what the asker owns and asks about, if any quotation holds it: the bicycle of "What
    colour is my bicycle?", of which a favourite colour tells nothing.
    """
    found = _OWN_THING.search(question.strip())
    terms = frozenset(search_terms(found["thing"])) if found else frozenset()
    return terms if any(kin_of(term) & quote.terms for term in terms for quote in quotes) else frozenset()


def is_of_other_favourite(slots: Sequence[str], quote: Quote) -> bool:
    """Whether a favourite is asked for, and another sort of it is told: a film where it is a colour."""
    told = {slot for _whose, slot in _attributes(quote) if slot.startswith(_FAVOURITE)}
    return bool(told) and any(slot.startswith(_FAVOURITE) and slot not in told for slot in slots)


def _is_overruled(quote: Quote, other: Quote, asked: frozenset[str]) -> bool:
    return (
        fold(quote.hit.subject) == fold(other.hit.subject)
        and quote.hit.said_at < other.hit.said_at
        and overrules(_claims(other), _claims(quote), asked=asked)
    )


def _claims(quote: Quote) -> tuple[Claim, ...]:
    return claims_of(quote.text, names=[quote.hit.subject])


def _as_hit(turn: Turn) -> Hit:
    """A turn of the window, which has no place among the numbered items."""
    evidence = Evidence(
        turn.id,
        turn.session_id,
        turn.session_name,
        turn.index,
        turn.role,
        turn.speaker,
        turn.text,
        turn.said_at,
    )
    return Hit(
        kind=Kind.TURN,
        id=turn.id,
        score=0.0,
        rank_score=0.0,
        breakdown={},
        text=turn.text,
        memory_type="episode",
        subject=turn.speaker,
        entities=(),
        temporal=Temporal(),
        said_at=turn.said_at,
        source_role=turn.role,
        evidence=(evidence,),
        matched_routes=(),
        reason="",
    )


def _quotes(number: int, hit: Hit) -> list[Quote]:
    if hit.kind is Kind.RECORD:
        texts = [hit.text]
    else:
        told = without_echo(hit.text) if hit.source_role is Role.ASSISTANT else hit.text
        texts = _grouped([text for text in _sentences(told) if not is_suspicious(text)])
    return [
        _quote(number, hit, text)
        for text in texts
        if not is_suspicious(text) and not (hit.kind is Kind.TURN and (is_question(text) or is_chatter(text)))
    ]


def _quote(number: int, hit: Hit, text: str) -> Quote:
    asked, mark, reply = text.rpartition("”")
    if not mark or hit.kind is not Kind.RECORD:
        asked, reply = "", text
    return Quote(number, hit, text, frozenset(index_terms(reply)), frozenset(index_terms(asked)))


def _understood(quote: Quote, said: Mapping[tuple[UUID, int], str]) -> Quote:
    """With the terms of what it was said with and after, if it begins with a pronoun. `said` holds the
    texts of turns by session and index.
    """
    own = [each for each in quote.hit.evidence if not each.is_neighbour]
    if not own or not _PRONOUN.match(quote.text.removeprefix(f"{quote.hit.subject}: ")):
        return quote
    first = min(own, key=lambda each: each.index)
    before = (said.get((first.session_id, first.index - back), "") for back in range(REACH + 1))
    return replace(quote, context=quote.context.union(*map(_terms_of, before)))


@lru_cache(maxsize=256)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text[-MAX_REACH_CHARS:]))


def _grouped(sentences: list[str]) -> list[str]:
    """Neighbouring short sentences of a turn together, so that a quote makes sense."""
    grouped: list[str] = []
    for sentence in sentences:
        if (
            grouped
            and not is_question(sentence)
            and not is_question(grouped[-1])
            and len(grouped[-1]) + len(sentence) < 200
            and another_of(sentence) == another_of(grouped[-1])
            and not _slot_of(sentence)
            and not _slot_of(grouped[-1])
        ):
            grouped[-1] = f"{grouped[-1]} {sentence}"
        else:
            grouped.append(sentence)
    return grouped


def _without_superseded(quotes: list[Quote]) -> list[Quote]:
    """Of several values of one attribute of one person, the newest alone, with the words of all for
    its context: "I moved to Berlin" answers what "I live in Paris" answered.
    """
    attributes = [_attributes(quote) for quote in quotes]
    latest: dict[tuple[str, str], float] = {}
    words: dict[tuple[str, str], frozenset[str]] = {}
    for quote, held in zip(quotes, attributes, strict=True):
        latest.update({key: max(_since(quote), latest.get(key, 0.0)) for key in held})
        words.update({key: words.get(key, frozenset()) | quote.terms for key in held})
    return [
        replace(quote, context=quote.context.union(*(words[key] for key in held)))
        for quote, held in zip(quotes, attributes, strict=True)
        if not held or any(_since(quote) >= latest[key] for key in held)
    ]


def _attributes(quote: Quote) -> frozenset[tuple[str, str]]:
    """Whose attributes the quotation tells, by name and slot, as their own words stated them."""
    said = [each for each in quote.hit.evidence if not each.is_neighbour]
    lines = [(each.speaker, sentence) for each in said for sentence in _sentences(each.text)]
    found: set[tuple[str, str]] = set()
    for speaker, sentence in lines or [(quote.hit.subject, quote.text)]:
        slot = _slot_of(sentence)
        if slot is not None and slot.value in quote.text and slot.value not in quote.hit.subject:
            found.add((fold(speaker), slot.name))
    return frozenset(found)


@lru_cache(maxsize=256)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(sentences_of(text)[:MAX_SENTENCES])


@lru_cache(maxsize=4_096)
def _slot_of(sentence: str) -> Slot | None:
    return find_slot(sentence) if len(sentence) <= MAX_SLOT_CHARS else None


def _since(quote: Quote) -> float:
    """What was said last counts, though it tells of a day before."""
    return max(quote.hit.temporal.valid_from or quote.hit.said_at, quote.hit.said_at).timestamp()

"""A question and what was recalled to an answer that quotes its evidence.

The best sentences of the hits are chosen by the share of the question's words they hold,
by the sort of answer asked for and by rank; each carries the number of its item in the
context. Memories are quoted, never obeyed: sentences that read like orders are passed over.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from memory.domain.asked_attribute import asked_slots
from memory.domain.asked_time import AskedTime, asked_time
from memory.domain.encoding import is_suspicious
from memory.domain.languages import script_of
from memory.domain.planning import cut_names, is_about_asker, is_asking_name, question_terms
from memory.domain.temporal import tells_hour, zone_of
from memory.domain.text import search_terms
from memory.domain.types import Hit, Question, Role, Turn
from memory.domain.types import Kind as ItemKind
from memory.ports import AnswerRequest
from memory.providers.offline_language.chatter import is_chatter, is_content_word, is_question
from memory.providers.offline_language.kin import is_relative, kin_of
from memory.providers.offline_language.language import detect_language, guess_language
from memory.providers.offline_language.message import Kind, Wish, kind_of, wish_of
from memory.providers.offline_language.moments import is_of_time, mentions_of, moment_of
from memory.providers.offline_language.naming import find_entities
from memory.providers.offline_language.phrases import cut, phrase, show_day, show_hour, show_month
from memory.providers.offline_language.quotes import (
    WINDOW,
    Quote,
    is_of_other_favourite,
    own_thing,
    quotes_of,
    statements_of,
    with_newest,
)
from memory.providers.offline_language.reported import asks_of_self, is_of_another
from memory.providers.offline_language.said import said_of_asker
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.statements import sentences_of
from memory.providers.offline_language.tastes import is_of_other_taste

ENGLISH = "en"
SAID_BEFORE = 6  # turns that tell the language of a message that does not
MAX_QUOTES = 3
MAX_LIST_QUOTES = 5
MAX_QUOTE_CHARS = 400
MIN_SHARE = 0.70  # of the best quote's score, for a second quote
MIN_LIST_SHARE = 0.45
MIN_STRENGTH = 0.6  # of the strength of the first quote's memory, for a further one
MAX_OVERLAP = 0.70  # with a quote already taken
RANK_WEIGHT = 0.35
FIT_WEIGHT = 0.35
RECENCY_WEIGHT = 0.05
CONTEXT_WEIGHT = 0.6
FILLER_WEIGHT = 0.3
MIN_MATCH = 0.5  # of the question in the best quote, unless its memory is as strong as recall's floor
MIN_SCORE = 0.34
NOTED_CHARS = 400
MAX_TITLE_CHARS = 160  # of an image
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
_SUM = re.compile(r"\d\s?[-+*/×÷^x]\s?\d")
_UNSTOPPED = re.compile(r"[\w)\]\"'”’](?=\n)")
_PIECE = re.compile(r"\s*\S{1,24}")


def answer(request: AnswerRequest) -> Iterator[str]:
    """The answer in pieces of a word or so, in the question's language."""
    for piece in _PIECE.finditer(compose_answer(request)):
        yield piece.group()


def compose_answer(request: AnswerRequest) -> str:
    """The whole answer."""
    language = _language_of(request)
    wish = wish_of(request.question.text)
    if wish is Wish.ASK:
        return _answered(request, language)
    if wish is Wish.TELL:
        return _acknowledge(request, language)
    return _how_to_forget(request, language) if wish is Wish.FORGET else phrase(wish.value, language)


def _language_of(request: AnswerRequest) -> str:
    """The message's language; of one whose words tell none, that of what its writer said before."""
    script = script_of(request.question.text)
    said = [turn.text for turn in reversed(request.window) if turn.role is Role.USER]
    said = [text for text in said if script_of(text) == script or not script]
    guessed = (guess_language(text) for text in (request.question.text, *said[:SAID_BEFORE]))
    return next((language for language in guessed if language), ENGLISH)


def _answered(request: AnswerRequest, language: str) -> str:
    """What memories and images say of a question."""
    parts = (_of_memories(request, language), _of_pictures(request, language))
    return "\n".join(filter(None, parts)) or phrase("nothing", language)


def _of_memories(request: AnswerRequest, language: str) -> str:
    """What skills, records and turns say; empty where they say nothing of the question."""
    question = request.question
    if _is_sum(question.text):
        return ""
    window = [turn for turn in request.window if turn.id not in request.withdrawn]
    # Skills come only for what is to be done, or how it is done.
    told = list(request.skills[:1]) or _told(request, window)
    if told:
        return _listed(told)
    time = asked_time(question.text, now=question.now, time_zone=question.time_zone)
    quotable = [(n, hit) for n, hit in request.quotable if time is None or _is_told(hit, time, question)]
    quotes = _rank(question, quotable, window)
    if not quotes or (quotes[0].match < MIN_MATCH and quotes[0].number and quotes[0].hit.score < MIN_SCORE):
        return ""
    kind = kind_of(question.text)
    chosen = _choose(quotes, _asked_terms(question.text), is_list=kind is Kind.LIST)
    chosen = with_newest(chosen, quotes, _asked_terms(question.text))
    lines = [_line(quote, question, language, kind) for quote in chosen]
    if chosen[0].match == 0.0:
        is_amiss = _names_whom(_asked_terms(question.text)) and not _names_whom(chosen[0].terms)
        return "" if request.pictures or is_amiss else f"{phrase('closest', language)} {lines[0]}"
    return _listed(lines)


def _of_pictures(request: AnswerRequest, language: str) -> str:
    """Which images were found, each with the day it was seen: they are shown beside the answer."""
    zone, shown = zone_of(request.question.time_zone), []
    for picture in request.pictures:
        if not is_suspicious(picture.title):
            day = show_day(picture.seen_at.astimezone(zone).date(), language)
            shown.append(f"“{cut(picture.title, MAX_TITLE_CHARS)}” ({day})")
    return phrase("pictures", language, text="; ".join(shown)) if shown else ""


def _told(request: AnswerRequest, window: Sequence[Turn]) -> list[str]:
    """The lines of an answer to a question of an attribute, of nothing but its asker, or of a time;
    none to others.
    """
    question = request.question
    shown = [(n, hit) for n, hit in enumerate(request.hits, 1) if not is_suspicious(hit.text)]
    stated = [(n, hit) for n, hit in shown if hit.breakdown.get("attribute")]
    if stated and not _is_overtaken(stated[0][1], request, window):
        return [f"{cut(hit.text, MAX_QUOTE_CHARS)} [{n}]" for n, hit in stated]
    time = asked_time(question.text, now=question.now, time_zone=question.time_zone)
    if time is None and not (is_about_asker(question.text) or is_asking_name(question.text)):
        return []
    if time is None:
        return _of_asker(request, shown, window)
    lines = [f"{cut(hit.text, MAX_QUOTE_CHARS)} [{n}]" for n, hit in shown if _is_told(hit, time, question)]
    if time.is_of_talk:
        span, quoted = time.range, {each.turn_id for _, hit in shown for each in hit.evidence}
        spoken = [t for t in window if span.start <= t.said_at < span.end and t.id not in quoted]
        lines += [f"“{cut(text, MAX_QUOTE_CHARS)}”" for text in statements_of(spoken)]
    return lines


def _of_asker(request: AnswerRequest, shown: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[str]:
    """What is filed about the asker, then, as said, what is not: turns that were found, and the window's."""
    question, filed = request.question, [(n, hit) for n, hit in shown if hit.kind is ItemKind.RECORD]
    lines = [f"{cut(hit.text, MAX_QUOTE_CHARS)} [{n}]" for n, hit in filed]
    if filed and request.beyond:
        lines.append(phrase("more", detect_language(question.text), text=str(request.beyond)))
    return lines + said_of_asker(question, shown, window)


def _how_to_forget(request: AnswerRequest, language: str) -> str:
    """How something is forgotten, and the records that may be meant: turns cannot be expired."""
    found = [(n, hit) for n, hit in enumerate(request.hits, 1) if hit.kind is ItemKind.RECORD]
    told = [(n, hit) for n, hit in found if not is_suspicious(hit.text)]
    lines = [f"- {cut(hit.text, MAX_QUOTE_CHARS)} [{n}]" for n, hit in told[:MAX_QUOTES]]
    return "\n".join([phrase("forget", language), *lines]) if lines else phrase("nothing", language)


def _is_told(hit: Hit, time: AskedTime, question: Question) -> bool:
    """Whether it states something, and nothing that is dated for another time than the one asked about."""
    if all(is_question(each) or is_chatter(each) for each in sentences_of(hit.text)):
        return False
    if hit.kind is ItemKind.TURN and not time.is_of_talk:
        return is_of_time(hit, question, time.range)
    begun = hit.temporal.valid_from or hit.temporal.ref
    if time.is_of_talk or begun is None:
        return True
    return begun < time.range.end and max(begun, hit.temporal.valid_to or begun) >= time.range.start


def _is_overtaken(stated: Hit, request: AnswerRequest, window: Sequence[Turn]) -> bool:
    """Whether something said later, and not filed yet, gives what is asked for another value."""
    slots = asked_slots(cut_names(request.question.text, [stated.subject]))
    turns = [(turn.said_at, turn.text) for turn in window if turn.role is Role.USER]
    turns += [(hit.said_at, hit.text) for hit in request.hits if hit.kind is ItemKind.TURN]
    later = (text for said_at, text in turns if said_at > stated.said_at)
    found = (find_slot(sentence) for text in later for sentence in sentences_of(text))
    return any(slot is not None and slot.name in slots for slot in found)


def _listed(lines: Sequence[str]) -> str:
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _acknowledge(request: AnswerRequest, language: str) -> str:
    """Repeat what was told, and what is remembered of the same."""
    said = [s for s in sentences_of(request.question.text) if not is_question(s) and not is_chatter(s)]
    told = cut(_UNSTOPPED.sub(r"\g<0>,", "\n".join(said)).replace("\n", " "), NOTED_CHARS)
    noted = phrase("noted", language, text=f"“{told}”")  # whose "I" it is, the quotation marks say
    own = frozenset(search_terms(request.question.text))
    for quote in _rank(request.question, request.quotable, ()):
        if quote.match > 0 and len(own & quote.terms) > 1 and not _repeats(quote.terms, own):
            return f"{noted}\n{phrase('related', language, text=_shown(quote, language, request.question))}"
    return noted


def _rank(question: Question, hits: Sequence[tuple[int, Hit]], window: Sequence[Turn]) -> list[Quote]:
    """Every sentence of the first hits and of what people said in the window, best first.

    The window was not searched, so a sentence of it must hold a fair share of the question.
    """
    quotes = quotes_of(hits, window)
    if not quotes:
        return []
    asked, language = _asked_terms(question.text), guess_language(question.text)
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


def _asked_terms(text: str) -> frozenset[str]:
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


def _is_sum(question: str) -> bool:
    """Whether nothing but figures is asked about, to be reckoned with: "What is 2+2?"."""
    return _SUM.search(question) is not None and all(term.isdigit() for term in _asked_terms(question))


def _terms_of(name: str) -> frozenset[str]:
    return frozenset(search_terms(name))


def _names_whom(terms: frozenset[str]) -> bool:
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


def _choose(quotes: list[Quote], asked: frozenset[str], *, is_list: bool) -> list[Quote]:
    """The best quote and those nearly as good that say something else than asked and said."""
    most = MAX_LIST_QUOTES if is_list else MAX_QUOTES
    floor = quotes[0].score * (MIN_LIST_SHARE if is_list else MIN_SHARE)
    chosen: list[Quote] = []
    for quote in quotes:
        if len(chosen) == most or quote.score < floor or (chosen and quote.match == 0.0):
            break
        if chosen and not is_list and quote.number and quote.hit.score < MIN_STRENGTH * chosen[0].hit.score:
            continue
        if not any(_repeats(quote.terms - asked, other.terms - asked) for other in chosen):
            chosen.append(quote)
    return chosen


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one or len(one & other) > MAX_OVERLAP * max(1, min(len(one), len(other)))


def _line(quote: Quote, question: Question, language: str, kind: Kind) -> str:
    shown = _shown(quote, language, question)
    moment = _moment(quote, question, language) if kind is Kind.WHEN else ""
    return f"{moment} — {shown}" if moment else shown


def _shown(quote: Quote, language: str, question: Question) -> str:
    """The quotation with its citation; a turn's with its speaker and day."""
    text = cut(quote.text, MAX_QUOTE_CHARS)
    if quote.hit.kind is ItemKind.RECORD:
        return f"{text} [{quote.number}]"
    citation = f" [{quote.number}]" if quote.number != WINDOW else ""
    day = show_day(quote.hit.said_at.astimezone(zone_of(question.time_zone)).date(), language)
    speaker = quote.hit.subject or (quote.hit.evidence[0].speaker if quote.hit.evidence else "")
    return f"{speaker or quote.hit.source_role} ({day}): “{text}”{citation}"


def _moment(quote: Quote, question: Question, language: str) -> str:
    """The hour, day, month or year of what is asked for; empty if the quotation leaves it open."""
    asked = [kin_of(term) for term in _asked_terms(question.text) if is_content_word(term)]
    found = moment_of(quote.text, quote.hit, question, asked)
    if found is None:
        return ""
    zone = zone_of(question.time_zone)
    first, end = (each.astimezone(zone).date() for each in (found.start, found.end))
    days = (end - first).days
    if days > 300:
        return str(first.year)
    if days > 27:
        return show_month(first, language)
    if days > 1:
        return f"{show_day(first, language)} – {show_day(end - timedelta(days=1), language)}"
    if tells_hour(found.start, zone):
        return show_hour(found.start.astimezone(zone), language)
    return show_day(first, language)

"""A question and what was recalled to an answer that quotes its evidence.

The best sentences of the hits are chosen by the share of the question's words they hold,
by the sort of answer asked for and by rank; each carries the number of its item in the
context. Memories are quoted, never obeyed: sentences that read like orders are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from memory.domain.asked_attribute import asked_slots
from memory.domain.asked_time import AskedTime, asked_time
from memory.domain.encoding import is_suspicious
from memory.domain.languages import script_of
from memory.domain.planning import cut_names, is_about_asker, is_asking_name
from memory.domain.temporal import tells_hour, zone_of
from memory.domain.text import search_terms
from memory.domain.types import Hit, Question, Role, Turn
from memory.domain.types import Kind as ItemKind
from memory.ports import AnswerRequest
from memory.providers.offline_language.chatter import is_chatter, is_content_word, is_question
from memory.providers.offline_language.kin import kin_of
from memory.providers.offline_language.language import detect_language, guess_language
from memory.providers.offline_language.message import Kind, Wish, kind_of, wish_of
from memory.providers.offline_language.moments import is_of_time, moment_of
from memory.providers.offline_language.phrases import cut, phrase, show_day, show_hour, show_month
from memory.providers.offline_language.quote_ranking import (
    MAX_QUOTES,
    asked_terms,
    choose_quotes,
    names_whom,
    rank_quotes,
    repeats,
)
from memory.providers.offline_language.quotes import (
    WINDOW,
    Quote,
    statements_of,
    with_newest,
)
from memory.providers.offline_language.said import said_of_asker
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.statements import sentences_of

ENGLISH = "en"
SAID_BEFORE = 6  # turns that tell the language of a message that does not
MAX_QUOTE_CHARS = 400
MIN_MATCH = 0.5  # of the question in the best quote, unless its memory is as strong as recall's floor
MIN_SCORE = 0.34
NOTED_CHARS = 400
MAX_TITLE_CHARS = 160  # of an image

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
    quotes = rank_quotes(question, quotable, window)
    if not quotes or (quotes[0].match < MIN_MATCH and quotes[0].number and quotes[0].hit.score < MIN_SCORE):
        return ""
    kind = kind_of(question.text)
    chosen = choose_quotes(quotes, asked_terms(question.text), is_list=kind is Kind.LIST)
    chosen = with_newest(chosen, quotes, asked_terms(question.text))
    lines = [_line(quote, question, language, kind) for quote in chosen]
    if chosen[0].match == 0.0:
        is_amiss = names_whom(asked_terms(question.text)) and not names_whom(chosen[0].terms)
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
    for quote in rank_quotes(request.question, request.quotable, ()):
        if quote.match > 0 and len(own & quote.terms) > 1 and not repeats(quote.terms, own):
            return f"{noted}\n{phrase('related', language, text=_shown(quote, language, request.question))}"
    return noted


def _is_sum(question: str) -> bool:
    """Whether nothing but figures is asked about, to be reckoned with: "What is 2+2?"."""
    return _SUM.search(question) is not None and all(term.isdigit() for term in asked_terms(question))


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
    asked = [kin_of(term) for term in asked_terms(question.text) if is_content_word(term)]
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

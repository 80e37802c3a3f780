"""The moment that a quotation gives to a question of when; none where the sentence leaves it open.

A sentence may hold several dates: the one counts whose clause speaks of what is asked.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.domain.temporal import DateMention, find_dates
from memory.domain.text import search_terms
from memory.domain.types import Hit, Question, TimeRange
from memory.providers.offline_language.chatter import content_words

_CUT = re.compile(
    r"[,;:—]\s|[，；。]|\s(?:and|but|then|while|before|after|und|aber|dann|y|pero|luego|et|mais|puis"
    r"|и|но|а|потом)\s",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|no|nicht|nie|niemals|kein\w*|nunca|jamais|не|никогда)\b|n['’]t\b|[不别没]", re.IGNORECASE
)
_WRITTEN = re.compile(r"\s?\(\d{4}-[\d/-]+\)")  # the date that the encoder has added to a mention
_MOVED = re.compile(
    r"\b(?:mov|postpon|reschedul|shift|push|delay|chang|brought|bring|verschob|verleg|перен|aplaz|repor)",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:\bfrom|\bvon|\bvom|\bс|\bdel?|\bdu)\s(?:the\s)?$", re.IGNORECASE)


def mentions_of(text: str, hit: Hit, question: Question) -> list[DateMention]:
    """The moments that the quotation names; a date that was added to a mention is one with it."""
    said_at = hit.evidence[0].said_at if hit.evidence else hit.said_at
    found = find_dates(text, said_at=said_at, time_zone=question.time_zone)
    for written in _WRITTEN.finditer(text):
        inside = [each for each in found if written.start() <= each.start and each.end <= written.end()]
        named = next((each for each in found if each.end == written.start()), None)
        if named is None or not inside:
            continue
        told = inside[0].range if named.grain == "day" else named.range
        joined = replace(named, end=written.end(), range=told, clock=inside[0].clock or named.clock)
        found = [joined if each is named else each for each in found if each not in inside]
    return found


def is_of_time(hit: Hit, question: Question, span: TimeRange) -> bool:
    """Whether the turn names a time within the span or, naming none, was said within it."""
    named = [mention.range for mention in mentions_of(hit.text, hit, question)]
    if not named:
        return span.start <= hit.said_at < span.end
    return any(each.start < span.end and span.start < each.end for each in named)


def moment_of(text: str, hit: Hit, question: Question, asked: Sequence[frozenset[str]]) -> TimeRange | None:
    """When what is asked for was or will be; None if the quotation does not tell.

    `asked`: what the question is about, each word with those that mean the same.
    """
    if _NEGATIVE.search(question.text):
        return None
    mentions = mentions_of(text, hit, question)
    if mentions:
        return _range_of(_clear(text, mentions, hit, asked))
    start = hit.temporal.valid_from or hit.temporal.ref
    return TimeRange(start, hit.temporal.valid_to or start) if start else None


def _range_of(mentions: Sequence[DateMention]) -> TimeRange | None:
    """The one range that all of them name, if it is one, from the hour on that any of them tells."""
    ranges: dict[TimeRange, TimeRange] = {}
    for each in sorted(mentions, key=lambda mention: mention.clock is not None):
        ranges[each.range] = TimeRange(each.moment, each.range.end)
    return next(iter(ranges.values())) if len(ranges) == 1 else None


def _clear(
    text: str, mentions: list[DateMention], hit: Hit, asked: Sequence[frozenset[str]]
) -> list[DateMention]:
    """The mentions in the clause that shares most words with the question."""
    subject = set(search_terms(hit.subject))
    clauses = _clauses(text, mentions)
    weights: list[int] = []
    for first, end in clauses:
        terms = set(search_terms(text[first:end])) - subject
        weights.append(sum(bool(group & terms) for group in asked))
    held = [[each for each in mentions if first <= each.start < end] for first, end in clauses]
    dated = [(weight, place) for place, weight in enumerate(weights) if held[place]]
    best, place = max(dated)
    if len(dated) > 1 and [weight for weight, _ in dated].count(best) > 1:
        return mentions
    if best == 0 and max(weights) > 0:
        return []
    return _moved_to(text, clauses[place], held[place])


def _moved_to(text: str, clause: tuple[int, int], mentions: list[DateMention]) -> list[DateMention]:
    """Without the date from which something was moved to another."""
    if len(mentions) < 2 or not _MOVED.search(text, clause[0], clause[1]):
        return mentions
    return [each for each in mentions if not _FROM.search(text[: each.start])]


def _clauses(text: str, mentions: list[DateMention]) -> list[tuple[int, int]]:
    """The stretches between commas and conjunctions; one that says nothing but a date belongs to
    the one before it, or to the next.
    """
    cuts = [
        cut.end()
        for cut in _CUT.finditer(text)
        if not any(each.start < cut.end() and cut.start() < each.end for each in mentions)
    ]
    clauses: list[tuple[int, int]] = []
    is_bare = False
    for first, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        if clauses and (is_bare or not _says_something(text, first, end, mentions)):
            clauses[-1] = (clauses[-1][0], end)
        else:
            clauses.append((first, end))
        is_bare = not _says_something(text, *clauses[-1], mentions)
    return clauses


def _says_something(text: str, first: int, end: int, mentions: list[DateMention]) -> bool:
    kept = [
        char
        for place, char in enumerate(text[first:end], first)
        if not any(each.start <= place < each.end for each in mentions)
    ]
    return bool(content_words("".join(kept)))

"""A question to its plan, by rules: type, names, times, routes.

The value a planning call of a model would return (arXiv 2608.12990, section 4.1). The first
route is the whole question; one that joins several needs has a further route for each.
"""

import re

from memory.domain.planning import MAX_NAMES
from memory.domain.temporal import find_dates
from memory.domain.text import search_terms
from memory.domain.types import Plan, Question, Role, Route, TimeRange
from memory.providers.offline_language.chatter import is_chatter, is_question
from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.naming import find_entities
from memory.providers.offline_language.needs import needs_of
from memory.providers.offline_language.statements import sentences_of

_SAY = "say|tell|suggest|recommend|mention|advise|propose|explain|list|give"
_SAID = "said|told|suggested|recommended|mentioned|advised|proposed|explained|listed|gave"
_TYPES = {
    "prior_assistant_response": (
        rf"\bdid you (?:\w+ly )?(?:{_SAY})\b|\byou (?:\w+ly )?(?:{_SAID})\b",
        r"\byour (?:answer|advice|recommendation|suggestion|reply|last)\b",
        "hast du (?:gesagt|empfohlen|vorgeschlagen)|ты (?:говорил|советовал|предлагал)",
        "你(?:之前|刚才|上次)?(?:说|推荐|建议|提到)",
    ),
    "personalized_advice": (
        r"\b(?:recommend|suggest|advise)\b|\bany (?:ideas|tips|advice|suggestions)\b",
        r"\bshould (?:i|we)\b|\bsoll(?:te)? (?:ich|wir)\b|\bempfiehl",
        "посоветуй|порекомендуй|推荐|建议",
    ),
    "comparison": (
        r"\b(?:compared?|comparison|difference|differ|versus|vs|in common|both|than)\b",
        r"\b(?:unterschied|gemeinsam|vergleich)|разниц|сравни|общего|区别|相比|比较|共同|違い",
    ),
    "temporal": (
        r"\b(?:when|what (?:date|day|time|year|month)|how (?:long|old)|last time)\b",
        r"\bhow (?:many|much) (?:days|weeks|months|years)\b|\b(?:before|after|first)\b",
        r"\b(?:wann|wie lange)\b|когда|как долго|什么时候|何时|多久|几点|哪天|いつ|언제",
    ),
    "aggregate": (
        r"\b(?:how (?:many|often)|list|all|every|each|which \w+s)\b",
        r"\bwhat (?:\w+ )?\w+s (?:has|have|did|does|do|are|were)\b",
        r"\b(?:wie (?:viele|oft)|alle|welche)\b|сколько|какие|все\b|多少|几个|哪些|所有|いくつ|몇",
    ),
}
_COMPILED = {name: re.compile("|".join(cues), re.IGNORECASE) for name, cues in _TYPES.items()}
_ACTION = re.compile(
    r"^(?:please |can you |could you |would you |bitte )?"
    r"(?:write|draft|make|create|book|send|run|fix|build|install|deploy|schedule|order|plan|translate"
    r"|schreib|erstelle|напиши|сделай|创建)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:he|she|they|it|him|her|his|their|them|its|there|that|this|those|er|sie|dort|das)\b"
    r"|\b(?:он|она|они|там|это)\b|[他她它那这]",
    re.IGNORECASE,
)
_SHORT_TERMS = 4  # a follow-up of at most so many search terms is read with what it follows
QUERY_CHARS = 2_000
_DEPTHS = {"answer": 5, "action": 8, "mixed": 10, "aggregate": 15}  # nodes of the tree that are opened


def plan_question(question: Question) -> Plan:
    """What the question needs: its routes, each with its time range in the asker's zone.

    A follow-up such as "and where does she live?" is also searched together with the
    person's turn before it.
    """
    text = question.text.strip()[:QUERY_CHARS]
    is_small_talk = bool(text) and all(
        is_chatter(sentence) and not is_question(sentence) for sentence in sentences_of(text)
    )
    is_asking = not is_small_talk and bool(text)
    mode, question_type = _mode(text), question_type_of(text)
    return Plan(
        mode=mode,
        question_type=question_type,
        routes=_routes(text, question) if is_asking else (),
        names=find_entities(text, language=detect_language(text))[:MAX_NAMES],
        is_small_talk=is_small_talk,
        tree_depth=_DEPTHS["aggregate" if question_type == "aggregate" else mode],
    )


def question_type_of(text: str) -> str:
    """The type by its cue words; the first that fits, else `single`."""
    return next((name for name, pattern in _COMPILED.items() if pattern.search(text)), "single")


def _mode(text: str) -> str:
    """`action` where something is to be done, `mixed` where something is asked as well."""
    parts = sentences_of(text) or [text]
    acting = [part for part in parts if _ACTION.match(part.strip())]
    if not acting:
        return "answer"
    return "mixed" if any(is_question(part) for part in parts if part not in acting) else "action"


def _routes(text: str, question: Question) -> tuple[Route, ...]:
    """The whole question, then each of its needs with the time that it names itself."""
    whole = Route(goal=text, queries=_queries(text, question), time_range=_span(text, question))
    needs = [Route(goal=need, queries=(need,), time_range=_span(need, question)) for need in needs_of(text)]
    return (whole, *needs)


def _span(text: str, question: Question) -> TimeRange | None:
    """From the beginning of the first date named to the end of the last."""
    dates = find_dates(text, said_at=question.now, time_zone=question.time_zone)
    if not dates:
        return None
    span = TimeRange(dates[0].range.start, dates[-1].range.end)
    return span if span.start < span.end else dates[0].range


def _queries(text: str, question: Question) -> tuple[str, ...]:
    before = next((turn.text for turn in reversed(question.recent) if turn.role is Role.USER), "")
    is_follow_up = len(search_terms(text)) <= _SHORT_TERMS and _POINTS_BACK.search(text) is not None
    if not before or not is_follow_up:
        return (text,)
    return (text, f"{before[:QUERY_CHARS]} {text}")

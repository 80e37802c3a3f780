"""Recall: a question to the memories that answer it, with their evidence and a log.

Plan, one embedding batch, channels, ranking, live rows, selection, budget; every
stage a value. Follows arXiv 2608.12990, section 4, and docs/algorithms/recall.md.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db import OperationalError

from memory.config import Floor, RecallConfig
from memory.domain.composing import Layout, compose_context
from memory.domain.denial import claims_of, put_newest_first
from memory.domain.formatting import Detail, newest_first, reason_for
from memory.domain.planning import is_about_asker, names_in
from memory.domain.selection import (
    BEYOND,
    ECHO,
    EXPIRED,
    OVER_BUDGET,
    Candidate,
    Left,
    above_floor,
    diversify,
    spread,
)
from memory.domain.text import fold
from memory.domain.types import Dropped, Evidence, Hit, Plan, Recalled, RecallRequest, Role, Turn
from memory.ports import LanguageModel, OnUsage
from memory.providers.registry import language_model, token_counter
from memory.registries import turn_source
from memory.services.feedback import judge_previous, settle_by_plan
from memory.services.recall_deep import Deepened, Judge, deepen
from memory.services.recall_echo import echoes, is_greeting, is_idle, is_quoting
from memory.services.recall_find import Clock, Found, expired_among, find
from memory.services.recall_items import Item
from memory.services.recall_log import write_log
from memory.services.recall_plan import (
    PLAN_ASTRAY,
    Asked,
    embed,
    is_astray,
    plan_by_rules,
    plan_recall,
    prepare,
    routes_of,
    vectors_of,
)
from memory.services.recall_reread import reread
from memory.services.recall_search import is_named
from memory.services.recall_time import of_then
from memory.stores.live import lost_turns
from memory.stores.registry import calibration

logger = logging.getLogger(__name__)

NOT_LOGGED = "This recall could not be logged: there is no room left; the operator should see to the disk."
SMALL_TALK = "Nothing in this needs to be remembered; the memory was not searched."
_MAX_EVIDENCE = 6  # own turns shown of one record


def recall(
    request: RecallRequest,
    *,
    config: RecallConfig | None = None,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
) -> Recalled:
    """The memories for the question as this reader may see them, best first, and a log row.

    Degrades to words alone, with a note, when vectors cannot be used, to a plan by rules when
    the model (`language`, or the one in use) fails. `top_k` of the request wins over the plan's.
    """
    config = config or calibration().for_recall(RecallConfig.for_effort(request.effort))
    clock = Clock()
    notes: list[str] = []
    with clock.stage("plan"):
        undecided = judge_previous(request)
        previous = undecided.answered if undecided else None
        plan = plan_recall(request, notes, previous=previous, language=language, on_usage=on_usage)
        settle_by_plan(undecided, plan)
    if plan.is_small_talk or not request.question.strip():
        empty = _recalled(request, plan, (), [], notes=[*notes, SMALL_TALK])
        return _logged(request, empty, clock)
    with clock.stage("plan"):
        asked = prepare(request, config, plan, notes)
    with clock.stage("embed"):
        routes = embed(*routes_of(asked), on_usage=on_usage)
    if is_astray(asked, routes):
        notes.append(PLAN_ASTRAY)
        with clock.stage("plan"):
            asked = prepare(request, config, plan_by_rules(request), notes)
        with clock.stage("embed"):
            routes = embed(*routes_of(asked), on_usage=on_usage)
    found = find(asked, routes, clock)
    with clock.stage("rerank"):
        reordered = reread(asked, found, language=language, on_usage=on_usage)
        found = replace(found, candidates=reordered)
    with clock.stage("select"):
        kept, left = _select(asked, found)
    if config.is_deep:
        judge = Judge(language or language_model(), on_usage)
        deep = deepen(asked, routes, Deepened(found, kept, left), judge, clock)
        found, kept, left = deep.found, deep.kept, deep.left
    with clock.stage("select"):
        hits = _hits(asked, found, kept)
        recalled = _within_budget(asked, found, hits, left)
        if found.is_list:
            beyond = found.beyond + len(found.candidates) - len(recalled.hits)
            recalled = replace(recalled, beyond=beyond)
    return _logged(request, replace(recalled, vectors=vectors_of(asked, routes[0].told)), clock)


def _question_floor(asked: Asked, candidates: Sequence[Candidate]) -> Floor:
    """What the best item must reach. A name that this memory knows is evidence by itself."""
    if asked.names:
        return asked.config.question_floor
    is_compared = any(each.cosine for each in candidates)  # not where vectors cannot be had
    return asked.config.nameless_floor if is_compared else asked.config.words_floor


def _select(asked: Asked, found: Found) -> tuple[list[Candidate], list[Left]]:
    """The floor, then variety and spread; values of one attribute newest first."""
    config, request = asked.config, asked.request
    repeating = echoes(asked, found.items, {each.id: each.terms for each in found.candidates})
    barred = {each_id: EXPIRED if each_id in found.expired else ECHO for each_id in found.expired | repeating}
    admitted = [each for each in found.candidates if each.id not in barred]
    of_month, of_day = of_then(asked, admitted)
    strong, weak = above_floor(
        admitted,
        question=_question_floor(asked, found.candidates),
        item=config.item_floor,
        min_score=request.min_score,
        telling=of_month,
        evident=of_day,
    )
    if found.is_list:
        return strong[: asked.top_k], [*((each, BEYOND) for each in strong[asked.top_k :]), *weak]
    kept, beyond = diversify(strong, top_k=asked.top_k, weight=config.mmr_lambda, unquoted=found.expired)
    kept = spread(kept, group=lambda each: found.items[each.id].session_id, places=config.spread_places)
    ordered = newest_first(
        kept,
        attribute=lambda each: found.items[each.id].attribute,
        since=lambda each: found.items[each.id].since,
    )
    ordered = put_newest_first(
        ordered,
        about=lambda each: fold(found.items[each.id].subject),
        said=lambda each: claims_of(found.items[each.id].text, names=[found.items[each.id].subject]),
        at=lambda each: found.items[each.id].said_at,
        asked=asked.terms,
    )
    said = [(each, barred[each.id]) for each in found.candidates if each.id in barred]
    return ordered, [*beyond, *weak, *said]


def _hits(asked: Asked, found: Found, kept: list[Candidate]) -> list[Hit]:
    """The kept candidates with their source turns, and why they were recalled."""
    own = {each.id: each.evidence[:_MAX_EVIDENCE] for each in kept}
    turns, around = _source_turns(asked, found, [turn_id for ids in own.values() for turn_id in ids])
    gone = [turn_id for ids in own.values() for turn_id in ids if turn_id not in turns]
    lost = lost_turns(asked.request.reader.space_id, gone)
    hits: list[Hit] = []
    for each in kept:
        item = found.items[each.id]
        known = [turns[turn_id] for turn_id in own[each.id] if turn_id in turns]
        near = {turn.id: turn for source in known for turn in around.get(source.id, ())}
        evidence = [_evidence(turn, is_silent=turn.id in found.expired) for turn in known]
        evidence += [_evidence(turn, is_neighbour=True) for turn in near.values() if turn not in known]
        hit = _hit(asked, item, each, tuple(evidence), is_supported=each.id in found.supported)
        hits.append(replace(hit, lost=tuple(lost[turn_id] for turn_id in own[each.id] if turn_id in lost)))
    return hits


def _source_turns(
    asked: Asked, found: Found, ids: list[UUID]
) -> tuple[dict[UUID, Turn], dict[UUID, tuple[Turn, ...]]]:
    """The turns with these ids that exist, and those around each that say something still held."""
    space_id, distinct = asked.request.reader.space_id, list(dict.fromkeys(ids))
    if not distinct:
        return {}, {}
    turns = {item.id: item.turn for item in found.items.values() if item.turn}
    turns |= turn_source().current(space_id, [turn_id for turn_id in distinct if turn_id not in turns])
    around = turn_source().neighbours(space_id, distinct, reach=asked.config.neighbour_reach)
    known = [item.turn for item in found.items.values() if item.turn and item.id in found.expired]
    expired = expired_among(asked, [*known, *(turn for near in around.values() for turn in near)])
    shown = {
        at: tuple(turn for turn in near if turn.id not in expired and _is_telling(turn, beside=turns.get(at)))
        for at, near in around.items()
    }
    return turns, shown


def _is_telling(turn: Turn, *, beside: Turn | None) -> bool:
    """Whether a turn helps to understand the one that it stands beside: no greeting, no quotation of
    memory, and no question that its speaker asked before or after telling.
    """
    is_own = beside is not None and beside.role is Role.USER and beside.speaker == turn.speaker
    return not (is_quoting(turn) or is_greeting(turn) or (is_own and is_idle(turn)))


def _hit(
    asked: Asked, item: Item, candidate: Candidate, evidence: tuple[Evidence, ...], *, is_supported: bool
) -> Hit:
    breakdown = {
        "cosine": candidate.cosine,
        "matched_share": candidate.matched_share,
        **{name: value for name, value in candidate.breakdown.items() if name != "matched_share"},
    }
    about = [name for name in asked.names if is_named(item.subject, (name,))]
    names = names_in(asked.request.question, about)
    return Hit(
        kind=item.kind,
        id=item.id,
        score=candidate.strength,
        rank_score=candidate.score,
        breakdown=breakdown,
        text=item.text,
        memory_type=item.memory_type,
        subject=item.subject,
        entities=item.entities,
        temporal=item.temporal,
        said_at=item.said_at,
        source_role=item.role,
        evidence=evidence,
        matched_routes=candidate.routes if asked.plan.routes else (),
        reason=reason_for(
            {} if is_about_asker(asked.request.question) else breakdown,
            names=names,
            is_supported=is_supported,
            is_asker=bool(about) and not names,
        ),
        title=item.title,
    )


def _evidence(turn: Turn, *, is_neighbour: bool = False, is_silent: bool = False) -> Evidence:
    return Evidence(
        turn_id=turn.id,
        session_id=turn.session_id,
        session_name=turn.session_name,
        index=turn.index,
        role=Role(turn.role),
        speaker=turn.speaker,
        text="" if is_silent else turn.text,
        said_at=turn.said_at,
        is_neighbour=is_neighbour,
        is_silent=is_silent,
    )


def _within_budget(asked: Asked, found: Found, hits: list[Hit], left: list[Left]) -> Recalled:
    """What fits the token budget, each item as fully as it does."""
    request, config = asked.request, asked.config
    count = token_counter().count
    alone = Detail(config.item_chars, has_neighbours=False)
    brief = Detail(config.brief_chars, has_neighbours=False)
    composed = compose_context(
        hits,
        budget_tokens=config.context_tokens if request.context_tokens is None else request.context_tokens,
        layout=Layout(Detail(config.item_chars), alone, brief, config.foremost_items),
        count=count,
        time_zone=request.time_zone,
    )
    dropped = [Dropped(hit.kind, hit.id, hit.text, hit.score, OVER_BUDGET) for hit in composed.over]
    for each, reason in left[: max(0, config.dropped_kept - len(dropped))]:
        dropped.append(Dropped(each.kind, each.id, found.items[each.id].text, each.strength, reason))
    return _recalled(
        request, asked.plan, composed.kept, dropped,
        notes=asked.notes, context=composed.text, context_tokens=count(composed.text),
    )  # fmt: skip


def _recalled(
    request: RecallRequest,
    plan: Plan,
    hits: tuple[Hit, ...],
    dropped: list[Dropped],
    *,
    notes: list[str],
    context: str = "",
    context_tokens: int = 0,
) -> Recalled:
    return Recalled(
        question=request.question,
        plan=plan,
        hits=hits,
        dropped=tuple(dropped),
        context=context,
        context_tokens=context_tokens,
        notes=tuple(notes),
        timings_ms={},
        log_id=None,
    )


def _logged(request: RecallRequest, recalled: Recalled, clock: Clock) -> Recalled:
    """With its log row; where there is no room for one, what was found is given all the same."""
    notes = recalled.notes
    with clock.stage("log"):
        try:
            log_id = write_log(request, replace(recalled, timings_ms=dict(clock.taken_ms)))
        except OperationalError:
            logger.exception("a recall could not be logged")
            log_id, notes = None, (*notes, NOT_LOGGED)
    return replace(recalled, timings_ms=clock.taken_ms, log_id=log_id, notes=notes)

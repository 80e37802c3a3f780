"""Search, score and join: each route of a plan by itself, then the routes.

The routes share one search of the vectors, the rows and the stored token vectors.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from uuid import UUID

from memory.domain.routes import fuse_routes
from memory.domain.selection import Candidate
from memory.domain.types import Kind, Turn
from memory.services.recall_asker import asker_records
from memory.services.recall_attribute import attribute_records, put_first
from memory.services.recall_composites import led_records
from memory.services.recall_fresh import compare_fresh
from memory.services.recall_items import Item, candidates_of, expired_turns, live_items
from memory.services.recall_moment import moment_items
from memory.services.recall_past import past_records
from memory.services.recall_plan import Asked
from memory.services.recall_rerank import join_kinds
from memory.services.recall_search import search_kind
from memory.services.recall_time import led_by_time
from memory.services.recall_usage import with_usage
from memory.services.recall_values import outdated_turns, with_newest_values


@dataclass(slots=True)
class Clock:
    """Milliseconds by stage."""

    taken_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to the stage."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.taken_ms[name] = self.taken_ms.get(name, 0.0) + (perf_counter() - begun) * 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """The fused candidates, best first, and their live items.

    `is_list`: each of them belongs to the answer, and their order is theirs.
    """

    candidates: list[Candidate]
    items: Mapping[UUID, Item]
    is_list: bool = False
    supported: frozenset[UUID] = frozenset()
    beyond: int = 0  # further items of a list that were found
    expired: frozenset[UUID] = frozenset()  # turns that are not to be quoted any more


def find(asked: Asked, routes: Sequence[Asked], clock: Clock) -> Found:
    """What the routes find, one order over all of them. `asked`: the whole question.

    A question of nothing but its asker or a time has nothing to search for.
    """
    for known in (asker_records, moment_items):
        told = known(asked)
        if told is not None:
            items, candidates = told
            turns = [item.turn for item in items.values() if item.turn]
            expired = expired_among(asked, turns, evidence=_evidence_of(items))
            beyond = len(items) - len(candidates)
            return Found(candidates, items, is_list=True, expired=expired, beyond=beyond)
    ranked, items = _rank_kinds(routes, clock)
    newest, records = with_newest_values(routes, [each[Kind.RECORD] for each in ranked], items)
    items.update(newest)
    items.update(outdated_turns(items))
    for number, route in enumerate(routes):
        past, candidates = past_records(route)
        items.update(past)
        ranked[number][Kind.RECORD] = sorted([*records[number], *candidates], key=lambda each: -each.score)
    with clock.stage("rerank"):
        fused = with_usage(asked, fuse_routes(join_kinds(routes, ranked, items), asked.config))
        own, stated = attribute_records(asked)
        items.update(own)
        fused = put_first(stated, fused)
    with clock.stage("hydrate"):
        turns = [item.turn for item in items.values() if item.turn]
        expired = expired_among(asked, turns, evidence=_evidence_of(items))
    return Found(fused, items, supported=_supported(ranked), expired=expired)


def expired_among(asked: Asked, turns: Sequence[Turn], *, evidence: Collection[UUID] = ()) -> frozenset[UUID]:
    """Those of the turns that are not to be quoted any more, as the request asks."""
    request = asked.request
    return expired_turns(
        request.reader,
        turns,
        known_at=request.known_at,
        evidence=evidence,
        is_history=request.as_of is not None,
    )


def _evidence_of(items: Mapping[UUID, Item]) -> frozenset[UUID]:
    """What the items rest on."""
    return frozenset(turn_id for item in items.values() for turn_id in item.evidence)


def _rank_kinds(
    routes: Sequence[Asked], clock: Clock
) -> tuple[list[dict[Kind, list[Candidate]]], dict[UUID, Item]]:
    """By route and kind the candidates, best first, and all their items."""
    ranked: list[dict[Kind, list[Candidate]]] = [{Kind.TURN: [], Kind.RECORD: []} for _ in routes]
    items: dict[UUID, Item] = {}
    # Turns first: what was filed when they were read has its record when records are read.
    for kind in (Kind.TURN, Kind.RECORD):
        if not _is_recalled(routes[0], kind):
            continue
        with clock.stage("search"):
            led = led_by_time(routes, kind)
            if kind is Kind.RECORD:
                led = [[*near, *dated] for near, dated in zip(led_records(routes), led, strict=True)]
            shortlists = search_kind(routes, kind, led=led)
        with clock.stage("hydrate"):
            live = live_items(routes[0], *shortlists)
        with clock.stage("embed"):
            shortlists = compare_fresh(routes, shortlists, live)
        with clock.stage("rank"):
            for number, (route, shortlist) in enumerate(zip(routes, shortlists, strict=True)):
                ranked[number][kind] = candidates_of(route, shortlist, live)
        items.update(live)
    return ranked, items


def _is_recalled(asked: Asked, kind: Kind) -> bool:
    config = asked.config
    return config.are_turns_recalled if kind is Kind.TURN else config.are_records_recalled


def _supported(ranked: Sequence[Mapping[Kind, list[Candidate]]]) -> frozenset[UUID]:
    """Records and turns that one route found both, the one resting on the other."""
    found: set[UUID] = set()
    for each in ranked:
        voted = {turn_id for record in each[Kind.RECORD] for turn_id in record.evidence}
        turn_ids = {turn.id for turn in each[Kind.TURN]}
        found |= turn_ids & voted
        found |= {record.id for record in each[Kind.RECORD] if turn_ids.intersection(record.evidence)}
    return frozenset(found)

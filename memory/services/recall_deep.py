"""What `deep` adds to a recall: composites judged and expanded, and a second search for what is missing.

At most one call judges, and one a round checks. What `standard` keeps stays, in its order, whatever
they reply; a reply that cannot be used is noted. Follows arXiv 2608.12990, section 4.4, and
docs/algorithms/recall.md.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.domain.selection import BEYOND, Candidate, Left
from memory.domain.text import search_terms
from memory.domain.types import Fragment, Kind, Role, Route, Temporal
from memory.errors import ProviderError
from memory.ports import LanguageModel, OnUsage
from memory.services.recall_composites import Near, near_composites
from memory.services.recall_echo import echoes
from memory.services.recall_find import Clock, Found, find
from memory.services.recall_items import Item, live_records
from memory.services.recall_plan import Asked, embed, route_of
from memory.stores.live import CompositeRow, composite_rows

logger = logging.getLogger(__name__)

NOT_JUDGED = "The summaries of what is remembered could not be judged; they were left out."
NOT_CHECKED = "Whether enough was recalled could not be checked; no second search was made."
_SHOWN_CHARS = 400  # of a composite's records, to be judged


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges, and who is told what it took."""

    language: LanguageModel
    on_usage: OnUsage | None = None


@dataclass(slots=True)
class Deepened:
    """What is kept so far, best first, what was left out, and the items of both."""

    found: Found
    kept: list[Candidate]
    left: list[Left]

    def add(self, items: Iterable[Item]) -> None:
        """Know further items."""
        self.found = replace(self.found, items={**{item.id: item for item in items}, **self.found.items})

    def is_covered(self, candidate: Candidate) -> bool:
        """Whether it is kept, or rests first of all on a turn that something kept rests on."""
        covered = {turn_id for each in self.kept for turn_id in (each.id, *each.evidence)}
        covered -= self.found.expired
        return candidate.id in covered or (bool(candidate.evidence) and candidate.evidence[0] in covered)

    def admit(self, more: Iterable[Candidate], *, limit: int) -> None:
        """Put behind what is kept whatever is not covered, as long as there is room."""
        for each in more:
            if len(self.kept) >= limit:
                self.left.append((each, BEYOND))
            elif not self.is_covered(each):
                self.kept.append(each)
        kept = {each.id for each in self.kept}
        self.left = [(each, reason) for each, reason in self.left if each.id not in kept]


def deepen(asked: Asked, routes: Sequence[Asked], standard: Deepened, judge: Judge, clock: Clock) -> Deepened:
    """The kept of `standard`, then composites, what they are expanded to, and supplements.

    Nothing is added where nothing was kept: a question about nothing stored stays unanswered. Nobody is
    asked where there is no place for what would be added.
    """
    limit = _limit(asked)
    if not standard.kept or len(standard.kept) >= limit:
        return standard
    with clock.stage("judge"):
        standard.admit(_judged(asked, routes, standard, judge), limit=limit)
    for _ in range(asked.config.deep_rounds):
        if len(standard.kept) >= limit:
            break
        with clock.stage("reflect"):
            queries = _missing(asked, standard, judge)
        more = _supplements(asked, standard, queries, judge, clock) if queries else []
        if not more:
            break
        standard.admit(more, limit=limit)
    return standard


def _limit(asked: Asked) -> int:
    """How many items there may be in the end: `top_k` if the request names it, else what may be added too."""
    if asked.request.top_k:
        return asked.top_k
    return asked.top_k + _deep_room(asked) + asked.config.deep_rounds * asked.config.supplements


def _deep_room(asked: Asked) -> int:
    """How many of the items may be composites or what they were expanded to."""
    return int(asked.top_k * asked.config.deep_share)


def _judged(asked: Asked, routes: Sequence[Asked], deep: Deepened, judge: Judge) -> list[Candidate]:
    """The composites that help, then the records of those too abstract or told already, as many as have
    room; at most so many are opened as the plan says.
    """
    nearest: dict[int, Near] = {}
    for near in near_composites(routes, most=asked.config.judged_composites):
        for each in near:
            if each.item not in nearest or nearest[each.item].cosine < each.cosine:
                nearest[each.item] = each
    listed = sorted(nearest.values(), key=lambda each: -each.cosine)[: asked.config.judged_composites]
    leaves = live_records(asked, list(dict.fromkeys(uid for each in listed for uid in each.records.values())))
    known = {item.id: item for item in leaves}
    listed = [each for each in listed if known.keys() & each.records.values()]
    if not listed:
        return []
    fragments = [_fragment(each, known) for each in listed]
    try:
        judgement = judge.language.judge(asked.request.question, fragments, on_usage=judge.on_usage)
    except ProviderError as error:
        logger.warning("composites are not judged: %s: %s", error.error_code, error.detail)
        asked.notes.append(NOT_JUDGED)
        return []
    opened = judgement.relevant[: asked.tree_depth]
    shown = [listed[place] for place in opened if place not in judgement.abstract]
    whole = _composites(asked, shown, known, deep)
    told = {near.item for near, each in whole if deep.is_covered(each)}
    expanded = [listed[place] for place in opened if place in judgement.abstract]
    expanded += [near for near in shown if near.item in told]
    fresh = [each for near, each in whole if near.item not in told]
    records = [each for each in _records(asked, expanded, known, deep) if not deep.is_covered(each)]
    return [*fresh, *records][: _deep_room(asked)]


def _fragment(near: Near, known: dict[UUID, Item]) -> Fragment:
    texts = [known[uid].text for uid in near.records.values() if uid in known]
    return Fragment(" ".join(texts)[:_SHOWN_CHARS], near.cosine, len(near.records))


def _composites(
    asked: Asked, listed: Sequence[Near], known: dict[UUID, Item], deep: Deepened
) -> list[tuple[Near, Candidate]]:
    """Composites as items; one with a record that may not be shown is none, lest it tell of it."""
    rows = composite_rows(asked.request.reader, [each.item for each in listed])
    whole = [each for each in listed if each.item in rows and known.keys() >= set(each.records.values())]
    made = [(each, _item(rows[each.item], [known[uid] for uid in each.records.values()])) for each in whole]
    deep.add(item for _, item in made)
    candidates = [(near, _candidate(asked, item, near.cosine)) for near, item in made]
    return [(near, each) for near, each in candidates if _is_strong(asked, each)]


def _item(row: CompositeRow, leaves: Sequence[Item]) -> Item:
    """Rests on the turns of its representative, then of its other records."""
    ordered = sorted(leaves, key=lambda leaf: leaf.id != row.representative_id)
    return Item(
        kind=Kind.COMPOSITE,
        id=row.id,
        text=row.semantic_text,
        memory_type=row.memory_type,
        subject=row.subjects[0] if len(row.subjects) == 1 else "",
        entities=row.entities,
        temporal=Temporal(valid_from=row.valid_from, valid_to=row.valid_to),
        said_at=row.said_at,
        role=Role.USER,
        title=row.title,
        evidence=tuple(dict.fromkeys(turn_id for leaf in ordered for turn_id in leaf.evidence)),
    )


def _records(
    asked: Asked, listed: Sequence[Near], known: dict[UUID, Item], deep: Deepened
) -> list[Candidate]:
    """The records below these composites, those that the question found first."""
    ranked = {each.id: each for each in deep.found.candidates}
    cosines = {uid: each.cosine for each in listed for uid in each.records.values() if uid in known}
    deep.add(known[uid] for uid in cosines)
    made = [ranked.get(uid) or _candidate(asked, known[uid], cosine) for uid, cosine in cosines.items()]
    return sorted((each for each in made if _is_strong(asked, each)), key=lambda each: -each.score)


def _is_strong(asked: Asked, candidate: Candidate) -> bool:
    """Whether it reaches the item's floor and what the request asks for at least."""
    is_above = asked.config.item_floor.passes(candidate.cosine, candidate.matched_share)
    return is_above and candidate.strength >= (asked.request.min_score or 0.0)


def _candidate(asked: Asked, item: Item, cosine: float) -> Candidate:
    """As near as its composite is; its score stands behind all that were ranked."""
    terms = frozenset(search_terms(item.text))
    share = len(terms.intersection(asked.terms)) / max(1, len(asked.terms))
    return Candidate(item.kind, item.id, cosine, share, 0.0, item.evidence, terms)


def _missing(asked: Asked, deep: Deepened, judge: Judge) -> tuple[str, ...]:
    items = [deep.found.items[each.id] for each in deep.kept]
    fragments = [
        Fragment(f"{item.subject}: {item.text}", each.strength)
        for item, each in zip(items, deep.kept, strict=True)
    ]
    try:
        checked = judge.language.check_adequacy(asked.request.question, fragments, on_usage=judge.on_usage)
    except ProviderError as error:
        logger.warning("adequacy is not checked: %s: %s", error.error_code, error.detail)
        asked.notes.append(NOT_CHECKED)
        return ()
    return checked.queries


def _supplements(
    asked: Asked, deep: Deepened, queries: Sequence[str], judge: Judge, clock: Clock
) -> list[Candidate]:
    """What further queries find that is not kept yet, best first."""
    routes = [route_of(asked, Route(goal=query, queries=(query,))) for query in queries]
    with clock.stage("embed"):
        embedded = embed(*routes, on_usage=judge.on_usage)
    more = find(asked, embedded, clock)
    deep.add(more.items.values())
    deep.found = replace(deep.found, expired=deep.found.expired | more.expired)
    repeating = echoes(asked, more.items, {each.id: each.terms for each in more.candidates})
    known = {each.id for each in deep.kept} | deep.found.expired | repeating
    covered = {turn_id for each in deep.kept for turn_id in each.evidence}
    added: list[Candidate] = []
    for each in more.candidates:
        quoted = covered - deep.found.expired
        is_new = each.id not in known and not (each.evidence and each.evidence[0] in quoted)
        if is_new and _is_strong(asked, each):
            added.append(each)
            covered.update(each.evidence)
    return added[: asked.config.supplements]

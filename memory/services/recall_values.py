"""The newest value of an attribute of which an older one was found by its words.

"I live in Paris" answers "Where do I live?", "I moved to Berlin" shares no word with it; both
state where somebody lives, and the newer counts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from memory.domain.selection import Candidate
from memory.domain.text import search_terms
from memory.models import MemoryRecord
from memory.services.recall_items import Item, live_records
from memory.services.recall_plan import Asked

MOST_ATTRIBUTES = 5  # of the best candidates that are looked up
MOST_VALUES = 50  # of all of them, a route
_Attribute = tuple[str, str]  # subject and slot


def with_newest_values(
    routes: Sequence[Asked], rankings: Sequence[Sequence[Candidate]], items: Mapping[UUID, Item]
) -> tuple[dict[UUID, Item], list[list[Candidate]]]:
    """The items that were missing, and each route's candidates with the newest value of each attribute.

    `rankings`: records, best first. A newest value stands right before the best candidate of
    its attribute, with that one's evidence and score, unless it was found before it. What is
    superseded has done its part then and goes.
    """
    best = [_best_values(asked, ranking, items) for asked, ranking in zip(routes, rankings, strict=True)]
    newest = _newest(routes[0], {key for values in best for key in values}, most=MOST_VALUES * len(routes))
    later = [
        {each.id: newest[key] for key, each in values.items() if key in newest and newest[key].id != each.id}
        for values in best
    ]
    found = {item.id: item for values in later for item in values.values()}
    return found, [_placed(ranking, values, items) for ranking, values in zip(rankings, later, strict=True)]


def _best_values(
    asked: Asked, ranking: Sequence[Candidate], items: Mapping[UUID, Item]
) -> dict[_Attribute, Candidate]:
    """The best candidate of each attribute among the first."""
    best: dict[_Attribute, Candidate] = {}
    for each in ranking:
        item = items[each.id]
        if item.slot and asked.config.item_floor.passes(each.cosine, each.matched_share):
            best.setdefault((item.subject, item.slot), each)
    return dict(list(best.items())[:MOST_ATTRIBUTES])


def _newest(asked: Asked, attributes: Collection[_Attribute], *, most: int) -> dict[_Attribute, Item]:
    newest: dict[_Attribute, Item] = {}
    for item in live_records(asked, _ids_of(asked, attributes, most)) if attributes else ():
        key = (item.subject, item.slot)
        if key not in newest or newest[key].since < item.since:
            newest[key] = item
    return newest


def _placed(
    ranking: Sequence[Candidate], later: Mapping[UUID, Item], items: Mapping[UUID, Item]
) -> list[Candidate]:
    moved = {item.id for item in later.values()}
    placed: list[Candidate] = []
    for each in ranking:
        if each.id in later:
            placed.append(_in_place_of(each, later[each.id]))
        if each.id not in moved and not items[each.id].is_superseded:
            placed.append(each)
    return placed


def outdated_turns(items: Mapping[UUID, Item]) -> dict[UUID, Item]:
    """The turns that superseded values rest on, as statements of that attribute: so that the
    newer value is put before them too.
    """
    slots = {turn_id: item.slot for item in items.values() if item.is_superseded for turn_id in item.evidence}
    return {
        turn_id: replace(items[turn_id], slot=slot) for turn_id, slot in slots.items() if turn_id in items
    }


def _ids_of(asked: Asked, attributes: Collection[_Attribute], most: int) -> list[UUID]:
    reader = asked.request.reader
    wanted = Q()
    for subject, slot in attributes:
        wanted |= Q(subject=subject, slot=slot)
    rows = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id).filter(wanted)
    return list(rows.order_by("-said_at", "-id").values_list("id", flat=True)[:most])


def _in_place_of(candidate: Candidate, item: Item) -> Candidate:
    terms = frozenset(search_terms(item.text))
    return replace(candidate, id=item.id, evidence=item.evidence, terms=terms)

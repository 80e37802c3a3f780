"""The newest value of an attribute of which an older one was found by its words.

"I live in Paris" answers "Where do I live?", "I moved to Berlin" shares no word with it; both
state where somebody lives, and the newer counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from memory.domain.selection import Candidate
from memory.domain.text import search_terms
from memory.models import MemoryRecord
from memory.services.recall_items import Item, live_records
from memory.services.recall_plan import Asked

MOST_ATTRIBUTES = 5  # of the best candidates that are looked up
MOST_VALUES = 50  # of all of them


def with_newest_values(
    asked: Asked, candidates: Sequence[Candidate], items: Mapping[UUID, Item]
) -> tuple[dict[UUID, Item], list[Candidate]]:
    """The items that were missing, and the candidates with the newest value of each attribute.

    `candidates`: records, best first. A newest value stands right before the best candidate of
    its attribute, with that one's evidence and score, unless it was found before it. What is
    superseded has done its part then and goes.
    """
    best: dict[tuple[str, str], Candidate] = {}
    for each in candidates:
        item = items[each.id]
        if item.slot and asked.config.item_floor.passes(each.cosine, each.matched_share):
            best.setdefault((item.subject, item.slot), each)
    best = dict(list(best.items())[:MOST_ATTRIBUTES])
    newest: dict[tuple[str, str], Item] = {}
    for item in live_records(asked, _ids_of(asked, best)) if best else ():
        key = (item.subject, item.slot)
        if key not in newest or newest[key].since < item.since:
            newest[key] = item
    later = {best[key].id: item for key, item in newest.items() if item.id != best[key].id}
    moved = {item.id for item in later.values()}
    placed: list[Candidate] = []
    for each in candidates:
        if each.id in later:
            placed.append(_in_place_of(each, later[each.id]))
        if each.id not in moved and not items[each.id].is_superseded:
            placed.append(each)
    return {item.id: item for item in later.values()}, placed


def outdated_turns(items: Mapping[UUID, Item]) -> dict[UUID, Item]:
    """The turns that superseded values rest on, as statements of that attribute: so that the
    newer value is put before them too.
    """
    slots = {turn_id: item.slot for item in items.values() if item.is_superseded for turn_id in item.evidence}
    return {
        turn_id: replace(items[turn_id], slot=slot) for turn_id, slot in slots.items() if turn_id in items
    }


def _ids_of(asked: Asked, keys: Mapping[tuple[str, str], Candidate]) -> list[UUID]:
    reader = asked.request.reader
    wanted = Q()
    for subject, slot in keys:
        wanted |= Q(subject=subject, slot=slot)
    rows = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id).filter(wanted)
    return list(rows.order_by("-said_at", "-id").values_list("id", flat=True)[:MOST_VALUES])


def _in_place_of(candidate: Candidate, item: Item) -> Candidate:
    terms = frozenset(search_terms(item.text))
    return replace(candidate, id=item.id, evidence=item.evidence, terms=terms)

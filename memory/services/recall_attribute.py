"""What a question of one attribute is answered with: its value, in whatever words it was told."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.domain.asked_attribute import EarlierValue, ValueThen, asked_before, asked_slots, asked_then
from memory.domain.planning import cut_names
from memory.domain.selection import Candidate
from memory.models import MemoryRecord
from memory.services.recall_asker import admitted_rows, as_asked
from memory.services.recall_items import Item, is_about, live_records
from memory.services.recall_plan import Asked

ATTRIBUTE = "attribute"  # in the breakdown of a score
MOST = 3
LOOKED_AT = 20  # more than are shown, since older values are not


def attribute_records(asked: Asked) -> tuple[dict[UUID, Item], list[Candidate]]:
    """Items and candidates of the newest values, where the question is of one attribute of somebody."""
    if not asked.names or not asked.config.are_records_recalled:
        return {}, []
    question = cut_names(asked.request.question, asked.names)
    if (earlier := asked_before(question)) is not None:
        return _stated(_earlier(asked, earlier))
    request = asked.request
    if (then := asked_then(question, now=request.now, time_zone=request.time_zone)) is not None:
        return _stated(_held(asked, then))
    slots = asked_slots(question)
    if not slots:
        return {}, []
    rows = admitted_rows(asked).filter(subject__in=asked.names, slot__in=slots)
    ids = list(rows.order_by("-said_at", "-id").values_list("id", flat=True)[:LOOKED_AT])
    items = {item.id: item for item in live_records(asked, ids) if is_about(asked.request, item)}
    return _stated([items[record_id] for record_id in ids if record_id in items][:MOST])


def _stated(known: Sequence[Item]) -> tuple[dict[UUID, Item], list[Candidate]]:
    found = [replace(as_asked(item, place), breakdown={ATTRIBUTE: 1.0}) for place, item in enumerate(known)]
    return {item.id: item for item in known}, found


def _earlier(asked: Asked, earlier: EarlierValue) -> list[Item]:
    """The value that the present one, or the one named, has superseded; none where none is known."""
    rows = admitted_rows(asked).filter(
        subject__in=asked.names, slot=earlier.slot, superseded_at__isnull=False
    )
    if earlier.than:
        rows = rows.filter(superseded_by__value__istartswith=earlier.than)
    return _first_of(asked, rows.order_by("-valid_to", "-said_at", "-id"))


def _held(asked: Asked, then: ValueThen) -> list[Item]:
    """The value that held in that time, the latest if there were several; none where none is known."""
    is_open = Q(valid_to__isnull=True) | Q(valid_to__gt=then.range.start)
    rows = admitted_rows(asked).filter(
        is_open, subject__in=asked.names, slot=then.slot, valid_from__lt=then.range.end
    )
    return _first_of(asked, rows.order_by("-valid_from", "-said_at", "-id"))


def _first_of(asked: Asked, rows: QuerySet[MemoryRecord]) -> list[Item]:
    ids = list(rows.values_list("id", flat=True)[:LOOKED_AT])
    items = {item.id: item for item in live_records(asked, ids, with_superseded=True)}
    known = [items[record_id] for record_id in ids if record_id in items]
    about = [item for item in known if is_about(asked.request, item)]
    return [replace(item, slot="", is_superseded=False) for item in about][:1]


def put_first(stated: Sequence[Candidate], fused: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that state what is asked for, right before all others."""
    best = max((each.score for each in fused), default=1.0)
    ids = {each.id for each in stated}
    first = [replace(each, score=best) for each in stated]
    return [*first, *(each for each in fused if each.id not in ids)]

"""What a question of one attribute is answered with: its value, in whatever words it was told."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memory.domain.asked_attribute import EarlierValue, asked_before, asked_slots
from memory.domain.planning import cut_names
from memory.domain.selection import Candidate
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
    ids = list(rows.order_by("-valid_to", "-said_at", "-id").values_list("id", flat=True)[:LOOKED_AT])
    items = {item.id: item for item in live_records(asked, ids, with_superseded=True)}
    known = [items[record_id] for record_id in ids if record_id in items]
    return [replace(item, slot="", is_superseded=False) for item in known if is_about(asked.request, item)][
        :1
    ]


def put_first(stated: Sequence[Candidate], fused: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that state what is asked for, right before all others."""
    best = max((each.score for each in fused), default=1.0)
    ids = {each.id for each in stated}
    first = [replace(each, score=best) for each in stated]
    return [*first, *(each for each in fused if each.id not in ids)]

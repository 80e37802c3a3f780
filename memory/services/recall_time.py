"""A time that the question names: what was said then, or was true of it, is in the running.

The words of what was told on a day need not be those of the question: "What did Ann do for me on
Monday?" is answered by "Here, I got you this". docs/algorithms/recall.md.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Q

from memory.domain.selection import Candidate
from memory.domain.types import Kind, TimeRange
from memory.models import IndexedItem
from memory.registries import turn_source
from memory.services.recall_asker import admitted_rows
from memory.services.recall_items import is_day, is_month, named_times
from memory.services.recall_plan import Asked

MOST_LED = 60  # items of one kind that a day brings, of more the last


def led_by_time(routes: Sequence[Asked], kind: Kind) -> list[list[int]]:
    """For each route the index numbers of the items of the days it names; no query where it names none."""
    return [_items(asked, kind, [span for span in named_times(asked) if is_day(span)]) for asked in routes]


def of_then(asked: Asked, candidates: Iterable[Candidate]) -> tuple[frozenset[UUID], frozenset[UUID]]:
    """Those by or about somebody whom the question names, at a time that it names: all of a month or
    less, and of these those of a day.
    """
    times = [span for span in named_times(asked) if is_month(span)]
    if not times:
        return frozenset(), frozenset()
    found = [each for each in candidates if each.breakdown.get("in_time", 0.0) >= 1 and _is_of_named(each)]
    is_of_day = any(is_day(span) for span in times)
    of_day = [each.id for each in found if is_of_day and each.breakdown["in_time"] > 1]
    return frozenset(each.id for each in found), frozenset(of_day)


def _is_of_named(candidate: Candidate) -> bool:
    return any(candidate.breakdown.get(name) for name in ("speaker", "subject"))


def _items(asked: Asked, kind: Kind, days: Sequence[TimeRange]) -> list[int]:
    uids = {uid for day in days for uid in (_turns if kind is Kind.TURN else _records)(asked, day)}
    if not uids:
        return []
    items = IndexedItem.objects.filter(space_id=asked.request.reader.space_id, kind=kind.value, uid__in=uids)
    return list(items.values_list("id", flat=True))


def _turns(asked: Asked, day: TimeRange) -> list[UUID]:
    return [turn.id for turn in turn_source().newest_within(asked.request.reader, day, most=MOST_LED)]


def _records(asked: Asked, day: TimeRange) -> list[UUID]:
    """What was said on the day, began on it, or is of it."""
    begun, said = (Q(**{f"{at}__gte": day.start, f"{at}__lt": day.end}) for at in ("valid_from", "said_at"))
    rows = admitted_rows(asked).filter(begun | said | Q(time_ref__gte=day.start, time_ref__lt=day.end))
    return list(rows.order_by("-said_at", "-id").values_list("id", flat=True)[:MOST_LED])

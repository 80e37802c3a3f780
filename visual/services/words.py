"""The words around images go where what they repeat is erased; the images stay."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memory.domain.quoting import probes, tells_again
from memory.services.index import index_items
from visual.models import VisualRecord
from visual.stores.rows import visual_item


@transaction.atomic
def forget_told(space_id: UUID, turn_ids: Sequence[UUID], told: Sequence[str]) -> int:
    """Forget the words of these turns around the images they were shown with, and whatever words around
    others tell the same again; of how many images.
    """
    found = [Q(words_around__icontains=probe) for probe in probes(told)]
    wanted = reduce(or_, found, Q(turn_id__in=list(turn_ids)))
    rows = VisualRecord.objects.for_space(space_id).filter(wanted).exclude(words_around="")
    ids = set(turn_ids)
    return _forget(
        [
            row
            for row in rows.select_for_update().order_by("id")
            if row.turn_id in ids or tells_again(row.words_around, told)
        ]
    )


@transaction.atomic
def forget_session_words(space_id: UUID, session_id: UUID) -> int:
    """The same for all turns of a session; words that were given with an image itself stay."""
    rows = VisualRecord.objects.for_space(space_id).filter(session_id=session_id, turn_id__isnull=False)
    return _forget(list(rows.exclude(words_around="").select_for_update().order_by("id")))


def _forget(rows: Sequence[VisualRecord]) -> int:
    for row in rows:
        row.words_around = ""
        row.save(update_fields=["words_around"])
    index_items([visual_item(row) for row in rows if row.expired_at is None])
    return len(rows)

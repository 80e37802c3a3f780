"""Answers that rest on a record: what repeats its text beside the turns it was said in."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from memory.models import RetrievalLog
from memory.registries import turn_source


def answers_citing(space_id: UUID, record_ids: Sequence[UUID]) -> list[UUID]:
    """The assistant's turns, of any session of the space, that cite one of the records."""
    if not record_ids:
        return []
    cited = reduce(or_, (Q(kept_ids__icontains=str(record_id)) for record_id in record_ids))
    logs = RetrievalLog.objects.for_space(space_id).filter(cited).values_list("id", flat=True)
    return turn_source().answers_after(space_id, list(logs))

"""What a question of nothing but its asker is answered with: the newest records about them.

Such a question has no word that a record could hold, so nothing is searched for it.
"""

from uuid import UUID

from django.db.models import Case, IntegerField, Value, When

from memory.domain.planning import is_about_asker
from memory.domain.selection import Candidate
from memory.domain.text import search_terms
from memory.models import MemoryRecord
from memory.services.recall_items import Item, live_records
from memory.services.recall_plan import Asked

MOST = 5


def asker_records(asked: Asked) -> tuple[dict[UUID, Item], list[Candidate]]:
    """Items and candidates of the newest records about the asker, a name first; usually none."""
    request = asked.request
    if not is_about_asker(request.question) or not asked.names or not asked.config.are_records_recalled:
        return {}, []
    rows = MemoryRecord.objects.visible_to(request.reader.space_id, request.reader.user_id).filter(
        subject__in=asked.names, expired_at__isnull=True
    )
    is_name = Case(When(slot="name", then=Value(0)), default=Value(1), output_field=IntegerField())
    ids = list(rows.order_by(is_name, "-said_at", "-id").values_list("id", flat=True)[:MOST])
    items = {item.id: item for item in live_records(asked, ids)}
    known = [items[record_id] for record_id in ids if record_id in items]
    return items, [as_asked(item, place) for place, item in enumerate(known)]


def as_asked(item: Item, place: int) -> Candidate:
    """Wholly about what is asked; the order is theirs."""
    return Candidate(
        kind=item.kind,
        id=item.id,
        cosine=0.0,
        matched_share=1.0,
        score=1_000.0 - place,
        evidence=item.evidence,
        terms=frozenset(search_terms(item.text)),
    )

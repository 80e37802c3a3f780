"""Records that have been expired since: what `known_at` may still ask for.

The indexes hold live records only, so these are compared by their words, newest first.
"""

from uuid import UUID

import numpy as np

from memory.domain.ranking import weigh
from memory.domain.selection import Candidate
from memory.domain.text import search_terms
from memory.domain.types import Kind
from memory.models import MemoryRecord
from memory.services.recall_items import Item, is_about, live_records
from memory.services.recall_plan import Asked
from memory.services.recall_search import is_named

MOST = 500  # records expired after the instant that are looked at


def past_records(asked: Asked) -> tuple[dict[UUID, Item], list[Candidate]]:
    """Items and candidates of the records that were known then and are expired now."""
    request = asked.request
    if request.known_at is None or not asked.terms or not asked.config.are_records_recalled:
        return {}, []
    rows = MemoryRecord.objects.visible_to(request.reader.space_id, request.reader.user_id).filter(
        learned_at__lte=request.known_at, expired_at__gt=request.known_at
    )
    ids = list(rows.order_by("-id").values_list("id", flat=True)[:MOST])
    items = {item.id: item for item in live_records(asked, ids) if is_about(request, item)}
    found = [_candidate(asked, item) for item in items.values()]
    return items, [each for each in found if each.matched_share > 0]


def _candidate(asked: Asked, item: Item) -> Candidate:
    """Scored as if its share of the question's words were its likeness in every channel."""
    terms = frozenset(search_terms(item.text))
    share = len(terms.intersection(asked.terms)) / len(asked.terms)
    channels = {name: np.array([share], np.float32) for name in ("dense", "bm25", "matched_share")}
    channels["subject"] = np.array([is_named(item.subject, asked.names)], np.float32)
    scored = weigh(channels, asked.config.records)
    return Candidate(
        kind=Kind.RECORD,
        id=item.id,
        cosine=0.0,
        matched_share=share,
        score=float(scored.total[0]),
        evidence=item.evidence,
        terms=terms,
        breakdown={name: float(values[0]) for name, values in scored.channels.items()},
    )

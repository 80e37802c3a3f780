"""What was said a moment ago, compared with the question before its vector is stored.

Vectors follow their turns by up to a second. Without this the same question found a turn
or not, by when it was asked: words alone must match far better than words and meaning.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from memory.errors import ProviderError
from memory.ports import Vectors
from memory.providers.registry import embedder
from memory.services.recall_items import Item
from memory.services.recall_plan import Asked
from memory.services.recall_search import Shortlist

logger = logging.getLogger(__name__)

MOST = 4  # texts embedded for one kind: 10 ms each
MOST_CHARS = 2_000  # of such a text; a longer one waits for its vector


def compare_fresh(
    routes: Sequence[Asked], shortlists: Sequence[Shortlist], live: Mapping[UUID, Item]
) -> list[Shortlist]:
    """The routes' shortlists with the cosines of their best items that wait for their vectors.

    Where each embedding is a call of somebody's API, they wait on.
    """
    texts = _waiting(shortlists, live)
    if not texts or not embedder().makes_tokens or not any(route.embeddings for route in routes):
        return list(shortlists)
    try:
        made = embedder().embed(list(texts.values()))
    except ProviderError:
        logger.warning("what was just said is compared by its words alone", exc_info=True)
        return list(shortlists)
    known = {item: each.vector for item, each in zip(texts, made, strict=True) if each.vector is not None}
    return [_compared(asked, each, known) for asked, each in zip(routes, shortlists, strict=True)]


def _waiting(shortlists: Sequence[Shortlist], live: Mapping[UUID, Item]) -> dict[int, str]:
    """The texts of the best items without a vector, by the item's number."""
    texts: dict[int, str] = {}
    for shortlist in shortlists:
        for entry, cosine in zip(shortlist.entries, shortlist.cosines, strict=True):
            item = live.get(entry.uid)
            is_fresh = item is not None and entry.item in shortlist.awaiting and not cosine
            if item is not None and is_fresh and len(item.text) <= MOST_CHARS and len(texts) < MOST:
                texts[entry.item] = item.text
    return texts


def _compared(asked: Asked, shortlist: Shortlist, known: Mapping[int, Vectors]) -> Shortlist:
    queries = [each.vector for each in asked.embeddings if each.vector is not None]
    if not queries:
        return shortlist
    cosines = shortlist.cosines.copy()
    for place, entry in enumerate(shortlist.entries):
        if entry.item in known:
            cosines[place] = np.max(np.stack(queries) @ known[entry.item])
    return replace(shortlist, cosines=cosines)

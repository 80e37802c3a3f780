"""The memory tree as a channel: composites near a question bring the records below them.

A composite lies in the middle of its records, so it is found where the words of none of them
are; the records it brings are compared with the others. docs/algorithms/recall.md.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memory.domain.types import Kind
from memory.errors import IndexMismatch, ProviderError
from memory.services.recall_plan import Asked
from memory.stores.registry import vector_index
from memory.stores.tree import leaves_of

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Near:
    """A composite near a question: its index number, its best cosine, the records below it."""

    item: int
    cosine: float
    records: dict[int, UUID]


def near_composites(routes: Sequence[Asked], *, most: int) -> list[list[Near]]:
    """For each route at most so many composites, nearest first; none where vectors cannot be had.

    What the vector index cannot do was noted when records and turns were searched.
    """
    queries = [each.vector for asked in routes for each in asked.embeddings if each.vector is not None]
    if not queries or not routes[0].config.are_records_recalled:
        return [[] for _ in routes]
    request, config = routes[0].request, routes[0].config
    try:
        index = vector_index().open(request.reader, Kind.COMPOSITE)
        found = index.search(np.stack(queries), limit=config.candidates)
    except (IndexMismatch, ProviderError):
        logger.info("composites are not searched", exc_info=True)
        return [[] for _ in routes]
    best: list[list[tuple[int, float]]] = []
    start = 0
    for asked in routes:
        own = found.cosines[start : start + len(asked.embeddings)]
        start += len(asked.embeddings)
        cosines = own.max(axis=0) if len(own) else np.zeros(0, np.float32)
        order = [int(place) for place in np.argsort(-cosines, kind="stable")[:most]]
        strong = [place for place in order if cosines[place] >= config.item_floor.cosine]
        best.append([(int(found.items[place]), float(cosines[place])) for place in strong])
    leaves = leaves_of(request.reader.space_id, sorted({item for near in best for item, _ in near}))
    return [[Near(item, cosine, leaves[item]) for item, cosine in near if item in leaves] for near in best]


def led_records(routes: Sequence[Asked]) -> list[list[int]]:
    """For each route the index numbers of records that its nearest composites bring; none at `fast`."""
    config, depth = routes[0].config, routes[0].tree_depth
    most = depth * config.led_records
    if not most:
        return [[] for _ in routes]
    led: list[list[int]] = []
    for near in near_composites(routes, most=depth):
        items = dict.fromkeys(item for each in near for item in each.records)
        led.append(list(items)[:most])
    return led

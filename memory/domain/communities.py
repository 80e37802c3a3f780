"""Which entities are told of together: records to the edges of a co-occurrence graph."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from uuid import UUID

from memory.domain.evidence import node_weight

_MOST_TOGETHER = 12  # entities of one record that are joined in pairs


def cooccurrence(
    records: Iterable[Collection[UUID]], degrees: Mapping[UUID, int], *, hub: int
) -> dict[tuple[UUID, UUID], float]:
    """Edges between entities of one record: a record adds the lesser of both entities' weights.

    A hub has weight 0 and joins nothing: else whoever speaks would join everything they speak of.
    """
    weights = {entity: node_weight(degree, hub=hub) for entity, degree in degrees.items()}
    edges: dict[tuple[UUID, UUID], float] = {}
    for entities in records:
        known = sorted({entity for entity in entities if weights.get(entity, 0.0) > 0})[:_MOST_TOGETHER]
        for one, other in combinations(known, 2):
            edges[one, other] = edges.get((one, other), 0.0) + min(weights[one], weights[other])
    return edges

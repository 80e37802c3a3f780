"""Entities near those of the session's latest records, to two hops: entity to records.

A question in the midst of a conversation is about what was just spoken of, or what stands
near it: "When does she arrive?".
"""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from memory.config import EvidenceConfig
from memory.domain.evidence import ENTITY, best_by_record, node_weight
from memory.domain.types import Reader
from memory.models import MemoryRecord, Relation
from memory.services.recall_nodes import telling_links, telling_nodes

CONFIG = EvidenceConfig()


def by_graph(reader: Reader, session_id: UUID | None) -> dict[UUID, float]:
    """Records of entities within two hops of the session's latest records; at most eleven queries.

    A step leads along a relation, or to what a record names besides; each halves the score,
    and a node's degree lowers it. Without a session nothing.
    """
    if session_id is None or session_id in reader.exclude_session_ids:
        return {}
    rows = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id)
    rows = rows.filter(session_id=session_id, expired_at__isnull=True).order_by("-id")
    latest = list(rows.values_list("id", flat=True)[: CONFIG.latest_records])
    near = dict.fromkeys(_entities_of(reader, latest), 1.0)
    frontier: set[UUID] = set(near)
    for hop in range(1, CONFIG.hops + 1):
        frontier = _next(reader, frontier) - near.keys()
        near |= dict.fromkeys(sorted(frontier)[: CONFIG.most_named], 0.5**hop)
    nodes = telling_nodes(reader).filter(kind=ENTITY, entity__in=list(near))
    weights = {
        node: near[entity] * node_weight(degree, hub=CONFIG.hub_degree)
        for node, entity, degree in nodes.values_list("id", "entity_id", "degree")
    }
    links = telling_links(reader).filter(node__in=list(weights)).order_by("-record_id")
    rows = links.values_list("record_id", "node_id")[: CONFIG.most_links]
    return best_by_record((record, weights[node]) for record, node in rows)


def _next(reader: Reader, entities: Collection[UUID]) -> set[UUID]:
    """Entities one step from these: related to them now, or named together with one of them."""
    if not entities:
        return set()
    relations = Relation.objects.visible_to(reader.space_id, reader.user_id)
    relations = relations.filter(record__expired_at__isnull=True, record__superseded_at__isnull=True)
    related = relations.filter(Q(source__in=entities) | Q(target__in=entities))
    pairs = related.values_list("source_id", "target_id")[: CONFIG.most_links]
    nodes = list(telling_nodes(reader).filter(kind=ENTITY, entity__in=entities).values_list("id", flat=True))
    links = telling_links(reader).filter(node__in=nodes).order_by("-record_id")
    records = list(links.values_list("record_id", flat=True)[: CONFIG.most_links])
    return {entity for pair in pairs for entity in pair} | _entities_of(reader, records)


def _entities_of(reader: Reader, records: Collection[UUID]) -> set[UUID]:
    """The entities that these records name, hubs left out."""
    links = telling_links(reader).filter(record__in=records, node__kind=ENTITY)
    return set(links.values_list("node__entity_id", flat=True))

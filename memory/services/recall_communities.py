"""Communities of entities that the best records speak of: community to records."""

from collections.abc import Sequence
from uuid import UUID

from memory.config import EvidenceConfig
from memory.domain.evidence import ENTITY, best_by_record
from memory.domain.types import Reader
from memory.services.recall_nodes import telling_links, telling_nodes

CONFIG = EvidenceConfig()


def by_community(reader: Reader, best: Sequence[UUID]) -> dict[UUID, float]:
    """Records that speak of the communities of the best ones; three queries.

    A community scores the share of the best records that name a member of it; a record the
    score of its best community. Three are followed; one record alone makes none.
    """
    links = telling_links(reader).filter(node__kind=ENTITY, node__entity__membership__isnull=False)
    by_id: dict[UUID, set[UUID]] = {}
    found = links.filter(record__in=best).values_list("node__entity__membership__community_id", "record_id")
    for community, record in found:
        by_id.setdefault(community, set()).add(record)
    shares = {community: len(records) / len(best) for community, records in by_id.items() if len(records) > 1}
    followed = sorted(shares, key=lambda community: (-shares[community], community))[
        : CONFIG.communities_followed
    ]
    if not followed:
        return {}
    nodes = telling_nodes(reader).filter(kind=ENTITY, entity__membership__community__in=followed)
    told_of = dict(nodes.values_list("id", "entity__membership__community_id"))
    members = telling_links(reader).filter(node__in=list(told_of)).order_by("-record_id")
    rows = members.values_list("record_id", "node_id")[: CONFIG.most_links]
    return best_by_record((record, shares[told_of[node]]) for record, node in rows)

"""Communities of a space's entities, made anew every so many ingests, audience by audience.

They follow from the links of entity nodes; no model is asked (docs/algorithms/evidence.md).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from memory.domain.communities import cooccurrence
from memory.domain.evidence import ENTITY
from memory.domain.types import Reader
from memory.models import Community, CommunityMember, EvidenceLink, EvidenceNode, EvidenceState, MemoryRecord
from memory.providers.label_propagation import find_groups
from memory.services.composite_rows import Audience
from memory.services.entity_rows import CONFIG

TOP_RECORDS = 5
_LOOKED_AT = 1_000  # links of a community, of its newest records


def refresh_due_communities(space_id: UUID) -> bool:
    """Look for communities anew if enough was ingested since the last time; whether it was."""
    state = EvidenceState.objects.filter(space_id=space_id).first()
    if state is None or state.ingests - state.communities_at < CONFIG.community_every:
        return False
    refresh_communities(space_id)
    return True


def refresh_communities(space_id: UUID) -> int:
    """Make the communities of the space's entities; how many there are."""
    nodes = EvidenceNode.objects.for_space(space_id).filter(kind=ENTITY)
    owners = nodes.order_by().values_list("private_to_id", flat=True).distinct()
    with transaction.atomic():
        Community.objects.for_space(space_id).delete()
        found = sum(_refresh(Audience(space_id, owner)) for owner in owners)
        EvidenceState.objects.filter(space_id=space_id).update(communities_at=F("ingests"))
    return found


def top_records(reader: Reader, community_id: UUID, *, most: int = TOP_RECORDS) -> list[MemoryRecord]:
    """The community's records that name most of its members, the newest first of equals."""
    return top_records_of(reader, [community_id], most=most)[community_id]


def top_records_of(
    reader: Reader, community_ids: Sequence[UUID], *, most: int = TOP_RECORDS
) -> dict[UUID, list[MemoryRecord]]:
    """The same for several communities; a query each, and one for all their records."""
    nodes = EvidenceNode.objects.visible_to(reader.space_id, reader.user_id).filter(kind=ENTITY)
    links = EvidenceLink.objects.visible_to(reader.space_id, reader.user_id).order_by("-record_id")
    best: dict[UUID, list[UUID]] = {}
    for community_id in community_ids:
        members = nodes.filter(entity__membership__community=community_id)
        named = links.filter(node__in=members).values_list("record_id", flat=True)[:_LOOKED_AT]
        counts = Counter(named)  # in their order: the newest first
        best[community_id] = sorted(counts, key=lambda record_id: -counts[record_id])[:most]
    wanted = {record_id for ids in best.values() for record_id in ids}
    visible = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id)
    rows = visible.prefetch_related("evidence").in_bulk(wanted)
    return {
        community_id: [rows[record_id] for record_id in ids if record_id in rows]
        for community_id, ids in best.items()
    }


def _refresh(audience: Audience) -> int:
    links = _links(audience)
    together = [[entity for _, entity in group] for _, group in groupby(links, key=lambda link: link[0])]
    nodes = EvidenceNode.objects.for_space(audience.space_id)
    nodes = nodes.filter(private_to=audience.private_to, kind=ENTITY, degree__lt=CONFIG.hub_degree)
    edges = cooccurrence(together, dict(nodes.values_list("entity_id", "degree")), hub=CONFIG.hub_degree)
    entities = sorted({entity for pair in edges for entity in pair})
    number = {entity: place for place, entity in enumerate(entities)}
    groups = find_groups({(number[one], number[other]): weight for (one, other), weight in edges.items()})
    own = {"space_id": audience.space_id, "private_to_id": audience.private_to}
    kept = [group for group in groups if len(group) >= CONFIG.community_smallest]
    rows = [Community(size=len(group), **own) for group in kept]
    Community.objects.for_space(audience.space_id).bulk_create(rows)
    CommunityMember.objects.for_space(audience.space_id).bulk_create(
        [
            CommunityMember(community=row, entity_id=entities[place], **own)
            for row, group in zip(rows, kept, strict=True)
            for place in group
        ]
    )
    return len(rows)


def _links(audience: Audience) -> "QuerySet[EvidenceLink, tuple[UUID, UUID]]":
    """Records and the entities that they name, hubs left out, record by record."""
    links = EvidenceLink.objects.for_space(audience.space_id).filter(
        private_to=audience.private_to, node__kind=ENTITY, node__degree__lt=CONFIG.hub_degree
    )
    return links.order_by("record_id").values_list("record_id", "node__entity_id")

"""Communities on the wire: entities that are told of together, and what is told of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from ninja import Schema

from accounts.paging import Page
from api.schemas.records import RecordOut

if TYPE_CHECKING:
    from memory.models import Community, MemoryRecord


class MemberOut(Schema):
    """An entity of a community."""

    entity_id: UUID
    name: str
    kind: str


class CommunityOut(Schema):
    """Entities that are told of together, by name, and the records that name most of them."""

    community_id: UUID
    size: int
    members: list[MemberOut]
    records: list[RecordOut]

    @classmethod
    def of(cls, community: "Community", records: "Sequence[MemoryRecord]") -> "CommunityOut":
        """From the rows."""
        entities = [member.entity for member in community.members.all()]
        entities.sort(key=lambda entity: (entity.canonical_name.casefold(), entity.id))
        return cls(
            community_id=community.id,
            size=community.size,
            members=[MemberOut(entity_id=e.id, name=e.canonical_name, kind=e.kind) for e in entities],
            records=[RecordOut.of(record) for record in records],
        )


class CommunityList(Schema):
    """A page of communities, the largest first; `total` counts them all."""

    items: list[CommunityOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: "Page[Community]", records: "Mapping[UUID, Sequence[MemoryRecord]]") -> "CommunityList":
        """From a page of the selector, and the records of each."""
        return cls(
            items=[CommunityOut.of(community, records[community.id]) for community in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )

"""Records of what was said, and the people who curate them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from accounts.models import AuditEvent, Membership, Space, User
from accounts.principals import Principal
from memory.domain.types import SegmentText
from memory.models import MemoryRecord
from memory.services.ingest import ingest_segment
from tests.memory.recalling import MONDAY, Memory
from tests.memory.talking import segment

JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def principal(user: User, space: Space, role: str = Membership.Role.EDITOR) -> Principal:
    return Principal(user.id, user.username, user.username, "UTC", space.id, space.slug, role)


@dataclass(frozen=True)
class Told:
    """A segment that was filed, and can be filed again."""

    space: Space
    said: SegmentText
    segment_id: UUID
    owner: UUID | None = None

    def file(self) -> list[MemoryRecord]:
        done = ingest_segment(
            space_id=self.space.id,
            private_to=self.owner,
            session_id=self.said.turns[0].session_id,
            segment_id=self.segment_id,
            segment=self.said,
            now=JUNE,
        )
        return list(MemoryRecord.objects.for_space(self.space.id).filter(id__in=done.record_ids))


def tell(space: Space, text: str = "I live in Paris.", *, owner: UUID | None = None) -> Told:
    return Told(space, segment(("Alice", text)), uuid4(), owner)


def remember(space: Space, text: str = "I live in Paris.", *, owner: UUID | None = None) -> MemoryRecord:
    return tell(space, text, owner=owner).file()[0]


def statements(space: Space) -> set[str]:
    rows = MemoryRecord.objects.for_space(space.id).filter(expired_at=None)
    return set(rows.values_list("semantic_text", flat=True))


def trail(record: MemoryRecord) -> list[str]:
    """What was done to the record, oldest first."""
    return list(
        AuditEvent.objects.filter(object_id=record.id).order_by("id").values_list("action", flat=True)
    )


def settle(memory: Memory, city: str, day: int) -> MemoryRecord:
    """Alice lives in the city, as she said on that day."""
    return memory.learn(
        f"Alice lives in {city}.", slot="residence", value=city, said_at=MONDAY + timedelta(days=day)
    )

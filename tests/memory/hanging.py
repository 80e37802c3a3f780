"""Records by hand that hang on their evidence nodes."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from accounts.models import Space, User
from memory.domain.types import EncodedRelation, MemoryType
from memory.models import MemoryRecord
from memory.services.composite_rows import Audience
from memory.services.evidence_rows import hang_records

NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)


def tell(
    space: Space,
    *names: str,
    topics: tuple[str, ...] = (),
    owner: User | None = None,
    at: datetime = NOON,
    session_id: UUID | None = None,
    relations: tuple[EncodedRelation, ...] = (),
) -> MemoryRecord:
    """A record that names these, with what hangs on it."""
    row: MemoryRecord = MemoryRecord.everyone.create(
        space=space,
        private_to=owner,
        memory_type=MemoryType.FACT,
        semantic_text=" and ".join(names),
        normalized_text="",
        entities=list(names),
        topics=list(topics),
        learned_at=at,
        said_at=at,
        content_hash=uuid4().hex,
        session_id=session_id or uuid4(),
    )
    hang(row, *relations)
    return row


def hang(row: MemoryRecord, *relations: EncodedRelation) -> None:
    """Hang the record, with the relations it tells of."""
    hang_records(Audience(row.space_id, row.private_to_id), [(row, relations)])

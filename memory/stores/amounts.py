"""How much a reader could recall at all."""

from memory.domain.types import RecallRequest
from memory.models import IndexedItem
from memory.stores.sql import fetch_all, uuid_value

_STORED = (
    "SELECT COALESCE(SUM(items), 0) FROM memory_indexscope"
    " WHERE space_id = %s AND (private_to_id IS NULL OR private_to_id = %s)"
)


def is_anything_stored(request: RecallRequest) -> bool:
    """Whether the reader's indexes hold more than the turns that the asker sees anyway."""
    reader, seen = request.reader, request.exclude_turn_ids
    ((stored,),) = fetch_all(_STORED, [uuid_value(reader.space_id), uuid_value(reader.user_id)])
    if stored > len(seen):
        return True
    indexed = IndexedItem.objects.filter(space_id=reader.space_id, uid__in=seen).count()
    return bool(stored > indexed)

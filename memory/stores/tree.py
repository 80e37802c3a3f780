"""The memory tree by index numbers: composites to the records below them, in one query."""

from collections.abc import Sequence
from uuid import UUID

from memory.stores.sql import as_uuid, fetch_all, marks, uuid_value

# Of each composite, by its index number, every record below it, whatever its level.
_LEAVES = (
    "WITH RECURSIVE below(top, record_id, composite_id) AS ("
    " SELECT i.id, l.record_id, l.composite_id FROM memory_indexeditem i"
    " JOIN memory_compositelink l ON l.parent_id = i.uid"
    " WHERE COALESCE(i.space_id, NULL) = %s AND i.kind = 'composite' AND i.id IN ({})"
    " UNION ALL SELECT below.top, l.record_id, l.composite_id FROM below"
    " JOIN memory_compositelink l ON l.parent_id = below.composite_id"
    ") SELECT below.top, r.id, r.uid FROM below"
    " JOIN memory_indexeditem r ON r.uid = below.record_id AND r.kind = 'record' AND r.space_id = %s"
    " ORDER BY below.top, r.id"
)


def leaves_of(space_id: UUID, items: Sequence[int]) -> dict[int, dict[int, UUID]]:
    """For each composite, by index number, the records below it: index number to id."""
    leaves: dict[int, dict[int, UUID]] = {}
    if items:
        space = uuid_value(space_id)
        for top, item, uid in fetch_all(_LEAVES.format(marks(len(items))), [space, *items, space]):
            leaves.setdefault(top, {})[item] = as_uuid(uid)
    return leaves

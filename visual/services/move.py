"""The images of a session go with it to another audience."""

from uuid import UUID

from accounts.registries import wake_on_commit
from memory.services.index import index_items
from visual.models import VisualRecord
from visual.services.remember import WAKE_KIND
from visual.stores.rows import visual_item


def move_images(space_id: UUID, session_id: UUID, *, after: UUID | None) -> frozenset[UUID]:
    """Let the session's images belong to whom it goes, in the caller's transaction; returns their ids.

    The vectors of their looks are made anew, for their new readers.
    """
    rows = VisualRecord.objects.for_space(space_id).filter(session_id=session_id)
    found = list(rows.select_for_update().order_by("id"))
    rows.update(private_to=after, vector_model="", not_before=None)
    for row in found:
        row.private_to_id = after
    index_items([visual_item(row) for row in found if row.expired_at is None])
    if found:
        wake_on_commit(WAKE_KIND, space_id)
    return frozenset(row.id for row in found)

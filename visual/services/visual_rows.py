"""What every change of an image shares: who may, the locked row, what follows, the trail."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.errors import NotFound
from accounts.principals import Principal
from accounts.services.audit import Changes, record_audit
from memory.domain.types import Kind, Reader
from memory.services.index import unindex_items
from visual.models import VisualRecord
from visual.providers.registry import image_embedder
from visual.selectors import visual_row
from visual.stores.pixels import pixel_index


def reader_of(principal: Principal) -> Reader:
    """Who reads."""
    return Reader(space_id=principal.space_id, user_id=principal.user_id)


def require_visual(principal: Principal, visual_id: UUID) -> VisualRecord:
    """The image, if this person may see and change it: writers, and of private ones their author.

    Raises NotFound, then Forbidden.
    """
    row = visual_row(reader_of(principal), visual_id)
    if row.private_to_id != principal.user_id:
        principal.require_write()
    return row


def locked_visual(principal: Principal, visual_id: UUID) -> VisualRecord:
    """The row under its lock, in the caller's transaction. Raises NotFound if it was deleted meanwhile."""
    rows = VisualRecord.objects.visible_to(principal.space_id, principal.user_id)
    row: VisualRecord | None = rows.select_for_update().filter(id=visual_id).first()
    if row is None:
        raise NotFound(_("There is no such image among yours."))
    return row


def hide_visuals(space_id: UUID, rows: Sequence[VisualRecord]) -> None:
    """Let images be found no more by their words; their looks are left out by their rows."""
    unindex_items(space_id, Kind.VISUAL, [row.id for row in rows])


def drop_looks(space_id: UUID, items: Sequence[int]) -> None:
    """Remove the vectors of images that are gone. Raises ProviderError."""
    embedder = image_embedder()
    if embedder is not None and items:
        pixel_index(embedder.name, embedder.dimension).delete(space_id, Kind.PIXELS, items)


def audit_visual(
    row: VisualRecord, action: str, *, user_id: UUID | None, changes: Changes | None = None
) -> None:
    """One line of the trail about the row."""
    record_audit(
        action=action,
        object_type="visual",
        object_id=row.id,
        space_id=row.space_id,
        user_id=user_id,
        changes=changes,
    )

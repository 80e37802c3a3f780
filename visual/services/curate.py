"""A person keeps an image whatever happens, takes back what was forgotten, or deletes it for good."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.principals import Principal
from accounts.services.audit import forget_values
from accounts.services.idempotency import forget_replies
from memory.services.index import index_items
from memory.services.log_erasure import erase_from_logs
from visual.domain.types import Visual
from visual.models import VisualRecord
from visual.services.files import lock_space, remove_unused
from visual.services.visual_rows import (
    audit_visual,
    drop_looks,
    hide_visuals,
    locked_visual,
    require_visual,
)
from visual.stores.rows import to_visual, visual_item


def pin_visual(principal: Principal, visual_id: UUID, *, is_pinned: bool = True) -> Visual:
    """Exempt an image from fading, or end that; a forgotten one is restored by pinning it.

    Raises NotFound, Forbidden.
    """
    require_visual(principal, visual_id)
    with transaction.atomic():
        row = locked_visual(principal, visual_id)
        if row.is_pinned != is_pinned:
            row.is_pinned = is_pinned
            row.save(update_fields=["is_pinned"])
            action = "visual.pinned" if is_pinned else "visual.unpinned"
            changes = {"is_pinned": (not is_pinned, is_pinned)}
            audit_visual(row, action, user_id=principal.user_id, changes=changes)
        if is_pinned and row.expired_at is not None:
            _restore(row, principal)
    return to_visual(row, timezone.now())


def restore_visual(principal: Principal, visual_id: UUID) -> Visual:
    """Let a forgotten image be recalled again; it begins to fade anew. Raises NotFound, Forbidden."""
    require_visual(principal, visual_id)
    with transaction.atomic():
        row = locked_visual(principal, visual_id)
        if row.expired_at is not None:
            _restore(row, principal)
    return to_visual(row, timezone.now())


def delete_visual(principal: Principal, visual_id: UUID) -> None:
    """Delete an image for good: its row, its words, its looks, and its file if no other row of the
    space names it. Raises NotFound, Forbidden, StorageFailed.
    """
    require_visual(principal, visual_id)
    with transaction.atomic():
        lock_space(principal.space_id)
        row = locked_visual(principal, visual_id)
        audit_visual(row, "visual.deleted", user_id=principal.user_id)
        purge_rows(principal.space_id, [row])


def purge_rows(space_id: UUID, rows: list[VisualRecord]) -> None:
    """Delete these rows and what follows from them, files after the commit; in the caller's
    transaction, under the space's lock.
    """
    hide_visuals(space_id, rows)
    forget_replies(space_id)
    for row in rows:
        forget_values(space_id, row.id)
        erase_from_logs(space_id, row.id, "")
    VisualRecord.objects.for_space(space_id).filter(id__in=[row.id for row in rows]).delete()
    names = [name for row in rows for name in (row.file, row.thumbnail)]
    items = [row.item for row in rows]
    transaction.on_commit(lambda: remove_unused(space_id, names), robust=True)
    transaction.on_commit(lambda: drop_looks(space_id, items), robust=True)


def _restore(row: VisualRecord, principal: Principal) -> None:
    changes = {"expired_at": (row.expired_at, None), "expired_reason": (row.expired_reason, "")}
    row.expired_at, row.expired_reason, row.remembered_at = None, "", timezone.now()
    row.save(update_fields=["expired_at", "expired_reason", "remembered_at"])
    index_items([visual_item(row)])
    audit_visual(row, "visual.restored", user_id=principal.user_id, changes=changes)

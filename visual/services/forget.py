"""Images fade: those of which too little is left are taken out of recall, restorably.

Their files stay, as their sessions show them; only where a space's policy asks for it are they
deleted some time after. Run daily; running it twice does no more than once.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from visual.config import CONFIG
from visual.domain.decay import earliest_forgotten, is_forgotten
from visual.models import VisualPolicy, VisualRecord
from visual.services.curate import purge_rows
from visual.services.files import lock_space, remove_orphans
from visual.services.remember import FORGOTTEN
from visual.services.visual_rows import audit_visual, hide_visuals
from visual.stores.images import stored_spaces


@dataclass(frozen=True, slots=True)
class Forgetting:
    """How many images were forgotten and purged, and files without a row removed."""

    forgotten: int = 0
    purged: int = 0
    orphans: int = 0


def forget_images(space_id: UUID, now: datetime) -> Forgetting:
    """Forget and purge what is due in the space. Raises StorageFailed."""
    forgotten = purged = 0
    while step := _forget_batch(space_id, now):
        forgotten += step
    while step := _purge_batch(space_id, now):
        purged += step
    return Forgetting(forgotten, purged, remove_orphans(space_id, now))


def spaces_with_images() -> set[UUID]:
    """The spaces that have files of images. Raises StorageFailed."""
    return stored_spaces()


def _forget_batch(space_id: UUID, now: datetime) -> int:
    config = CONFIG
    with transaction.atomic():
        rows = VisualRecord.objects.for_space(space_id).filter(expired_at=None, is_pinned=False)
        old = rows.filter(remembered_at__lte=earliest_forgotten(now, config.decay))
        gone = [row for row in old.select_for_update().iterator() if _is_forgotten(row, now)]
        gone = gone[: config.describing.forget_batch]
        hide_visuals(space_id, gone)
        for row in gone:
            row.expired_at, row.expired_reason = now, FORGOTTEN
            row.save(update_fields=["expired_at", "expired_reason"])
            audit_visual(row, "visual.forgotten", user_id=None, changes={"expired_at": (None, now)})
    return len(gone)


def _is_forgotten(row: VisualRecord, now: datetime) -> bool:
    return is_forgotten(
        now,
        since=row.remembered_at,
        importance=row.importance,
        recalls=row.recall_count,
        law=CONFIG.decay,
    )


def _purge_batch(space_id: UUID, now: datetime) -> int:
    policy = VisualPolicy.objects.for_space(space_id).first()
    if policy is None or policy.purge_after_days is None:
        return 0
    before = now - timedelta(days=policy.purge_after_days)
    with transaction.atomic():
        lock_space(space_id)
        rows = VisualRecord.objects.for_space(space_id).filter(expired_at__lte=before, is_pinned=False)
        # Locked: who restores one meanwhile has it, or finds it gone; never restored and deleted.
        gone = list(rows.order_by("id").select_for_update()[: CONFIG.describing.forget_batch])
        for row in gone:
            audit_visual(row, "visual.purged", user_id=None)
        purge_rows(space_id, gone)
    return len(gone)

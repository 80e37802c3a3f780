"""Files follow their rows: written before them, removed when the last row of a space is gone.

Who writes rows and who removes files hold the space's lock, so that neither sees half of the
other's work. What a kill leaves between file and row, the daily sweep removes.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.models import Space
from visual.config import CONFIG
from visual.models import VisualRecord
from visual.stores.images import delete_image, stored_images


def lock_space(space_id: UUID) -> None:
    """Let one transaction at a time change which files a space has, in the caller's transaction."""
    list(Space.objects.select_for_update(no_key=True).filter(pk=space_id).values_list("pk"))


def remove_unused(space_id: UUID, names: Iterable[str]) -> int:
    """Remove those of the files that no row of the space names; how many. Raises StorageFailed."""
    removed = 0
    with transaction.atomic():
        lock_space(space_id)
        rows = VisualRecord.objects.for_space(space_id)
        for name in dict.fromkeys(names):
            if not rows.filter(Q(file=name) | Q(thumbnail=name)).exists():
                delete_image(name)
                removed += 1
    return removed


def remove_orphans(space_id: UUID, now: datetime) -> int:
    """Remove old files without a row: what a kill has left. How many."""
    before = now - timedelta(hours=CONFIG.describing.orphan_hours)
    return remove_unused(space_id, stored_images(space_id, before=before))

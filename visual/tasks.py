"""Background work of the visual memory: describing what is due, the sweep under it, forgetting."""

import logging
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from accounts.errors import StorageFailed
from visual.models import VisualRecord
from visual.services.describe import describe_space, is_due
from visual.services.forget import forget_images, spaces_with_images

logger = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]
def describe_images(space_id: str) -> int:
    """Do what is due of the space's images; how many were looked at."""
    return describe_space(UUID(space_id))


@shared_task  # type: ignore[untyped-decorator]
def sweep_images() -> int:
    """Take up what a lost message, a kill or a model that failed has left due."""
    due = VisualRecord.everyone.filter(is_due(timezone.now()))
    spaces = due.order_by().values_list("space_id", flat=True).distinct()
    return sum(describe_space(space_id) for space_id in list(spaces))


@shared_task  # type: ignore[untyped-decorator]
def forget_all_images() -> dict[str, int]:
    """Forget, purge and tidy up in every space that has images; how many of each."""
    now, total = timezone.now(), {"forgotten": 0, "purged": 0, "orphans": 0}
    spaces = set(VisualRecord.everyone.order_by().values_list("space_id", flat=True).distinct())
    for space_id in sorted(spaces | _spaces_with_files()):
        try:
            done = forget_images(space_id, now)
        except StorageFailed:
            logger.warning("images of space %s could not be tidied up now", space_id, exc_info=True)
            continue
        for name in total:
            total[name] += getattr(done, name)
    return total


def _spaces_with_files() -> set[UUID]:
    """Those that are gone themselves may have left files."""
    try:
        return spaces_with_images()
    except StorageFailed:
        logger.warning("the images' storage cannot be listed now", exc_info=True)
        return set()

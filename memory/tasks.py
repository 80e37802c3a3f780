"""Background work of the memory: draining outboxes, fusing, and the sweeps under the wake hook."""

import logging
from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.db.models import QuerySet
from django.utils import timezone

from memory.config import RecallConfig
from memory.errors import IndexMismatch, ProviderError
from memory.models import CompositeRecord, IndexOutbox, MemoryRecord, RetentionPolicy, RetrievalLog
from memory.providers.registry import is_titling
from memory.services.feedback_fold import expire_logs, fold_logs
from memory.services.fuse import fuse_space
from memory.services.reindex import drain_outbox, maintain_indexes
from memory.services.retention import apply_retention
from memory.services.title import is_due, title_space

logger = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]
def drain_space(space_id: str) -> int:
    """Bring the space's vectors up to its rows; how many entries were done."""
    done = _drain(UUID(space_id))
    _maintain(done)
    return done


@shared_task  # type: ignore[untyped-decorator]
def sweep_outboxes() -> int:
    """Drain every space that is owed vectors: what a lost message or a kill left behind."""
    owed = IndexOutbox.objects.order_by().values_list("space_id", flat=True).distinct()
    done = sum(_drain(space_id) for space_id in owed)
    _maintain(done)
    return done


@shared_task  # type: ignore[untyped-decorator]
def fuse_records(space_id: str) -> int:
    """Fuse what is due in the space; how many composites were made, changed or removed."""
    return fuse_space(UUID(space_id)).composites


@shared_task  # type: ignore[untyped-decorator]
def sweep_fusions() -> int:
    """Fuse in every space what a lost message or a kill left due."""
    due = MemoryRecord.everyone.filter(fusion_due__gt=0, expired_at__isnull=True)
    spaces = set(due.order_by().values_list("space_id", flat=True).distinct())
    spaces |= set(
        CompositeRecord.everyone.filter(fusion_due__gt=0)
        .order_by()
        .values_list("space_id", flat=True)
        .distinct()
    )
    return sum(fuse_space(space_id).composites for space_id in sorted(spaces))


@shared_task  # type: ignore[untyped-decorator]
def title_composites(space_id: str) -> int:
    """Have the model title the space's composites; how many it titled."""
    return title_space(UUID(space_id))


@shared_task  # type: ignore[untyped-decorator]
def sweep_titles() -> int:
    """Title what a lost message, a kill, a spent budget or a model that failed has left without."""
    if not is_titling():
        return 0
    due = CompositeRecord.everyone.filter(is_due(timezone.now()))
    spaces = due.order_by().values_list("space_id", flat=True).distinct()
    return sum(title_space(space_id) for space_id in list(spaces))


@shared_task  # type: ignore[untyped-decorator]
def fold_feedback() -> int:
    """Count what is not counted yet of recalls, and let old logs go; how many logs were counted."""
    now = timezone.now()
    unfolded = RetrievalLog.everyone.filter(is_folded=False)
    done = sum(fold_logs(space_id) for space_id in _spaces_of(unfolded))
    expired = RetrievalLog.everyone.filter(
        is_folded=True, created_at__lt=now - timedelta(days=RecallConfig.STANDARD.log_retention_days)
    )
    for space_id in _spaces_of(expired):
        expire_logs(space_id, now=now)
    return done


@shared_task  # type: ignore[untyped-decorator]
def apply_retentions() -> int:
    """Expire what the policies of spaces no longer keep; how many records."""
    now, policies = timezone.now(), RetentionPolicy.everyone.order_by()
    spaces = policies.values_list("space_id", flat=True).distinct()
    return sum(apply_retention(space_id, now) for space_id in sorted(spaces))


def _spaces_of(logs: "QuerySet[RetrievalLog]") -> list[UUID]:
    return sorted(set(logs.order_by().values_list("space_id", flat=True).distinct()))


def _drain(space_id: UUID) -> int:
    """What cannot be done now stays queued. Until a space is embedded again by the model in use that
    is no news: the checks and /readyz say so.
    """
    try:
        return drain_outbox(space_id)
    except IndexMismatch as error:
        logger.info("The outbox of space %s stays queued: %s", space_id, error.detail)
    except ProviderError as error:
        logger.warning("The outbox of space %s stays queued: %s", space_id, error.detail)
    return 0


def _maintain(done: int) -> None:
    """After writing, let the index tidy up if it is time; that it fails once does no harm."""
    try:
        if done:
            maintain_indexes()
    except ProviderError:
        logger.warning("The vector index could not be optimised now.", exc_info=True)

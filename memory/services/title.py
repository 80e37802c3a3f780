"""Composites get titles, where the settings have the model write them: in the background, some in one call.

A row that was never titled is the queue. Fusion makes it and takes its title off when it stands for
other records; a record that is changed or erased takes row and title along. Nobody waits for a title:
until there is one, and where none comes, the representative's text stands alone (docs/algorithms/fusion.md).
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memory.config import TitleConfig
from memory.domain.types import Usage
from memory.errors import ContextTooLong, ProviderError, ReplyFaulty, ReplyRefused, ReplyTruncated
from memory.models import CompositeRecord, MemoryRecord
from memory.providers.registry import is_titling, language_model
from memory.registries import may_spend, usage_sinks
from memory.services.composite_rows import leaves_below

logger = logging.getLogger(__name__)

CONFIG = TitleConfig()
_OF_THE_REPLY = (ReplyFaulty, ReplyRefused, ReplyTruncated, ContextTooLong)


def title_space(space_id: UUID) -> int:
    """Have the model title what is due in the space, until it fails to answer; how many were titled."""
    done = 0
    for _ in range(CONFIG.calls):
        rows = _claimed(space_id) if is_titling() and may_spend(space_id) else []
        if not rows:
            break
        try:
            done += _title(space_id, rows)
        except ProviderError as error:
            logger.warning("composites wait for their titles: %s: %s", error.error_code, error.detail)
            _put_off(rows, is_at_fault=isinstance(error, _OF_THE_REPLY))
            if not isinstance(error, _OF_THE_REPLY):
                break
    return done


def is_due(now: datetime) -> Q:
    """Which composites want a title now."""
    is_over = Q(title_not_before__isnull=True) | Q(title_not_before__lte=now)
    return Q(titled_at__isnull=True) & is_over


def _claimed(space_id: UUID) -> list[CompositeRecord]:
    """Some that are due, of one audience, held as long as a call may take; what failed before is alone."""
    now = timezone.now()
    due = CompositeRecord.objects.for_space(space_id).filter(is_due(now)).order_by("title_attempts", "id")
    first = due.first()
    if first is None:
        return []
    alike = due.filter(private_to=first.private_to_id, title_attempts=first.title_attempts)
    until = now + timedelta(seconds=CONFIG.lease_seconds)
    rows = list(alike[: 1 if first.title_attempts else CONFIG.batch])
    return [row for row in rows if due.filter(pk=row.pk).update(title_not_before=until)]


def _title(space_id: UUID, rows: Sequence[CompositeRecord]) -> int:
    """Ask for the titles of the composites, and keep each whose records are still those that were shown."""
    groups = _texts(space_id, rows)
    usages: list[Usage] = []
    try:
        titles = language_model().title([groups[row.pk] for row in rows], on_usage=usages.append)
    finally:
        for tell in usage_sinks():
            tell(space_id, rows[0].private_to_id, usages)
    now, done = timezone.now(), 0
    for row, title in zip(rows, titles, strict=True):
        same = CompositeRecord.objects.for_space(space_id).filter(pk=row.pk, version=row.version)
        kept = same.update(title=title, titled_at=now, title_not_before=None)
        done += bool(kept and title)
    return done


def _texts(space_id: UUID, rows: Sequence[CompositeRecord]) -> dict[UUID, list[str]]:
    """What the records of each composite say, the surest and newest of them first."""
    leaves = leaves_below(space_id, [row.pk for row in rows])
    records = MemoryRecord.objects.for_space(space_id).filter(expired_at__isnull=True)
    texts: dict[UUID, list[str]] = {}
    for row in rows:
        ordered = records.filter(id__in=leaves[row.pk]).order_by("-confidence", "-said_at", "-id")
        texts[row.pk] = list(ordered.values_list("semantic_text", flat=True)[: CONFIG.records])
    return texts


def _put_off(rows: Sequence[CompositeRecord], *, is_at_fault: bool) -> None:
    """Try later; what got a few replies that cannot be used stays without a title."""
    now = timezone.now()
    for row in rows:
        attempts = row.title_attempts + is_at_fault
        pause = timedelta(seconds=CONFIG.pause_seconds * 2**row.title_attempts)
        CompositeRecord.objects.for_space(row.space_id).filter(pk=row.pk, version=row.version).update(
            title_attempts=attempts,
            title_not_before=now + pause,
            titled_at=now if attempts >= CONFIG.attempts else None,
        )

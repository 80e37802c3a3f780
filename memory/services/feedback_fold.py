"""Logs folded into the counters of the items they recalled, in batches and exactly once.

A log keeps what was counted of it; when its outcome changes later, the difference is counted.
Logs expire once they are folded and old enough.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Greatest

from memory.config import RecallConfig
from memory.domain.feedback import Outcome
from memory.domain.types import Kind
from memory.models import CompositeRecord, IndexedItem, MemoryRecord, RetrievalLog, UsageCount

BATCH = 200  # logs folded in one transaction
EXPIRED_AT_ONCE = 1_000  # logs deleted in one transaction
OF_OTHER_APPS = (Kind.SKILL.value,)
COUNTED_KINDS = (Kind.RECORD.value, Kind.COMPOSITE.value, *OF_OTHER_APPS)
_FAILING = (Outcome.FAIL, Outcome.CORRECTION)


@dataclass(slots=True)
class _Tally:
    """What is to be added to one item's counters."""

    retrievals: int = 0
    kept: int = 0
    success: int = 0
    fail: int = 0

    def add(self, other: "Mapping[str, int] | _Tally", sign: int = 1) -> None:
        values = other if isinstance(other, Mapping) else asdict(other)
        for name in ("retrievals", "kept", "success", "fail"):
            setattr(self, name, getattr(self, name) + sign * int(values.get(name, 0)))


@dataclass(slots=True)
class _Change:
    """What the logs of a batch change of one item."""

    kind: str
    tally: _Tally = field(default_factory=_Tally)
    used_at: datetime | None = None


def fold_logs(space_id: UUID, *, most: int | None = None) -> int:
    """Count what is not counted yet of the space's logs; how many logs there were.

    At most `most`, in whole batches.
    """
    done = 0
    while most is None or done < most:
        with transaction.atomic():
            logs = RetrievalLog.objects.for_space(space_id).filter(is_folded=False)
            batch = list(logs.select_for_update().order_by("id")[:BATCH])
            if not batch:
                break
            _add(space_id, _changes(batch))
            RetrievalLog.objects.for_space(space_id).bulk_update(batch, ["folded", "is_folded"])
        done += len(batch)
    return done


def expire_logs(space_id: UUID, *, now: datetime, config: RecallConfig = RecallConfig.STANDARD) -> int:
    """Delete folded logs that are older than `log_retention_days`; how many."""
    before = now - timedelta(days=config.log_retention_days)
    logs = RetrievalLog.objects.for_space(space_id).filter(is_folded=True, created_at__lt=before)
    gone = 0
    while ids := list(logs.order_by("id").values_list("id", flat=True)[:EXPIRED_AT_ONCE]):
        RetrievalLog.objects.for_space(space_id).filter(id__in=ids).delete()
        gone += len(ids)
    return gone


def counted_of(log: RetrievalLog) -> dict[str, dict[str, Any]]:
    """What a log is worth to each item it recalled, by id.

    What came of it counts for the items that the answer rests on; where no answer was
    written, for all that were handed over.
    """
    kept = set(log.kept_ids)
    credited = kept if log.response_excerpt or kept else {hit["id"] for hit in log.hits}
    return {
        hit["id"]: {
            "kind": hit["kind"],
            "retrievals": 1,
            "kept": int(hit["id"] in kept),
            "success": int(log.outcome == Outcome.SUCCESS and hit["id"] in credited),
            "fail": int(log.outcome in _FAILING and hit["id"] in credited),
        }
        for hit in log.hits
        if hit["kind"] in COUNTED_KINDS
    }


def _changes(batch: Iterable[RetrievalLog]) -> dict[str, _Change]:
    """Sum the differences, and mark the logs as counted."""
    changes: dict[str, _Change] = {}
    for log in batch:
        now = counted_of(log)
        for item_id, counted in now.items():
            change = changes.setdefault(item_id, _Change(counted["kind"]))
            change.tally.add(counted)
            change.used_at = max(filter(None, (change.used_at, log.created_at)))
        for item_id, counted in log.folded.items():
            changes.setdefault(item_id, _Change(counted["kind"])).tally.add(counted, -1)
        log.folded, log.is_folded = now, True
    return changes


def _add(space_id: UUID, changes: Mapping[str, _Change]) -> None:
    """Add to the counters of those items that still exist."""
    owners = _owners(space_id, changes)
    counts = UsageCount.objects.for_space(space_id)
    known = set(counts.filter(item_id__in=list(owners)).values_list("item_id", flat=True))
    counts.bulk_create(
        [
            UsageCount(
                space_id=space_id, private_to_id=owner, item_id=item_id, kind=changes[str(item_id)].kind
            )
            for item_id, owner in owners.items()
            if item_id not in known
        ],
        ignore_conflicts=True,
    )
    for item_id in owners:
        change = changes[str(item_id)]
        added = {name: F(name) + value for name, value in asdict(change.tally).items() if value}
        if change.used_at is not None:
            added["last_used_at"] = Greatest(Coalesce("last_used_at", change.used_at), change.used_at)
        if added:
            counts.filter(item_id=item_id).update(**added)


def _owners(space_id: UUID, changes: Mapping[str, _Change]) -> dict[UUID, UUID | None]:
    """The items that exist, each with whom it is private to."""
    owners: dict[UUID, UUID | None] = {}
    for model, kind in ((MemoryRecord, Kind.RECORD), (CompositeRecord, Kind.COMPOSITE)):
        ids = [UUID(item_id) for item_id, change in changes.items() if change.kind == kind]
        rows = model.objects.for_space(space_id).filter(id__in=ids)
        owners.update(rows.values_list("id", "private_to_id"))
    known = {item_id for item_id, change in changes.items() if change.kind in OF_OTHER_APPS}
    if known:  # rows of apps above: the index knows whose they are
        items = IndexedItem.objects.filter(space_id=space_id, kind__in=OF_OTHER_APPS, uid__in=known)
        owners.update(items.values_list("uid", "private_to_id"))
    return owners

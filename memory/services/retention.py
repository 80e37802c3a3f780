"""What a space keeps only for a time: its owners say so by type, and a daily pass expires the rest.

Off unless asked for. Pinned memories are exempt; what is expired stays readable and can be restored,
which pins it. docs/algorithms/curation.md, "Retention".
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.errors import Forbidden, InvalidInput
from accounts.models import Membership
from accounts.principals import Principal
from accounts.services.audit import record_audit
from memory.domain.types import MemoryType
from memory.models import MemoryRecord, RecordEvidence, RetentionPolicy
from memory.models.retention import MOST_DAYS
from memory.registries import withdraw_turns
from memory.services.citing import answers_citing
from memory.services.composite_rows import withdraw_records
from memory.services.curate_rows import hide_record

REASON = "retention"  # what an expiry of this kind begins with
BATCH = 100  # records expired in one transaction


def set_retention(principal: Principal, memory_type: str, days: int | None) -> RetentionPolicy | None:
    """Keep memories of the type for so many days; None: for ever. Audited; nothing is expired at once.

    Raises Forbidden for others than owners, InvalidInput with the faulty field.
    """
    if principal.role != Membership.Role.OWNER:
        raise Forbidden(_("Only an owner of the space says how long it keeps what."))
    kind = _type(memory_type)
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise InvalidInput.field("days", _("From one day to %(n)d.") % {"n": MOST_DAYS})
    rows = RetentionPolicy.objects.for_space(principal.space_id)
    with transaction.atomic():
        before: RetentionPolicy | None = rows.select_for_update().filter(memory_type=kind).first()
        old = before.days if before else None
        if old == days:
            return before
        if days is None:
            rows.filter(memory_type=kind).delete()
            kept = None
        else:
            kept, _made = rows.update_or_create(
                memory_type=kind, defaults={"days": days}, create_defaults={**_own(principal, kind, days)}
            )
        record_audit(
            action="space.retention_set",
            object_type="space",
            object_id=principal.space_id,
            space_id=principal.space_id,
            user_id=principal.user_id,
            changes={kind: (old, days)},
        )
    return kept


def apply_retention(space_id: UUID, now: datetime) -> int:
    """Expire what the space's policies no longer keep; how many records."""
    policies = RetentionPolicy.objects.for_space(space_id).order_by("memory_type")
    return sum(_expire_all(policy, now) for policy in policies)


def _expire_all(policy: RetentionPolicy, now: datetime) -> int:
    done = 0
    while expired := _expire_batch(policy, now):
        done += expired
    return done


def _expire_batch(policy: RetentionPolicy, now: datetime) -> int:
    with transaction.atomic():
        rows = list(_outlived(policy, now).select_for_update(of=("self",)).order_by("id")[:BATCH])
        if not rows:
            return 0
        for row in rows:
            row.expired_at, row.expired_reason = now, f"{REASON}: {policy.days} days"
            row.version += 1
            row.save(update_fields=["expired_at", "expired_reason", "version"])
            hide_record(row)
            _audit(row)
        withdraw_records(policy.space_id, [row.id for row in rows])
        links = RecordEvidence.objects.for_space(policy.space_id).filter(record__in=rows)
        citing = answers_citing(policy.space_id, [row.id for row in rows])
        withdraw_turns(policy.space_id, [*links.values_list("turn_id", flat=True), *citing])
    return len(rows)


def _outlived(policy: RetentionPolicy, now: datetime) -> "QuerySet[MemoryRecord]":
    """Live records of the type that nobody pinned, and nobody told or told again for so long."""
    before = now - timedelta(days=policy.days)
    told_again = RecordEvidence.objects.for_space(policy.space_id).filter(
        record=OuterRef("id"), created_at__gte=before
    )
    return MemoryRecord.objects.for_space(policy.space_id).filter(
        ~Exists(told_again),
        memory_type=policy.memory_type,
        expired_at__isnull=True,
        is_pinned=False,
        learned_at__lt=before,
    )


def _audit(row: MemoryRecord) -> None:
    record_audit(
        action="record.expired",
        object_type="record",
        object_id=row.id,
        space_id=row.space_id,
        user_id=None,
        changes={"expired_at": (None, row.expired_at), "expired_reason": ("", row.expired_reason)},
        version=row.version,
    )


def _own(principal: Principal, kind: MemoryType, days: int) -> dict[str, object]:
    return {"space_id": principal.space_id, "memory_type": kind, "days": days}


def _type(memory_type: str) -> MemoryType:
    try:
        return MemoryType(memory_type)
    except ValueError:
        raise InvalidInput.field("memory_type", _("There is no such type of memory.")) from None

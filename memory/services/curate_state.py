"""A person keeps a record whatever happens, or takes back what took it out of recall."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.errors import Conflict
from accounts.principals import Principal
from accounts.registries import wake_on_commit
from memory.models import MemoryRecord, RecordEvidence
from memory.selectors import get_record
from memory.services.composite_rows import withdraw_records
from memory.services.curate_rows import (
    audit_row,
    check_version,
    copy_evidence,
    locked_record,
    reader_of,
    require_live,
    require_record,
    show_record,
)
from memory.services.fuse_duplicates import DUPLICATE_OF

AUTOMATIC = (DUPLICATE_OF, "retention")  # how the reasons begin that no person gave
_RESTORED = ("expired_at", "expired_reason", "superseded_by_id", "superseded_at", "valid_to", "is_pinned")


def pin_record(
    principal: Principal, record_id: UUID, *, is_pinned: bool = True, version: int | None = None
) -> MemoryRecord:
    """Exempt a live record from everything automatic that takes records out of recall, or end that.

    One that was superseded is current again with the next fusion. Pinning twice changes nothing.
    Raises NotFound, Forbidden, or Conflict: expired, or changed since `version`.
    """
    require_record(principal, record_id)
    with transaction.atomic():
        row = locked_record(principal, record_id)
        require_live(row)
        if row.is_pinned != is_pinned:
            check_version(row, version)
            row.is_pinned = is_pinned
            row.version += 1
            row.fusion_due += 1
            row.save(update_fields=["is_pinned", "version", "fusion_due"])
            wake_on_commit("fuse", row.space_id)
            action = "record.pinned" if is_pinned else "record.unpinned"
            audit_row(principal, row, action, {"is_pinned": (not is_pinned, is_pinned)})
    return get_record(reader_of(principal), record_id)


def restore_record(principal: Principal, record_id: UUID, *, version: int | None = None) -> MemoryRecord:
    """Let an expired record be recalled again, or a superseded one be current again beside the
    newer value. What is neither is left as it is.

    What was done automatically is undone with a pin, lest the next fusion does it again. Raises
    NotFound, Forbidden, or Conflict: changed since `version`, or the same statement is live.
    """
    require_record(principal, record_id)
    try:
        with transaction.atomic():
            row = locked_record(principal, record_id)
            if row.expired_at is not None or row.superseded_at is not None:
                check_version(row, version)
                _restore(row, principal)
    except IntegrityError:
        message = _("The same statement is remembered already; expire that one first.")
        raise Conflict(message, code="same_statement") from None
    return get_record(reader_of(principal), record_id)


def _restore(row: MemoryRecord, principal: Principal) -> None:
    """Out of the state that was last: an expired record comes back as it was when it was expired."""
    before = {name: getattr(row, name) for name in _RESTORED}
    if row.expired_at is not None:
        if row.expired_reason.startswith(DUPLICATE_OF):
            _return_evidence(row)
        row.is_pinned = row.is_pinned or row.expired_reason.startswith(AUTOMATIC)
        row.expired_at, row.expired_reason = None, ""
    else:
        row.is_pinned = True
        row.superseded_by = row.superseded_at = None
        row.valid_to, row.stated_valid_to = row.stated_valid_to, None
    row.version += 1
    row.fusion_due += 1
    row.save()
    show_record(row)
    withdraw_records(row.space_id, [row.id])
    after = {name: getattr(row, name) for name in _RESTORED}
    changes = {name: (before[name], after[name]) for name in _RESTORED if before[name] != after[name]}
    audit_row(principal, row, "record.restored", changes)


def _return_evidence(row: MemoryRecord) -> None:
    """A duplicate's turns were handed to the record that was kept: those of its own segment come back."""
    links = RecordEvidence.objects.for_space(row.space_id)
    moved = links.filter(record_id=UUID(row.expired_reason.removeprefix(DUPLICATE_OF)))
    copy_evidence(row, moved.filter(segment_id=row.segment_id))

"""Several records of one thing become one: what they rest on is joined, the others are expired."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from memory.models import MemoryRecord, RecordEvidence
from memory.selectors import get_record
from memory.services.composite_rows import withdraw_records
from memory.services.curate_rows import (
    audit_row,
    check_version,
    copy_evidence,
    hide_record,
    locked_record,
    reader_of,
    require_live,
    require_record,
    show_record,
)
from memory.services.record_values import MAX_LISTED

MERGED_INTO = "merged_into:"
MAX_MERGED = 20  # records merged into one at once
_JOINED = ("seen_count", "said_at", "confidence", "entities", "topics", "tags", "is_pinned")


def merge_records(
    principal: Principal, kept_id: UUID, other_ids: Sequence[UUID], *, version: int | None = None
) -> MemoryRecord:
    """Merge the others into the kept record, whose statement stays as it is worded.

    It gains their evidence, names and topics; they are expired as `merged_into:<id>` and keep
    their own evidence, so that they can be restored. Those merged into it before are passed
    over. Raises NotFound, Forbidden, InvalidInput, or Conflict: one of them is expired, changed
    since `version` (the kept one's), or seen by others than the kept one is.
    """
    ids = sorted(set(other_ids))
    if not 1 <= len(ids) <= MAX_MERGED or kept_id in ids:
        message = _("Name 1 to %(n)d other records.") % {"n": MAX_MERGED}
        raise InvalidInput.field("record_ids", message)
    for record_id in (kept_id, *ids):
        require_record(principal, record_id)
    with transaction.atomic():
        rows = {each: locked_record(principal, each) for each in sorted((kept_id, *ids))}  # one order for all
        kept = rows.pop(kept_id)
        reason = f"{MERGED_INTO}{kept.id}"
        others = [row for row in rows.values() if row.expired_at is None or row.expired_reason != reason]
        if others:
            check_version(kept, version)
            _require_mergeable(kept, others)
            _join(kept, others, principal)
            for row in others:
                _expire(row, reason, principal)
            withdraw_records(principal.space_id, [kept.id, *(row.id for row in others)])
    return get_record(reader_of(principal), kept_id)


def _require_mergeable(kept: MemoryRecord, others: Iterable[MemoryRecord]) -> None:
    require_live(kept)
    for row in others:
        require_live(row)
        if row.private_to_id != kept.private_to_id:
            message = _("A private memory and a shared one cannot become one.")
            raise Conflict(message, code="other_audience")


def _join(kept: MemoryRecord, others: Sequence[MemoryRecord], principal: Principal) -> None:
    """The kept record as it is with what the others know."""
    rows = (kept, *others)
    before = {name: getattr(kept, name) for name in _JOINED}
    kept.seen_count = sum(row.seen_count for row in rows)
    kept.said_at = min(row.said_at for row in rows)
    kept.confidence = max(row.confidence for row in rows)
    kept.entities = _union(row.entities for row in rows)
    kept.topics = _union(row.topics for row in rows)
    names = dict.fromkeys(name for row in rows for name in row.tags)
    kept.tags = {name: _union(row.tags.get(name, []) for row in rows) for name in names}
    kept.is_pinned = any(row.is_pinned for row in rows)
    kept.edited_at = timezone.now()
    kept.version += 1
    kept.fusion_due += 1
    kept.save()
    copy_evidence(kept, RecordEvidence.objects.for_space(kept.space_id).filter(record__in=others))
    show_record(kept)
    changes = {name: (before[name], getattr(kept, name)) for name in _JOINED}
    changed = {name: pair for name, pair in changes.items() if pair[0] != pair[1]}
    merged = [str(row.id) for row in others]
    audit_row(principal, kept, "record.merged", {"merged": ([], merged), **changed})


def _expire(row: MemoryRecord, reason: str, principal: Principal) -> None:
    row.expired_at, row.expired_reason = timezone.now(), reason
    row.version += 1
    row.save(update_fields=["expired_at", "expired_reason", "version"])
    hide_record(row)
    changes = {"expired_at": (None, row.expired_at), "expired_reason": ("", reason)}
    audit_row(principal, row, "record.expired", changes)


def _union(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))[:MAX_LISTED]

"""A person corrects a record or takes it out of recall; audited, and never undone by encoding."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import Conflict, InvalidInput
from accounts.models import AuditEvent
from accounts.principals import Principal
from accounts.services.audit import Changes
from memory.domain.text import clean_text, words
from memory.models import MemoryRecord
from memory.registries import withdraw_turns
from memory.selectors import get_record
from memory.services.citing import answers_citing
from memory.services.composite_rows import withdraw_records
from memory.services.curate_rows import (
    audit_row,
    check_version,
    hide_record,
    locked_record,
    reader_of,
    require_live,
    require_record,
    show_record,
)
from memory.services.own_words import follow_attribute
from memory.services.record_rows import refresh_derived
from memory.services.record_values import EDITABLE, cleaned_values
from memory.services.rederive import rederive
from memory.services.relation_rows import follow_relations

MAX_REASON_CHARS = 128
EDITED: Final = "record.edited"  # what a person set; what followed from it is another event
_FOLLOWING: Final = (
    "subject",
    "entities",
    "topics",
    "time_ref",
    "valid_from",
    "valid_to",
    "slot",
    "value",
)


def edit_record(principal: Principal, record_id: UUID, changes: Mapping[str, object]) -> MemoryRecord:
    """Correct a live record; what `changes` leaves out stays, but for what follows from the text.

    `version`, if given, is the version that was read. Raises NotFound, Forbidden,
    InvalidInput with the faulty field, or Conflict: expired, edited meanwhile, or equal
    to another record.
    """
    require_record(principal, record_id)
    values = {name: value for name, value in changes.items() if name != "version"}
    cleaned = cleaned_values(principal.space_id, values)
    try:
        with transaction.atomic():
            row = locked_record(principal, record_id)
            require_live(row)
            check_version(row, changes.get("version"))
            old_text = row.semantic_text
            changed = _apply(row, cleaned)
            if changed:
                _note_correction(row, old_text)
                followed = _follow(row, old_text, principal, given=frozenset(cleaned))
                if row.superseded_at:
                    _keep_history(row, is_end_set="valid_to" in (*changed, *followed))
                withdraw_records(principal.space_id, [record_id])
                _store(row, principal, changed, followed)
                follow_relations(row, old_text)
    except IntegrityError:
        raise Conflict(_("The same statement is stored already."), code="same_statement") from None
    return get_record(reader_of(principal), record_id)


def expire_record(
    principal: Principal, record_id: UUID, reason: str = "", *, version: int | None = None
) -> MemoryRecord:
    """Take a record out of recall; it stays readable. Expiring twice changes nothing.

    Raises NotFound, Forbidden, or Conflict if it was changed since `version`.
    """
    require_record(principal, record_id)
    with transaction.atomic():
        row = locked_record(principal, record_id)
        if row.expired_at is None:
            check_version(row, version)
            row.expired_at, row.expired_reason = timezone.now(), clean_text(reason)[:MAX_REASON_CHARS]
            row.version += 1
            row.save(update_fields=["expired_at", "expired_reason", "version"])
            hide_record(row)
            withdraw_records(row.space_id, [row.id])
            _withdraw_said(row)
            changes = {"expired_at": (None, row.expired_at), "expired_reason": ("", row.expired_reason)}
            audit_row(principal, row, "record.expired", changes)
    return get_record(reader_of(principal), record_id)


def _apply(row: MemoryRecord, cleaned: Mapping[str, object]) -> Changes:
    """Set what differs. Returns the values before and after."""
    changed = {
        name: (getattr(row, name), cleaned[name])
        for name in EDITABLE
        if name in cleaned and cleaned[name] != getattr(row, name)
    }
    for name, (_before, after) in changed.items():
        setattr(row, name, after)
    if row.valid_from and row.valid_to and row.valid_to <= row.valid_from:
        raise InvalidInput.field("valid_to", _("The end must lie after the beginning."))
    return changed


def _note_correction(row: MemoryRecord, old_text: str) -> None:
    """From now on the turns it rests on are not quoted for it, unless it says again what was filed."""
    if words(row.semantic_text) == words(old_text):
        return
    edits = AuditEvent.objects.filter(object_id=row.id, action=EDITED).order_by("id")
    texts = (
        changes["semantic_text"][0]
        for changes in edits.values_list("changes", flat=True)
        if "semantic_text" in changes
    )
    filed = next(texts, old_text)
    is_as_filed = words(row.semantic_text) == words(filed)
    row.corrected_at = None if is_as_filed else timezone.now()
    _withdraw_said(row)


def _withdraw_said(row: MemoryRecord) -> None:
    """Tell that what the record said in its own words is not to be told of any more."""
    said = row.evidence.values_list("turn_id", flat=True)
    withdraw_turns(row.space_id, [*said, *answers_citing(row.space_id, [row.id])])


def _keep_history(row: MemoryRecord, *, is_end_set: bool) -> None:
    """A superseded record ends where the newer value begins, whatever end is told; one that
    tells of no attribute any more is superseded by none.
    """
    if is_end_set:
        row.stated_valid_to = row.valid_to
    if not row.slot:
        row.valid_to, row.stated_valid_to = row.stated_valid_to, None
        row.superseded_by = row.superseded_at = None


def _follow(row: MemoryRecord, old_text: str, principal: Principal, *, given: frozenset[str]) -> Changes:
    """Let what was read from the text follow it, but for what people have set in their edits."""
    if row.semantic_text == old_text:
        return {}
    edits = AuditEvent.objects.filter(object_id=row.id, action=EDITED).values_list("fields", flat=True)
    by_hand = given.union(*(set(fields) for fields in edits))
    before = {name: getattr(row, name) for name in _FOLLOWING}
    stated = follow_attribute(row, old_text)
    followed = stated + rederive(
        row, old_text, by_hand=by_hand, reader=reader_of(principal), time_zone=principal.time_zone
    )
    return {name: (before[name], getattr(row, name)) for name in followed}


def _store(row: MemoryRecord, principal: Principal, changed: Changes, followed: Changes) -> None:
    refresh_derived(row)
    row.edited_at = timezone.now()
    row.version += 1
    row.fusion_due += 1
    row.save()
    show_record(row)
    audit_row(principal, row, EDITED, changed)
    if followed:
        audit_row(principal, row, "record.adapted", followed)

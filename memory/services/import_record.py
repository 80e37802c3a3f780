"""A single fact that is brought along, not said here: a record that rests on no turn.

Checked as a correction is; hash, indexes and evidence as of an encoded record, in one
transaction. Brought twice it is there once (docs/algorithms/curation.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from uuid_utils.compat import uuid7

from accounts.errors import Conflict, InvalidInput
from accounts.models import Space
from accounts.principals import Principal
from accounts.services.tombstones import buried
from memory.domain.encoding import statement_key
from memory.domain.planning import is_first_person, names_in
from memory.domain.temporal import is_given_year
from memory.domain.types import MemoryType
from memory.models import MemoryRecord
from memory.selectors import get_record
from memory.services.composite_rows import Audience
from memory.services.curate_rows import audit_row, reader_of
from memory.services.evidence_rows import count_ingest, hang_records
from memory.services.index import index_items
from memory.services.record_rows import index_item, refresh_derived
from memory.services.record_values import STATED, cleaned_values
from memory.services.rederive import rederive
from memory.stores.names import known_names

_TRIES = 3  # somebody bringing the same fact at the same instant


@dataclass(frozen=True, slots=True)
class Imported:
    """The record that states the fact; `is_new`: whether it was made for it."""

    record: MemoryRecord
    is_new: bool


def import_record(
    principal: Principal,
    values: Mapping[str, object],
    *,
    said_at: datetime | None = None,
    is_private: bool | None = None,
) -> Imported:
    """Remember a fact; what `values` leaves out is read from its text.

    `said_at`: when it was stated, if not now. `is_private`: known to this person alone; None: as the
    space has it. Raises Forbidden, InvalidInput with the faulty field, or Conflict for a statement
    that was erased.
    """
    principal.require_write()
    cleaned = cleaned_values(principal.space_id, values, allowed=STATED)
    now = timezone.now()
    row = _row(principal, cleaned, said_at=_moment(said_at, now), now=now)
    row.private_to_id = principal.user_id if _is_private(principal, is_private) else None
    for attempt in range(1, _TRIES + 1):
        try:
            with transaction.atomic():
                stored, is_new = _store(principal, row)
        except IntegrityError:
            if attempt == _TRIES:
                raise
        else:
            return Imported(get_record(reader_of(principal), stored), is_new)
    raise AssertionError("unreachable")


def _row(
    principal: Principal, cleaned: Mapping[str, object], *, said_at: datetime, now: datetime
) -> MemoryRecord:
    """The unsaved row: as given, and what follows from the text."""
    if "semantic_text" not in cleaned:
        raise InvalidInput.field("semantic_text", _("A record says something."), code="required")
    record_id = uuid7()
    # A session of its own, which nobody can open: no other fact was told together with it.
    row = MemoryRecord(
        id=record_id,
        space_id=principal.space_id,
        session_id=record_id,
        origin=MemoryRecord.Origin.IMPORTED,
        learned_at=now,
        said_at=said_at,
        **{"memory_type": MemoryType.FACT, **cleaned},
    )
    if bool(row.slot) != bool(row.value):
        missing = "value" if row.slot else "slot"
        raise InvalidInput.field(missing, _("An attribute has a name and a value."), code="required")
    if row.valid_from and row.valid_to and row.valid_to <= row.valid_from:
        raise InvalidInput.field("valid_to", _("The end must lie after the beginning."))
    if "subject" not in cleaned:
        row.subject = _subject(principal, row.semantic_text)
    rederive(row, "", by_hand=frozenset(cleaned), reader=reader_of(principal), time_zone=principal.time_zone)
    refresh_derived(row)
    return row


def _subject(principal: Principal, text: str) -> str:
    """Whom the text is about: whom it names first of those known here, else who speaks of themself."""
    named = names_in(text, known_names(reader_of(principal)))
    if named:
        return named[0]
    return principal.speaker if is_first_person(text) else ""


def _store(principal: Principal, row: MemoryRecord) -> tuple[UUID, bool]:
    """Write the row, unless the statement is there already; its id, and whether it was written."""
    if buried(row.space_id, row.private_to_id, [statement_key(row.semantic_text)]):
        message = _("This was erased from the memory; it comes back only when somebody says it again.")
        raise Conflict(message, code="erased")
    live = MemoryRecord.objects.for_space(row.space_id).filter(
        private_to=row.private_to_id,
        content_hash=row.content_hash,
        expired_at__isnull=True,
        superseded_at__isnull=True,
    )
    known = live.values_list("id", flat=True).first()
    if known is not None:
        return known, False
    row.save(force_insert=True)
    index_items([index_item(row, position=0)])
    hang_records(Audience(row.space_id, row.private_to_id), [(row, ())])
    count_ingest(row.space_id)
    audit_row(principal, row, "record.imported")
    return row.id, True


def _moment(said_at: datetime | None, now: datetime) -> datetime:
    if said_at is None:
        return now
    if timezone.is_naive(said_at) or not is_given_year(said_at):
        raise InvalidInput.field("said_at", _("A moment of the years 1000 to 2999 is expected."))
    return said_at


def _is_private(principal: Principal, asked: bool | None) -> bool:  # noqa: FBT001
    if asked is not None:
        return asked
    return Space.objects.filter(pk=principal.space_id, are_sessions_private=True).exists()

"""What every act of curation shares: who may, the locked row, its version, the trail.

An act is one transaction: the row under its lock, what follows for the indexes and for what
is derived of it, and one line of the audit trail with the values before and after.
"""

from typing import Final, Protocol
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from uuid_utils.compat import uuid7

from accounts.errors import Conflict, NotFound
from accounts.principals import Principal
from accounts.services.audit import Changes, record_audit
from memory.domain.types import Kind, Reader
from memory.models import MemoryRecord, RecordEvidence
from memory.selectors import get_record
from memory.services.evidence_rows import refresh_evidence
from memory.services.index import index_items, unindex_items
from memory.services.record_rows import index_item

EDITED_MEANWHILE: Final = "edited_meanwhile"  # the code of a Conflict


class Versioned(Protocol):
    """A row that people change, one version after the other."""

    @property
    def id(self) -> UUID:
        """Its id."""

    @property
    def version(self) -> int:
        """Counted from 1."""


def reader_of(principal: Principal) -> Reader:
    """Who reads."""
    return Reader(space_id=principal.space_id, user_id=principal.user_id)


def require_record(principal: Principal, record_id: UUID) -> MemoryRecord:
    """The record, if this person may see and change it. Raises NotFound, then Forbidden."""
    record = get_record(reader_of(principal), record_id)
    principal.require_write()
    return record


def locked_record(principal: Principal, record_id: UUID) -> MemoryRecord:
    """The row under its lock, in the caller's transaction. Raises NotFound if it was erased meanwhile."""
    rows = MemoryRecord.objects.visible_to(principal.space_id, principal.user_id)
    row: MemoryRecord | None = rows.select_for_update().filter(id=record_id).first()
    if row is None:
        raise NotFound("There is no such record among yours.")
    return row


def require_live(row: MemoryRecord) -> None:
    """Raises Conflict for an expired record."""
    if row.expired_at is not None:
        raise Conflict(_("This record is expired; only live ones can be changed."), code="expired")


def check_version(row: Versioned, version: object) -> None:
    """Raises Conflict unless this version, if one was read, is the present one."""
    if version is not None and version != row.version:
        message = _("Somebody has changed this meanwhile; read it again.")
        raise Conflict(message, code=EDITED_MEANWHILE)


def show_record(row: MemoryRecord) -> None:
    """Let a live row be found, by what it says now and under what it names."""
    first = row.evidence.order_by("id").values_list("turn_index", flat=True).first()
    index_items([index_item(row, position=first or 0)])
    refresh_evidence(row.space_id, [row.id])


def hide_record(row: MemoryRecord) -> None:
    """Let a row that is expired by now be found no more; its words and its places under entities and
    topics go now, its vectors when the outbox is drained.
    """
    unindex_items(row.space_id, Kind.RECORD, [row.id])
    refresh_evidence(row.space_id, [row.id])


def copy_evidence(row: MemoryRecord, links: "QuerySet[RecordEvidence]") -> None:
    """Copies of the links to turns that the record does not rest on yet."""
    known = set(row.evidence.values_list("turn_id", flat=True))
    added: dict[UUID, RecordEvidence] = {}
    for link in links.exclude(turn_id__in=known).order_by("id"):
        link.id, link.record = uuid7(), row
        added.setdefault(link.turn_id, link)
    RecordEvidence.objects.for_space(row.space_id).bulk_create(added.values())


def audit_row(
    principal: Principal, row: Versioned, action: str, changes: Changes | None = None, *, digest: str = ""
) -> None:
    """One line of the trail about the row as it is now; `action` begins with what it is: `record.merged`."""
    record_audit(
        action=action,
        object_type=action.partition(".")[0],
        object_id=row.id,
        space_id=principal.space_id,
        user_id=principal.user_id,
        changes=changes,
        version=row.version,
        digest=digest,
    )

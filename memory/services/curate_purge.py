"""A record is deleted without trace; only a keyed hash stays, which blocks its return.

Gone with the row: its evidence, words, vectors and token vectors, its place in every log, its values
in the audit trail, and what repeats its turns beside them. The turns stay in their conversations, and
so do answers that cite it, and are silent: they yield no memory when encoded again, and their words
are not recalled, whatever else they tell; other records that rest on them are. Composites over the
record go with it and are made anew of what is left. docs/algorithms/curation.md.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction

from accounts.models import AuditEvent
from accounts.principals import Principal
from accounts.services.audit import forget_values
from accounts.services.tombstones import bury
from memory.domain.encoding import normalized_text, statement_key
from memory.models import ItemRating, MemoryRecord, SilencedTurn, UsageCount
from memory.registries import erase_quotations, turn_source, withdraw_turns
from memory.services.citing import answers_citing
from memory.services.composite_rows import withdraw_records
from memory.services.curate_rows import (
    audit_row,
    check_version,
    hide_record,
    locked_record,
    require_record,
)
from memory.services.evidence_rows import remove_evidence
from memory.services.log_erasure import erase_from_logs, erase_told


def purge_record(principal: Principal, record_id: UUID, *, version: int | None = None) -> None:
    """Delete a live or an expired record for good.

    The same statement is remembered again once somebody says it anew. Raises NotFound, also
    where it is gone already, Forbidden, or Conflict if it was changed since `version`.
    """
    require_record(principal, record_id)
    with transaction.atomic():
        row = locked_record(principal, record_id)
        check_version(row, version)
        statements = _statements(row)
        digest, *_earlier = [bury(row.space_id, row.private_to_id, each) for each in statements]
        said = list(row.evidence.values_list("turn_id", flat=True))
        said += answers_citing(row.space_id, [row.id])
        _silence(row, said)
        withdraw_turns(row.space_id, said)
        hide_record(row)
        remove_evidence(row.space_id, [row.id])
        withdraw_records(row.space_id, [row.id])
        erase_from_logs(row.space_id, row.id, row.semantic_text)
        _erase_told(row, said, statements)
        UsageCount.objects.for_space(row.space_id).filter(item_id=row.id).delete()
        ItemRating.objects.for_space(row.space_id).filter(record_id=row.id).delete()
        forget_values(row.space_id, row.id)
        audit_row(principal, row, "record.purged", digest=digest)
        row.delete()


def _statements(row: MemoryRecord) -> list[str]:
    """What the record says, first, and what it said before it was corrected."""
    trail = AuditEvent.objects.filter(space_id=row.space_id, object_id=row.id).exclude(changes={})
    before = [text for event in trail for text in event.changes.get("semantic_text", ())]
    return list(dict.fromkeys(statement_key(text) for text in (row.semantic_text, *before)))


def _erase_told(row: MemoryRecord, turn_ids: Sequence[UUID], statements: Sequence[str]) -> None:
    """Let go what repeats the record or its turns elsewhere than in these."""
    turns = turn_source().current(row.space_id, turn_ids).values()
    told = [normalized_text(each, subject=row.subject) for each in statements]
    told += [turn.text for turn in turns]
    erase_told(row.space_id, turn_ids, told)
    erase_quotations(row.space_id, turn_ids, told)


def _silence(row: MemoryRecord, turn_ids: Iterable[UUID]) -> None:
    SilencedTurn.objects.for_space(row.space_id).bulk_create(
        [
            SilencedTurn(space_id=row.space_id, private_to_id=row.private_to_id, turn_id=turn_id)
            for turn_id in turn_ids
        ],
        ignore_conflicts=True,
    )

"""The values of single-valued attributes put in their order of time, as rows.

Of an attribute's records the older are superseded: they get `valid_to` where the newer
value begins and stay in history. All of it is undone when the newer one goes.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from uuid_utils.compat import uuid7

from memory.config import FusionConfig
from memory.domain.fusion.updates import Claim, Split, Successor, find_splits, find_successors
from memory.domain.tenses import says_since
from memory.domain.text import fold
from memory.domain.types import Role
from memory.models import MemoryRecord, RecordEvidence
from memory.services.composite_rows import (
    Attribute,
    Audience,
    in_batches,
    make_due,
    records_of,
    remove_parents,
)
from memory.services.evidence_rows import refresh_evidence
from memory.services.fuse_duplicates import merge_duplicate
from memory.services.index import index_items, record_items
from memory.services.said_rows import authors_of, part_by_author, turns_of

_SUPERSESSION = ("superseded_by_id", "superseded_at", "valid_to", "stated_valid_to")


@dataclass(frozen=True, slots=True)
class End:
    """How a record stands among the values of its attribute."""

    superseded_by_id: UUID | None
    superseded_at: datetime | None
    valid_to: datetime | None
    stated_valid_to: datetime | None


def settle_attributes(audience: Audience, record_ids: Collection[UUID], config: FusionConfig) -> int:
    """Supersede, by attribute, what the given records and those beside them show to be older.

    Returns how many records are superseded now that were not, or the other way round.
    """
    wanted: set[Attribute] = set()
    for batch in in_batches(sorted(record_ids)):
        slotted = audience.records().filter(id__in=batch).exclude(slot="").exclude(value="")
        wanted.update(
            (fold(subject), slot)
            for subject, slot in slotted.values_list("subject", "slot")
            if slot not in config.plural_slots
        )
    if not wanted:
        return 0
    rows = [ids for _, ids in sorted(records_of(audience, wanted).items())]
    return sum(_settle(audience, ids, config) for ids in _by_author(audience, rows))


def _by_author(audience: Audience, groups: Sequence[list[UUID]]) -> list[list[UUID]]:
    """The records of each attribute apart where people of one name gave it values."""
    if audience.private_to is not None:
        return list(groups)
    turns = turns_of(audience.space_id, [id_ for ids in groups if len(ids) > 1 for id_ in ids])
    authors = {id_: authors_of(said) for id_, said in turns.items()}
    return [part for ids in groups for part in (part_by_author(ids, authors) if len(ids) > 1 else [ids])]


def _settle(audience: Audience, ids: Sequence[UUID], config: FusionConfig) -> int:
    """One attribute: look without a lock, and write under one if there is anything to write."""
    rows = _rows(audience, ids)
    claims = _claims(audience, rows)
    ended = _ended(audience, ids)
    if not find_splits(claims, news=config.news) and not _changes(rows, claims, ended, config):
        return 0
    with transaction.atomic():
        rows = _rows(audience, ids, is_locked=True)
        while splits := find_splits(
            _claims(audience, rows), news=config.news
        ):  # two values of one instant may split twice
            _split(audience, rows, splits)
        changes = _changes(rows, _claims(audience, rows), _ended(audience, ids), config)
        return sum(apply_end(audience, rows[id_], end) for id_, end in _in_safe_order(changes))


def _rows(audience: Audience, ids: Sequence[UUID], *, is_locked: bool = False) -> dict[UUID, MemoryRecord]:
    rows = audience.records().filter(id__in=ids, expired_at__isnull=True).order_by("id")
    return {row.id: row for row in (rows.select_for_update() if is_locked else rows)}


def _ended(audience: Audience, ids: Sequence[UUID]) -> set[UUID]:
    """Those that a live statement without an attribute ended: "I quit my job"."""
    by = {"superseded_by__slot": "", "superseded_by__expired_at": None, "superseded_by__superseded_at": None}
    return set(audience.records().filter(id__in=ids, **by).values_list("id", flat=True))


def _claims(audience: Audience, rows: Mapping[UUID, MemoryRecord]) -> list[Claim]:
    """What the rows claim, and when; what tells of a time that had ended claims nothing of now."""
    moments: dict[UUID, list[datetime]] = {}
    said = RecordEvidence.objects.for_space(audience.space_id).filter(record__in=list(rows))
    for record_id, said_at in said.exclude(said_at=None).values_list("record_id", "said_at"):
        moments.setdefault(record_id, []).append(said_at)
    claims: list[Claim] = []
    for row in rows.values():
        is_past = (end := stated_end(row)) is not None and end <= row.said_at
        is_hearsay = row.source_role == Role.ASSISTANT and not row.is_confirmed
        if row.value and not is_past and not is_hearsay:
            known = [row.valid_from] if row.valid_from else sorted(set(moments.get(row.id, [row.said_at])))
            told_at = row.said_at if row.valid_from else None
            claims.append(
                Claim(row.id, row.value, tuple(known), told_at, is_lasting=says_since(row.semantic_text))
            )
    return claims


def _changes(
    rows: Mapping[UUID, MemoryRecord], claims: Sequence[Claim], ended: Collection[UUID], config: FusionConfig
) -> dict[UUID, End]:
    """The rows that must stand otherwise than they do: pins count first, then what `ended` them."""
    successors = find_successors(claims, news=config.news)
    ends = {id_: _end(row, rows, None if row.is_pinned else successors.get(id_)) for id_, row in rows.items()}
    return {
        id_: end
        for id_, end in ends.items()
        if (rows[id_].is_pinned or id_ not in ended)
        and any(getattr(rows[id_], name) != getattr(end, name) for name in _SUPERSESSION)
    }


def _end(row: MemoryRecord, rows: Mapping[UUID, MemoryRecord], successor: Successor | None) -> End:
    stated = stated_end(row)
    if successor is None:
        return End(None, None, stated, None)
    known = max(row.learned_at, rows[successor.id].learned_at)
    ends = successor.start if stated is None else min(stated, successor.start)
    return End(successor.id, known, ends, stated)


def stated_end(row: MemoryRecord) -> datetime | None:
    """The end that was told of the record, whatever superseded it."""
    return row.valid_to if row.superseded_at is None else row.stated_valid_to


def _in_safe_order(changes: Mapping[UUID, End]) -> list[tuple[UUID, End]]:
    """Superseding first: only one statement of a text is current at a time."""
    return sorted(changes.items(), key=lambda change: (change[1].superseded_at is None, change[0]))


def apply_end(audience: Audience, row: MemoryRecord, end: End) -> bool:
    """Write how a record stands; what is said twice by being current again becomes one."""
    was_superseded = row.superseded_at is not None
    if end.superseded_at is None and was_superseded:
        same = audience.records().filter(
            content_hash=row.content_hash, expired_at__isnull=True, superseded_at__isnull=True
        )
        kept = same.exclude(id=row.id).order_by("id").first()
        if kept is not None:
            merge_duplicate(audience, kept=kept, lost=row)
            return True
    for name in _SUPERSESSION:
        setattr(row, name, getattr(end, name))
    row.save(update_fields=["superseded_by", *_SUPERSESSION[1:]])
    make_due(audience.space_id, [row.id])
    remove_parents(audience.space_id, [row.id])
    return was_superseded != (end.superseded_at is not None)


def _split(audience: Audience, rows: dict[UUID, MemoryRecord], splits: Sequence[Split]) -> None:
    """Make a record of each later time at which a value came back; `rows` gains them.

    All stand as superseded until the order is settled, so that one text is current but once.
    """
    for id_, moment in reversed(splits):
        row = rows[id_]
        links = RecordEvidence.objects.for_space(audience.space_id).filter(record=row, said_at__gte=moment)
        first = links.order_by("said_at", "id")[0]
        made = copy(row)
        made.id, made.said_at, made.fusion_due = uuid7(), moment, 1
        made.learned_at = first.created_at
        made.session_id, made.segment_id = first.session_id, first.segment_id
        made.seen_count = links.values("segment_id").distinct().count()
        for each in (row, made):
            each.stated_valid_to, each.superseded_at = stated_end(each), made.learned_at
        row.seen_count = max(1, row.seen_count - made.seen_count)
        row.save(update_fields=["superseded_at", "stated_valid_to", "seen_count"])
        made.save(force_insert=True)
        links.update(record=made)
        index_items(record_items([made]))
        refresh_evidence(audience.space_id, [row.id, made.id])
        rows[made.id] = made

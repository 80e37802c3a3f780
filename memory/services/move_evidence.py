"""Records that rest on both sides of a border, or became one across it, are parted along it.

One side is the session that goes to another audience, the other is all the rest of its audience. Each turn
stays evidence on its own side: for a record that was one with the record in question, else for a copy of
what can have been said there. Nothing is shown or hidden here.
docs/algorithms/fusion.md, section Another audience.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from uuid import UUID

from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.models import AuditEvent
from memory.domain.text import fold
from memory.models import MemoryRecord, RecordEvidence
from memory.services.composite_rows import Audience, in_batches
from memory.services.curate_merge import MERGED_INTO
from memory.services.fuse_duplicates import DUPLICATE_OF

_ABSORBED = (DUPLICATE_OF, MERGED_INTO)
_NAMES = ("entities", "topics")


@dataclass(slots=True)
class Border:
    """The records that a session's leaving concerns, locked, and what is copied of them.

    `sources`: of each copy the record that it was made of.
    """

    audience: Audience
    session_id: UUID
    rows: dict[UUID, MemoryRecord]
    sources: dict[UUID, UUID] = field(default_factory=dict)

    def is_leaving(self, row: MemoryRecord | RecordEvidence) -> bool:
        """Whether it belongs to the session that leaves."""
        return row.session_id == self.session_id

    def leaving(self) -> list[UUID]:
        """The records that leave, in their order."""
        return sorted(id_ for id_, row in self.rows.items() if self.is_leaving(row))

    def root_of(self, row: MemoryRecord) -> MemoryRecord:
        """What the record has become one with in the end; itself if with nothing."""
        while (into := absorber(row)) is not None and into in self.rows:
            row = self.rows[into]
        return row

    def torn(self) -> list[MemoryRecord]:
        """The records that have become one with a record of the other side."""
        return [
            row
            for _, row in sorted(self.rows.items())
            if (into := self.rows.get(absorber(row) or row.id))
            and self.is_leaving(into) != self.is_leaving(row)
        ]


def absorber(row: MemoryRecord) -> UUID | None:
    """The record that this one is a duplicate of, or was merged into."""
    for prefix in _ABSORBED:
        if row.expired_at is not None and row.expired_reason.startswith(prefix):
            try:
                return UUID(row.expired_reason.removeprefix(prefix))
            except ValueError:  # a person's own words
                return None
    return None


def border_around(audience: Audience, session_id: UUID) -> Border:
    """All records of the audience that were learned in the session or rest on it, and those that are one
    with them, under their locks.
    """
    records = audience.records()
    links = RecordEvidence.objects.for_space(audience.space_id).filter(session_id=session_id)
    found = set(records.filter(session_id=session_id).values_list("id", flat=True))
    found |= set(records.filter(id__in=links.values("record_id")).values_list("id", flat=True))
    rising = found
    while rising:
        met: set[UUID] = set()
        for ids in in_batches(sorted(rising)):
            gone = records.filter(id__in=ids, expired_at__isnull=False)
            met |= {into for row in gone if (into := absorber(row))}
            reasons = [f"{prefix}{id_}" for id_ in ids for prefix in _ABSORBED]
            met |= set(records.filter(expired_reason__in=reasons).values_list("id", flat=True))
        rising = met - found
        found |= rising
    rows: dict[UUID, MemoryRecord] = {}
    for ids in in_batches(sorted(found)):
        rows.update((row.id, row) for row in records.filter(id__in=ids).select_for_update().order_by("id"))
    return Border(audience, session_id, rows)


def part_evidence(border: Border) -> None:
    """Give each turn to a record of its own side, in the caller's transaction."""
    _part_names(border)
    touched: set[UUID] = set()
    # What was merged first: the record that it was merged into holds copies of its evidence.
    for row in sorted(border.rows.values(), key=lambda row: (row.expired_at is None, row.id)):
        links = RecordEvidence.objects.for_space(row.space_id).filter(record=row).order_by("id")
        for link in [each for each in links if border.is_leaving(each) != border.is_leaving(row)]:
            taker = _taker(border, row, link)
            if taker.evidence.filter(turn_id=link.turn_id).exists():
                link.delete()
            else:
                link.record = taker
                link.save(update_fields=["record"])
            touched |= {row.id, taker.id}
    _recount(border, touched)


def _taker(border: Border, row: MemoryRecord, link: RecordEvidence) -> MemoryRecord:
    """The record of the link's side that was one with the row: that of its segment, or of its session,
    before any other. Where there is none, a copy.
    """
    group = _group(border, row)
    own = [each for each in group if border.is_leaving(each) == border.is_leaving(link)]
    if not own:
        return _copied(border, row, [each for each in group if each is not row], link)
    return min(
        own,
        key=lambda each: (each.segment_id != link.segment_id, each.session_id != link.session_id, each.id),
    )


def _group(border: Border, row: MemoryRecord) -> list[MemoryRecord]:
    root = border.root_of(row)
    return [each for _, each in sorted(border.rows.items()) if border.root_of(each) is root]


def _copied(
    border: Border, row: MemoryRecord, others: Iterable[MemoryRecord], link: RecordEvidence
) -> MemoryRecord:
    """A copy as a duplicate of the row. Of several records that the turn may have told, the one that says
    least: what only the other side has said is not told on this one.
    """
    told = [each for each in (row, *others) if _was_there(each, link)] or [row, *others]
    source = min(told, key=lambda each: (len(each.semantic_text), each.id))
    made = copy(source)
    made.id = uuid7()
    made.session_id, made.segment_id = link.session_id, link.segment_id
    made.learned_at = max(link.created_at, source.learned_at)
    made.expired_at, made.expired_reason = timezone.now(), f"{DUPLICATE_OF}{row.id}"
    made.save(force_insert=True)
    border.rows[made.id] = made
    border.sources[made.id] = source.id
    return made


def _was_there(row: MemoryRecord, link: RecordEvidence) -> bool:
    is_gone = row.expired_at is not None and row.expired_at <= link.created_at
    return row.created_at <= link.created_at and not is_gone


def _recount(border: Border, ids: Iterable[UUID]) -> None:
    """When the records were said first, and in how many segments, after their evidence has changed."""
    for id_ in sorted(ids):
        row = border.rows[id_]
        told = list(row.evidence.values_list("said_at", "segment_id"))
        moments = [said_at for said_at, _ in told if said_at]
        row.said_at = min(moments, default=row.said_at)
        row.seen_count = max(1, len({segment_id for _, segment_id in told}))
        row.save(update_fields=["said_at", "seen_count"])


def _part_names(border: Border) -> None:
    """Take from a record what only those brought that a person merged into it and that part from it now:
    names and topics that its own text does not hold, and the line of the trail that tells of them.
    """
    for row in border.torn():
        into = border.rows[absorber(row) or row.id]
        if not row.expired_reason.startswith(MERGED_INTO):
            continue
        others = [
            each
            for each in border.rows.values()
            if absorber(each) == into.id and border.is_leaving(each) == border.is_leaving(into)
        ]
        for name in _NAMES:
            brought = {fold(one) for one in getattr(row, name)}
            kept = {fold(one) for each in others for one in getattr(each, name)}
            text = fold(into.semantic_text)
            left = [
                one
                for one in getattr(into, name)
                if fold(one) not in brought or fold(one) in kept or fold(one) in text
            ]
            setattr(into, name, left)
        into.tags = {
            name: [one for one in tags if one not in row.tags.get(name, []) or _bears(others, name, one)]
            for name, tags in into.tags.items()
        }
        into.save(update_fields=[*_NAMES, "tags"])
        _forget_merging(into, row)


def _bears(rows: Iterable[MemoryRecord], name: str, tag: str) -> bool:
    return any(tag in row.tags.get(name, []) for row in rows)


def _forget_merging(into: MemoryRecord, row: MemoryRecord) -> None:
    for event in AuditEvent.objects.filter(object_id=into.id, action="record.merged"):
        merged: Mapping[str, list[list[str]]] = event.changes
        if any(str(row.id) in ids for ids in merged.get("merged", ())):
            event.changes = {}
            event.save(update_fields=["changes"])

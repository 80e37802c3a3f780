"""Records of one statement become one: the fuller is kept, the other soft-expired.

Its provenance moves to the kept one, so that nothing it rested on is lost.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory.config import FusionConfig
from memory.domain.fusion.duplicates import Pair, Told, find_duplicates
from memory.domain.text import fold
from memory.domain.types import Kind, MemoryType, Reader
from memory.models import IndexedItem, MemoryRecord, RecordEvidence
from memory.services.composite_rows import Audience, in_batches, make_due, remove_parents
from memory.services.drain import NO_VECTOR
from memory.services.evidence_rows import refresh_evidence
from memory.services.fuse_layers import NOBODY, RecordLayer
from memory.services.index import unindex_items
from memory.stores.registry import text_index

DUPLICATE_OF = "duplicate_of:"


def drop_duplicates(
    layer: RecordLayer, audience: Audience, record_ids: Collection[UUID], config: FusionConfig
) -> int:
    """Expire what of these records, and of those like them, says no more than another; how many."""
    pairs = set(_proposed(layer, audience, record_ids, config))
    rows = _rows(audience, {id_ for pair in pairs for id_ in pair})
    told = {row.id: _told(row) for row in rows.values()}
    dropped = 0
    for lost_id, kept_id in sorted(find_duplicates(told, pairs).items()):
        with transaction.atomic():
            current = audience.records().select_for_update().filter(expired_at__isnull=True).order_by("id")
            both = {row.id: row for row in current.filter(id__in=(lost_id, kept_id))}
            if all(id_ in both and both[id_].version == rows[id_].version for id_ in (lost_id, kept_id)):
                merge_duplicate(audience, kept=both[kept_id], lost=both[lost_id])
                dropped += 1
    return dropped


def merge_duplicate(audience: Audience, *, kept: MemoryRecord, lost: MemoryRecord) -> None:
    """Expire one of two equal records and move what it rests on, in the caller's transaction."""
    links = RecordEvidence.objects.for_space(audience.space_id)
    known = links.filter(record=kept).values("turn_id")
    links.filter(record=lost, turn_id__in=list(known.values_list("turn_id", flat=True))).delete()
    links.filter(record=lost).update(record=kept)
    kept.seen_count += lost.seen_count
    kept.said_at = min(kept.said_at, lost.said_at)
    kept.is_pinned = kept.is_pinned or lost.is_pinned
    kept.save(update_fields=["seen_count", "said_at", "is_pinned"])
    make_due(audience.space_id, [kept.id])
    audience.records().filter(superseded_by=lost).update(superseded_by=kept)
    lost.expired_at, lost.expired_reason = timezone.now(), f"{DUPLICATE_OF}{kept.id}"
    lost.save(update_fields=["expired_at", "expired_reason"])
    unindex_items(audience.space_id, Kind.RECORD, [lost.id])
    remove_parents(audience.space_id, [lost.id])
    refresh_evidence(audience.space_id, [kept.id, lost.id])


def _proposed(
    layer: RecordLayer, audience: Audience, record_ids: Collection[UUID], config: FusionConfig
) -> Iterator[Pair]:
    """Pairs worth a look: by likeness, and for texts without a vector by shared words."""
    readable = sorted(id_ for batch in in_batches(sorted(record_ids)) for id_ in layer.items(batch))
    yield from layer.likest(readable, threshold=config.duplicate_cosine, most=config.duplicate_candidates)
    reader = Reader(audience.space_id, audience.private_to or NOBODY)
    index = text_index().open(reader, Kind.RECORD)
    entries = IndexedItem.objects.filter(
        space_id=audience.space_id, private_to=audience.private_to, kind=Kind.RECORD
    )
    for batch in in_batches(sorted(set(record_ids) - set(readable))):
        for uid, terms in entries.filter(uid__in=batch, seq=NO_VECTOR).values_list("uid", "terms"):
            found = index.search(terms.split(), limit=config.text_candidates)
            for other in entries.filter(id__in=found.items.tolist()).values_list("uid", flat=True):
                yield uid, other


def _rows(audience: Audience, ids: Collection[UUID]) -> dict[UUID, MemoryRecord]:
    rows: dict[UUID, MemoryRecord] = {}
    for batch in in_batches(sorted(ids)):
        found = audience.records().filter(id__in=batch, expired_at__isnull=True)
        rows.update((row.id, row) for row in found)
    return rows


def _told(row: MemoryRecord) -> Told:
    """What must be equal besides the words: type, subject, source, era of the value, time."""
    frame = (
        row.memory_type,
        fold(row.subject),
        (row.source_role, row.is_confirmed, row.is_suspicious),
        (row.slot, row.superseded_by_id),
        _time_of(row),
    )
    return Told(
        id=row.id,
        text=row.semantic_text,
        subject=row.subject,
        frame=frame,
        said_at=row.said_at,
        is_fixed=row.edited_at is not None or row.is_pinned,
    )


def _time_of(row: MemoryRecord) -> tuple[object, ...]:
    """When it was; an event without a time of its own was on the day on which it was told."""
    end: datetime | None = row.valid_to if row.superseded_at is None else row.stated_valid_to
    day = row.said_at.date() if row.memory_type == MemoryType.EVENT else None
    is_dated = row.time_ref or row.valid_from
    return row.time_ref, row.valid_from, end, None if is_dated else day

"""A closed segment to records: novelty, encoding, and one transaction that writes.

The encoder is called outside the transaction; rows, evidence, text index and outbox are
written together, so that a crash leaves either all or nothing. Repeating it for the same
segment changes nothing that a person has touched (docs/algorithms/encoding.md).
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from accounts.models import Space
from memory.config import IngestConfig
from memory.domain.novelty import judge_novelty
from memory.domain.segmentation import split_turns
from memory.domain.text import search_terms
from memory.domain.types import EncodedRecord, Encoding, Kind, SegmentText, Turn
from memory.errors import ProviderError
from memory.models import MemoryRecord, RecordEvidence
from memory.providers.offline_language import OfflineLanguage
from memory.providers.offline_language.statements import is_worthless
from memory.providers.registry import language_model, token_counter
from memory.services.index import index_items, unindex_items
from memory.services.record_rows import (
    RecordScope,
    build_evidence,
    build_row,
    cleaned_record,
    evidence_turns,
    hash_of,
    index_item,
)

logger = logging.getLogger(__name__)

MAX_COLLISIONS = 3  # another session writing the same statement at the same instant
SAME_STATEMENT = 0.5  # share of terms by which an edited record is known as the old statement


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a segment. `state` is the segment's: encoded, repaired, fallback or
    skipped; `record_ids` are the records that now rest on it.
    """

    state: str
    record_ids: tuple[UUID, ...] = ()
    added: int = 0
    seen_again: int = 0
    note: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Tally:
    """Counts of one writing."""

    record_ids: list[UUID] = field(default_factory=list)
    added: int = 0
    seen_again: int = 0


def ingest_segment(
    *,
    space_id: UUID,
    private_to: UUID | None,
    session_id: UUID,
    segment_id: UUID,
    segment: SegmentText,
    now: datetime,
    force: bool = False,
    recalled_texts: Sequence[str] = (),
) -> Ingested:
    """Turn a segment into records. `now`: aware UTC; `force` encodes whatever novelty says.

    `recalled_texts` were shown to the speakers for these turns, so their echo is no news.
    """
    config = IngestConfig()
    if not force:
        names = tuple({turn.speaker for turn in segment.turns if turn.speaker})
        novelty = judge_novelty(
            segment.turns,
            recalled_texts=recalled_texts,
            is_empty=lambda text: is_worthless(text, names=names),
            config=config,
        )
        if not novelty.is_new:
            return Ingested(state="skipped", note=novelty.reason)
    encoding, state, note = _encode(segment, config)
    is_screening = Space.objects.filter(id=space_id, is_screening_secrets=True).exists()
    records = [cleaned_record(record, is_screening=is_screening) for record in encoding.records]
    scope = RecordScope(space_id, private_to, session_id, segment_id)
    tally = _write_retrying([r for r in records if r.semantic_text], segment.turns, scope, now=now)
    return Ingested(
        state=state,
        record_ids=tuple(tally.record_ids),
        added=tally.added,
        seen_again=tally.seen_again,
        note=note,
        aliases=dict(encoding.aliases),
    )


def _encode(segment: SegmentText, config: IngestConfig) -> tuple[Encoding, str, str]:
    """Encode in pieces that fit one call; a failing model degrades to the offline engine."""
    model = language_model()
    pieces = [
        replace(segment, turns=turns)
        for turns in split_turns(segment.turns, token_counter().count, limit_tokens=config.cap_tokens)
    ]
    try:
        encodings, note = [model.encode(piece) for piece in pieces], ""
    except ProviderError as error:
        logger.warning("encoding degrades to the offline engine: %s", error.error_code, exc_info=True)
        encodings, note = [OfflineLanguage().encode(piece) for piece in pieces], "the model did not answer"
    origins = {encoding.origin for encoding in encodings}
    state = "encoded"
    if "offline" in origins and model.name != "offline":
        state = "fallback"
    elif "repaired" in origins:
        state = "repaired"
    records = tuple(record for encoding in encodings for record in encoding.records)
    aliases = {name: whom for encoding in encodings for name, whom in encoding.aliases.items()}
    return Encoding(records=records, aliases=aliases), state, note


def _write_retrying(
    records: Sequence[EncodedRecord], turns: Sequence[Turn], scope: RecordScope, *, now: datetime
) -> _Tally:
    """Write; when another session has just written the same statement, look again."""
    for attempt in range(1, MAX_COLLISIONS + 1):
        try:
            with transaction.atomic():
                return _write(records, turns, scope, now=now)
        except IntegrityError:
            if attempt == MAX_COLLISIONS:
                raise
    raise AssertionError("unreachable")


def _write(
    records: Sequence[EncodedRecord], turns: Sequence[Turn], scope: RecordScope, *, now: datetime
) -> _Tally:
    by_index = {turn.index: turn for turn in turns}
    fresh = {hash_of(record): record for record in reversed(records) if evidence_turns(record, by_index)}
    _retire_stale(scope, keep=frozenset(fresh))
    touched = _touched(scope)
    live = {row.content_hash: row for row in _live(scope).filter(content_hash__in=list(fresh))}
    tally = _Tally()
    new: list[tuple[MemoryRecord, list[Turn]]] = []
    for digest, record in reversed(fresh.items()):
        rests_on = evidence_turns(record, by_index)
        if digest in live:
            _see_again(live[digest], rests_on, scope, tally)
        elif not _is_touched(digest, record, rests_on, touched):
            new.append((build_row(record, scope, said_at=rests_on[0].said_at, now=now), rests_on))
    MemoryRecord.objects.for_space(scope.space_id).bulk_create([row for row, _ in new])
    RecordEvidence.objects.for_space(scope.space_id).bulk_create(
        [link for row, rests_on in new for link in build_evidence(row, rests_on, scope.segment_id)]
    )
    index_items([index_item(row, position=rests_on[0].index) for row, rests_on in new])
    tally.added = len(new)
    tally.record_ids.extend(row.id for row, _ in new)
    return tally


def _live(scope: RecordScope) -> QuerySet[MemoryRecord]:
    """Live records with which a statement of this scope may be one: equally private ones."""
    rows = MemoryRecord.objects.for_space(scope.space_id)
    return rows.filter(private_to=scope.private_to, expired_at__isnull=True)


def _retire_stale(scope: RecordScope, *, keep: frozenset[str]) -> None:
    """Remove what an earlier encoding of this segment made and this one does not.

    Records that a person changed, expired ones, and those that rest on other segments too
    are left; from the latter only this segment's evidence goes.
    """
    links = RecordEvidence.objects.for_space(scope.space_id)
    stale = _live(scope).filter(segment_id=scope.segment_id, edited_at__isnull=True)
    stale = stale.exclude(content_hash__in=keep)
    stale_ids = list(stale.values_list("id", flat=True))
    if not stale_ids:
        return
    elsewhere = links.filter(record_id__in=stale_ids).exclude(segment_id=scope.segment_id)
    shared_ids = set(elsewhere.values_list("record_id", flat=True))
    gone = [record_id for record_id in stale_ids if record_id not in shared_ids]
    unindex_items(scope.space_id, Kind.RECORD, gone)
    MemoryRecord.objects.for_space(scope.space_id).filter(id__in=gone).delete()
    links.filter(record_id__in=shared_ids, segment_id=scope.segment_id).delete()
    shared = MemoryRecord.objects.for_space(scope.space_id).filter(id__in=shared_ids, seen_count__gt=1)
    shared.update(seen_count=F("seen_count") - 1)


@dataclass(frozen=True, slots=True)
class _Touched:
    """A record of the segment that a person changed or expired, and its turns."""

    content_hash: str
    terms: frozenset[str]
    turn_ids: frozenset[UUID]


def _touched(scope: RecordScope) -> list[_Touched]:
    rows = MemoryRecord.objects.for_space(scope.space_id).filter(segment_id=scope.segment_id)
    rows = rows.exclude(edited_at__isnull=True, expired_at__isnull=True).prefetch_related("evidence")
    return [
        _Touched(
            row.content_hash,
            frozenset(search_terms(row.semantic_text)),
            frozenset(link.turn_id for link in row.evidence.all()),
        )
        for row in rows
    ]


def _is_touched(digest: str, record: EncodedRecord, rests_on: list[Turn], touched: list[_Touched]) -> bool:
    """Whether a person has already decided about this statement of these turns."""
    terms = frozenset(search_terms(record.semantic_text))
    for row in touched:
        shared = len(terms & row.terms) / max(1, min(len(terms), len(row.terms)))
        if digest == row.content_hash or (rests_on[0].id in row.turn_ids and shared >= SAME_STATEMENT):
            return True
    return False


def _see_again(row: MemoryRecord, rests_on: list[Turn], scope: RecordScope, tally: _Tally) -> None:
    """Add this segment's evidence to a live record; count it once a segment."""
    links = RecordEvidence.objects.for_space(scope.space_id).filter(record=row)
    known = set(links.values_list("turn_id", flat=True))
    is_new_segment = not links.filter(segment_id=scope.segment_id).exists()
    missing = build_evidence(row, [turn for turn in rests_on if turn.id not in known], scope.segment_id)
    RecordEvidence.objects.for_space(scope.space_id).bulk_create(missing)
    if is_new_segment:
        rows = MemoryRecord.objects.for_space(scope.space_id).filter(id=row.id)
        rows.update(seen_count=F("seen_count") + 1)
        tally.seen_again += 1
    tally.record_ids.append(row.id)

"""A closed segment to records: novelty, encoding, and one transaction that writes.

The encoder is called outside the transaction; rows, evidence, text index and outbox are
written together, so that a crash leaves either all or nothing. Repeating it for the same
segment changes nothing that a person has touched (docs/algorithms/encoding.md).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import Space
from accounts.services.tombstones import buried
from memory.config import IngestConfig
from memory.domain.encoding import statement_key, summarised
from memory.domain.novelty import judge_novelty
from memory.domain.segmentation import split_turns
from memory.domain.types import (
    EncodedRecord,
    EncodedRelation,
    EncodedSkill,
    Encoding,
    Kind,
    SegmentText,
    Turn,
)
from memory.errors import ProviderError, ProviderUnavailable
from memory.models import MemoryRecord, RecordEvidence, SilencedTurn
from memory.ports import LanguageModel, OnUsage
from memory.providers.offline_language.statements import is_worthless
from memory.providers.registry import (
    is_model_configured,
    language_model,
    offline_language,
    token_counter,
)
from memory.services.composite_rows import Audience, withdraw_records
from memory.services.entity_rows import drop_orphans, filed_under, learn_aliases
from memory.services.evidence_rows import count_ingest, hang_records, remove_evidence
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

Hold = Callable[[], UUID | None]  # to whom the source is private until the transaction ends
MAX_COLLISIONS = 3  # another session writing the same statement at the same instant


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a segment. `state` is the segment's: encoded, repaired, fallback or
    skipped; `record_ids` are the records that now rest on it; `skills` is what was described
    along with them, for whoever keeps it.
    """

    state: str
    record_ids: tuple[UUID, ...] = ()
    added: int = 0
    seen_again: int = 0
    note: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    skills: tuple[EncodedSkill, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodeBy:
    """Which model encodes, whether rules may stand in for it, and who is told what it took."""

    language: LanguageModel
    may_degrade: bool = True
    on_usage: OnUsage | None = None


@dataclass(slots=True)
class _Tally:
    """Counts of one writing."""

    record_ids: list[UUID] = field(default_factory=list)
    added: int = 0
    seen_again: int = 0


@dataclass(frozen=True, slots=True)
class _Told:
    """What is written: records, the turns they rest on, and who is meant by which name."""

    records: Sequence[EncodedRecord]
    turns: Sequence[Turn]
    aliases: Mapping[str, str]


def ingest_segment(  # noqa: PLR0913 - a segment, whose it is, and how to encode it
    *,
    space_id: UUID,
    private_to: UUID | None,
    session_id: UUID,
    segment_id: UUID,
    segment: SegmentText,
    now: datetime,
    force: bool = False,
    recalled_texts: Sequence[str] = (),
    by: EncodeBy | None = None,
    config: IngestConfig | None = None,
    hold: Hold | None = None,
) -> Ingested:
    """Turn a segment into records. `now`: aware UTC; `force` encodes whatever novelty says.

    `hold` tells to whom they are private as they are written, where that can have changed meanwhile.

    `recalled_texts` were shown to the speakers for these turns, so their echo is no news.
    Raises ProviderError when the model fails and may not degrade; then nothing is changed.
    """
    config = config or IngestConfig()
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
    encoding, state, note = _encode(segment, config, by or EncodeBy(language_model()))
    if config.has_summaries:
        encoding = summarised(encoding)
    is_screening = Space.objects.filter(id=space_id, is_screening_secrets=True).exists()
    records = [cleaned_record(record, is_screening=is_screening) for record in encoding.records]
    scope = RecordScope(space_id, private_to, session_id, segment_id)
    told = _Told([r for r in records if r.semantic_text], segment.turns, encoding.aliases)
    tally = _write_retrying(told, scope, hold, now=now)
    return Ingested(
        state=state,
        record_ids=tuple(tally.record_ids),
        added=tally.added,
        seen_again=tally.seen_again,
        note=note,
        aliases=dict(encoding.aliases),
        skills=encoding.skills,
    )


def _encode(segment: SegmentText, config: IngestConfig, by: EncodeBy) -> tuple[Encoding, str, str]:
    """Encode in pieces that fit one call; those that the model fails at, by rules."""
    model = by.language
    notes: list[str] = []
    encodings: list[Encoding] = []
    for turns in split_turns(segment.turns, token_counter().count, limit_tokens=config.cap_tokens):
        piece = replace(segment, turns=turns)
        try:
            encodings.append(model.encode(piece, on_usage=by.on_usage))
        except ProviderError as error:
            if not by.may_degrade:
                raise
            logger.warning("encoding degrades to rules: %s: %s", error.error_code, error.detail)
            notes.append(f"Encoded by rules: {error.detail}")
            encodings.append(offline_language().encode(piece))
            if isinstance(error, ProviderUnavailable):  # the next piece would wait for it in vain
                model = offline_language()
    is_fallback = bool(notes) or is_model_configured()
    notes += [note for encoding in encodings for note in encoding.notes]
    records = tuple(record for encoding in encodings for record in encoding.records)
    aliases = {name: whom for encoding in encodings for name, whom in encoding.aliases.items()}
    skills = tuple(skill for encoding in encodings for skill in encoding.skills)
    state = _state({encoding.origin for encoding in encodings}, is_fallback=is_fallback)
    return Encoding(records=records, aliases=aliases, skills=skills), state, " ".join(dict.fromkeys(notes))


def _state(origins: set[str], *, is_fallback: bool) -> str:
    """The segment's state; what rules encoded is a fallback where a model should have."""
    if "offline" in origins and is_fallback:
        return "fallback"
    return "repaired" if "repaired" in origins else "encoded"


def _write_retrying(told: _Told, scope: RecordScope, hold: Hold | None, *, now: datetime) -> _Tally:
    """Write; when another session has just written the same statement, look again."""
    for attempt in range(1, MAX_COLLISIONS + 1):
        try:
            with transaction.atomic():
                held = replace(scope, private_to=hold()) if hold else scope
                return _write(told, held, now=now)
        except IntegrityError:
            if attempt == MAX_COLLISIONS:
                raise
    raise AssertionError("unreachable")


def _write(told: _Told, scope: RecordScope, *, now: datetime) -> _Tally:
    by_index = {turn.index: turn for turn in told.turns}
    statements = [statement_key(record.semantic_text) for record in told.records]
    erased = buried(scope.space_id, scope.private_to, statements)
    fresh = {
        hash_of(record): (record, rests_on)
        for record in reversed(told.records)
        if (rests_on := _heard(record, by_index, erased))
    }
    touched = _touched(scope, told.turns)
    _retire_stale(scope, keep=frozenset(fresh), decided=touched.turn_ids)
    live = {row.content_hash: row for row in _same_statements(scope, list(fresh))}
    tally = _Tally()
    audience = Audience(scope.space_id, scope.private_to)
    learned = learn_aliases(audience, told.aliases)
    new: list[tuple[MemoryRecord, list[Turn]]] = []
    relations: list[Sequence[EncodedRelation]] = []
    for digest, (record, rests_on) in reversed(fresh.items()):
        if digest in live:
            _see_again(live[digest], rests_on, scope, tally)
        elif digest not in touched.hashes and rests_on[0].id not in touched.turn_ids:
            meant = filed_under(record, learned.filed)
            new.append((build_row(meant, scope, said_at=rests_on[0].said_at, now=now), rests_on))
            relations.append(meant.relations)
    MemoryRecord.objects.for_space(scope.space_id).bulk_create([row for row, _ in new])
    RecordEvidence.objects.for_space(scope.space_id).bulk_create(
        [link for row, rests_on in new for link in build_evidence(row, rests_on, scope.segment_id)]
    )
    index_items([index_item(row, position=rests_on[0].index) for row, rests_on in new])
    hang_records(audience, [(row, told_of) for (row, _), told_of in zip(new, relations, strict=True)])
    drop_orphans(scope.space_id, learned.entity_ids)
    count_ingest(scope.space_id)
    tally.added = len(new)
    tally.record_ids.extend(row.id for row, _ in new)
    return tally


def _heard(record: EncodedRecord, turns: Mapping[int, Turn], erased: Mapping[str, UUID]) -> list[Turn]:
    """The turns the record rests on; of a statement that was erased, those stored since.

    Ids are UUIDv7: what was stored before the tombstone sorts before it.
    """
    stone = erased.get(statement_key(record.semantic_text))
    return [turn for turn in evidence_turns(record, turns) if stone is None or turn.id > stone]


def _live(scope: RecordScope) -> QuerySet[MemoryRecord]:
    """Live records with which a statement of this scope may be one: equally private ones."""
    rows = MemoryRecord.objects.for_space(scope.space_id)
    return rows.filter(private_to=scope.private_to, expired_at__isnull=True)


def _same_statements(scope: RecordScope, hashes: Sequence[str]) -> QuerySet[MemoryRecord]:
    """Live records to which these statements belong: not one that a newer value superseded,
    unless it came of this segment before. That comes last, so that it counts.
    """
    links = RecordEvidence.objects.for_space(scope.space_id).filter(segment_id=scope.segment_id)
    is_own = Exists(links.filter(record=OuterRef("id")))
    same = _live(scope).filter(content_hash__in=hashes).annotate(is_own=is_own)
    return same.filter(Q(superseded_at__isnull=True) | Q(is_own=True)).order_by("is_own", "id")


def _retire_stale(scope: RecordScope, *, keep: frozenset[str], decided: frozenset[UUID]) -> None:
    """Remove what an earlier encoding of this segment made and this one does not.

    Records that a person changed, expired ones, what else rests on their turns (`decided`),
    and what rests on other segments too are left; from the last this segment's evidence goes.
    """
    links = RecordEvidence.objects.for_space(scope.space_id)
    stale = _live(scope).filter(segment_id=scope.segment_id, edited_at__isnull=True, is_pinned=False)
    stale = stale.exclude(content_hash__in=keep).exclude(evidence__turn_id__in=decided)
    stale_ids = list(stale.values_list("id", flat=True))
    if not stale_ids:
        return
    elsewhere = links.filter(record_id__in=stale_ids).exclude(segment_id=scope.segment_id)
    shared_ids = set(elsewhere.values_list("record_id", flat=True))
    gone = [record_id for record_id in stale_ids if record_id not in shared_ids]
    withdraw_records(scope.space_id, gone)
    unindex_items(scope.space_id, Kind.RECORD, gone)
    remove_evidence(scope.space_id, gone)
    MemoryRecord.objects.for_space(scope.space_id).filter(id__in=gone).delete()
    links.filter(record_id__in=shared_ids, segment_id=scope.segment_id).delete()
    shared = MemoryRecord.objects.for_space(scope.space_id).filter(id__in=shared_ids, seen_count__gt=1)
    shared.update(seen_count=F("seen_count") - 1)


@dataclass(frozen=True, slots=True)
class _Touched:
    """What a person has decided about: statements of the segment, and the turns they rest on.

    Another encoder puts the same statement in other words, so such turns yield nothing new.
    """

    hashes: frozenset[str]
    turn_ids: frozenset[UUID]


def _touched(scope: RecordScope, turns: Sequence[Turn]) -> _Touched:
    rows = MemoryRecord.objects.for_space(scope.space_id).filter(segment_id=scope.segment_id)
    untouched = {"edited_at__isnull": True, "expired_at__isnull": True, "is_pinned": False}
    rows = rows.exclude(**untouched).prefetch_related("evidence")
    links = [link.turn_id for row in rows for link in row.evidence.all()]
    silenced = SilencedTurn.objects.for_space(scope.space_id).filter(turn_id__in=[turn.id for turn in turns])
    links += silenced.values_list("turn_id", flat=True)
    return _Touched(frozenset(row.content_hash for row in rows), frozenset(links))


def _see_again(row: MemoryRecord, rests_on: list[Turn], scope: RecordScope, tally: _Tally) -> None:
    """Add this segment's evidence to a live record; count it once a segment."""
    links = RecordEvidence.objects.for_space(scope.space_id).filter(record=row)
    known = set(links.values_list("turn_id", flat=True))
    is_new_segment = not links.filter(segment_id=scope.segment_id).exists()
    missing = build_evidence(row, [turn for turn in rests_on if turn.id not in known], scope.segment_id)
    RecordEvidence.objects.for_space(scope.space_id).bulk_create(missing)
    first_said = min(turn.said_at for turn in rests_on)
    if first_said < row.said_at:  # an older conversation came in later
        MemoryRecord.objects.for_space(scope.space_id).filter(id=row.id).update(said_at=first_said)
    if is_new_segment:
        rows = MemoryRecord.objects.for_space(scope.space_id).filter(id=row.id)
        rows.update(seen_count=F("seen_count") + 1, fusion_due=F("fusion_due") + 1)
        tally.seen_again += 1
    tally.record_ids.append(row.id)

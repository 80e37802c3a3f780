"""What is remembered, as its reader may see it: lists by keyset, and one record."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, Prefetch, Q, QuerySet

from accounts.errors import InvalidInput, NotFound
from accounts.models import AuditEvent, Job, User
from accounts.paging import Page
from memory.config import REEMBED
from memory.domain.feedback import Outcome
from memory.domain.types import TEXT_KINDS, MemoryType, Reader
from memory.models import (
    Community,
    CompositeRecord,
    Entity,
    EvidenceNode,
    IndexState,
    MemoryRecord,
    ModelStatus,
    RecordEvidence,
    Relation,
    RetrievalLog,
    UsageCount,
)
from memory.providers.model_health import ModelHealth
from memory.providers.registry import embedder, model_healths

LIVE, CURRENT, REPLACED, EXPIRED, ALL = "live", "current", "replaced", "expired", "all"
_MOST_WORDS = 20  # looked for; databases bound the depth of a query
_STRANGE_CURSOR = "Take the cursor from the last page's answer, unchanged."


@dataclass(frozen=True, slots=True)
class RecordFilters:
    """Which records to list; every filter narrows, empty ones do not.

    `since` and `until` bound when it was said, half-open; `as_of` asks what was true then,
    `known_at` what was known then, whatever `state` says of today; `q` are words
    that the text or subject must hold, of which 20 count; `state`: live | expired | all, and of the live
    the current or those that something newer replaced or ended.
    """

    type: MemoryType | None = None
    entity: str = ""
    topic: str = ""
    session_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    q: str = ""
    state: str = LIVE


def list_records(
    reader: Reader, filters: RecordFilters, *, cursor: str = "", limit: int = 50
) -> Page[MemoryRecord]:
    """The reader's records, newest first, with their evidence.

    `cursor` is the last page's `next_cursor`. Raises InvalidInput for one that is none.
    """
    rows = _filtered(_visible(reader), filters)
    total = rows.count()
    if cursor:
        rows = rows.filter(id__lt=_cursor_id(cursor))
    page = list(rows.order_by("-id")[: limit + 1])
    next_cursor = str(page[limit - 1].id) if len(page) > limit else ""
    return Page(items=tuple(page[:limit]), next_cursor=next_cursor, total=total)


def count_records(reader: Reader, filters: RecordFilters) -> int:
    """How many records `list_records` would tell of on all its pages."""
    return _filtered(MemoryRecord.objects.visible_to(reader.space_id, reader.user_id), filters).count()


def get_record(reader: Reader, record_id: UUID) -> MemoryRecord:
    """One record with its evidence.

    Raises NotFound alike for a missing one and for what the reader may not see.
    """
    record = _visible(reader).filter(id=record_id).first()
    if record is None:
        raise NotFound("There is no such record among yours.")
    return record


def record_texts(reader: Reader, ids: Collection[UUID]) -> dict[UUID, str]:
    """What those of the records say that the reader may see."""
    visible = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id)
    return dict(visible.filter(id__in=ids).values_list("id", "semantic_text")) if ids else {}


def replaced_by(reader: Reader, record_id: UUID) -> list[str]:
    """What the records say that this one's value replaced, and that hold again without it, newest first."""
    replaced = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id).filter(
        superseded_by=record_id, expired_at=None
    )
    return list(replaced.order_by("-said_at", "-id").values_list("semantic_text", flat=True))


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a record's history. `who` is empty for what the memory did by itself or a
    person who has left; `changes`: by field, the value before and after, as JSON holds them.
    """

    at: datetime
    action: str  # edited, adapted, pinned, unpinned, expired, restored, merged
    who: str
    user_id: UUID | None
    fields: tuple[str, ...]
    changes: Mapping[str, tuple[Any, Any]]
    version: int | None  # of the record after it; None for changes older than the trail of values


def record_history(reader: Reader, record_id: UUID, *, limit: int = 50) -> list[Change]:
    """Who changed what of a record, newest first. Raises NotFound as get_record does."""
    record = get_record(reader, record_id)
    lines = AuditEvent.objects.filter(object_id=record.id, space_id=record.space_id).order_by("-id")[:limit]
    people = User.objects.in_bulk([line.user_id for line in lines if line.user_id])
    return [_change(line, people) for line in lines]


def _change(line: AuditEvent, people: Mapping[Any, User]) -> Change:
    return Change(
        at=line.at,
        action=line.action.rpartition(".")[2],
        who=people[line.user_id].speaker if line.user_id in people else "",
        user_id=line.user_id,
        fields=tuple(line.fields),
        changes={name: (before, after) for name, (before, after) in line.changes.items()},
        version=line.version,
    )


@dataclass(frozen=True, slots=True)
class Hanging:
    """What hangs on a record, as its reader may see it: the entities it names, how these stand to
    each other, the evidence nodes that lead to it, and the communities of its entities.
    """

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    nodes: tuple[EvidenceNode, ...] = ()
    communities: tuple[Community, ...] = ()


def hanging_of(reader: Reader, record_id: UUID) -> Hanging:
    """Entities by name, relations in their order, nodes by kind; four queries.

    A record that the reader may not see has nothing.
    """
    own = (reader.space_id, reader.user_id)
    nodes = EvidenceNode.objects.visible_to(*own).filter(links__record=record_id, degree__gt=0)
    found = tuple(nodes.select_related("entity").order_by("kind", "label"))
    relations = Relation.objects.visible_to(*own).filter(record=record_id).order_by("id")
    entities = [node.entity for node in found if node.kind == EvidenceNode.Kind.ENTITY and node.entity]
    communities = Community.objects.visible_to(*own).filter(members__entity__in=entities).distinct()
    return Hanging(
        entities=tuple(entities),
        relations=tuple(relations.select_related("source", "target", "record")),
        nodes=found,
        communities=tuple(communities.order_by("id").prefetch_related("members__entity")),
    )


def list_communities(reader: Reader, *, cursor: str = "", limit: int = 20) -> Page[Community]:
    """The communities that the reader may see, the largest first, with their members.

    `cursor` is the last page's `next_cursor`; communities are made anew now and then, and a page
    of those that were goes on at the same size. Raises InvalidInput for one that is none.
    """
    rows = Community.objects.visible_to(reader.space_id, reader.user_id)
    total = rows.count()
    if cursor:
        size, after = _size_and_id(cursor)
        rows = rows.filter(Q(size__lt=size) | Q(size=size, id__gt=after))
    page = list(rows.order_by("-size", "id").prefetch_related("members__entity")[: limit + 1])
    next_cursor = f"{page[limit - 1].size}:{page[limit - 1].id}" if len(page) > limit else ""
    return Page(items=tuple(page[:limit]), next_cursor=next_cursor, total=total)


def _size_and_id(cursor: str) -> tuple[int, UUID]:
    size, _, after = cursor.partition(":")
    if not (size.isascii() and size.isdigit() and len(size) < 10):
        raise InvalidInput.field("cursor", _STRANGE_CURSOR)
    return int(size), _cursor_id(after)


def _visible(reader: Reader) -> QuerySet[MemoryRecord]:
    evidence = RecordEvidence.objects.visible_to(reader.space_id, reader.user_id).order_by("id")
    rows = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id)
    if reader.exclude_session_ids:
        rows = rows.exclude(session_id__in=reader.exclude_session_ids)
    return rows.prefetch_related(Prefetch("evidence", queryset=evidence))


def _filtered(rows: QuerySet[MemoryRecord], filters: RecordFilters) -> QuerySet[MemoryRecord]:
    if filters.known_at:
        rows = rows.filter(_known_at(filters.known_at))
    elif filters.state != ALL:
        rows = rows.filter(expired_at__isnull=filters.state != EXPIRED)
        if filters.state in (CURRENT, REPLACED):
            rows = rows.filter(superseded_at__isnull=filters.state == CURRENT)
    if filters.type:
        rows = rows.filter(memory_type=filters.type)
    if filters.session_id:
        rows = rows.filter(session_id=filters.session_id)
    if filters.since:
        rows = rows.filter(said_at__gte=filters.since)
    if filters.until:
        rows = rows.filter(said_at__lt=filters.until)
    if filters.as_of:
        rows = rows.filter(_true_at(filters.as_of, filters.known_at))
    for name, listed in (("entities", filters.entity), ("topics", filters.topic)):
        if listed:
            rows = rows.filter(_lists(name, listed))
    for word in filters.q.split()[:_MOST_WORDS]:
        rows = rows.filter(_holds("semantic_text", word) | _holds("subject", word))
    return rows


def _known_at(moment: datetime) -> Q:
    """memory.domain.validity as a query: what was learned by then and not yet expired."""
    return Q(learned_at__lte=moment) & (Q(expired_at__isnull=True) | Q(expired_at__gt=moment))


def _true_at(moment: datetime, known_at: datetime | None) -> Q:
    """memory.domain.validity as a query: what held then, by what was known at `known_at`."""
    is_past = Q(superseded_at__isnull=True, valid_to__lte=F("said_at")) | Q(stated_valid_to__lte=F("said_at"))
    begun = Q(valid_from__lte=moment) | Q(valid_from__isnull=True) & (Q(said_at__lte=moment) | is_past)
    is_superseded = Q(superseded_at__isnull=False)
    if known_at is not None:
        is_superseded &= Q(superseded_at__lte=known_at)
    not_ended = Q(valid_to__isnull=True) | Q(valid_to__gt=moment)
    unbounded = Q(memory_type=MemoryType.EVENT) | Q(superseded_at__isnull=True) & not_ended
    unbounded |= Q(superseded_at__isnull=False) & (
        Q(stated_valid_to__isnull=True) | Q(stated_valid_to__gt=moment)
    )
    return begun & ((is_superseded & not_ended) | (~is_superseded & unbounded))


def _lists(field: str, value: str) -> Q:
    """Whether the JSON list of the field holds the value."""
    if connection.features.supports_json_field_contains:
        return Q(**{f"{field}__contains": [value]})
    # SQLite keeps the list as text; the quotes keep "Ann" from matching "Anna".
    return Q(**{f"{field}__icontains": json.dumps(value)})


def _holds(field: str, word: str) -> Q:
    """Whether the field holds the word; SQLite folds the case of ASCII letters only."""
    found = Q(**{f"{field}__icontains": word})
    if not word.isascii():
        for variant in {word.lower(), word.upper(), word.title()} - {word}:
            found |= Q(**{f"{field}__contains": variant})
    return found


def _cursor_id(cursor: str) -> UUID:
    try:
        return UUID(cursor)
    except ValueError:
        raise InvalidInput.field("cursor", _STRANGE_CURSOR) from None


@dataclass(frozen=True, slots=True)
class Reembedding:
    """Vectors that another embedder made, and the job that makes them anew; `job_id` None where
    nobody has asked for it yet.
    """

    job_id: UUID | None
    state: str  # the job's
    done: int
    total: int  # 0: not known yet
    error: str


def reembedding_of(space_id: UUID) -> Reembedding | None:
    """How far a space's re-embedding is; None where there is nothing to do."""
    using = embedder()
    states = IndexState.objects.filter(space_id=space_id, kind__in=TEXT_KINDS)
    is_due = states.exclude(embedder=using.name, dimension=using.dimension).exists()
    jobs = Job.objects.for_space(space_id).filter(kind=REEMBED).order_by("-id")
    job: Job | None = jobs.first()
    if job is None or (not is_due and job.state in (Job.State.DONE, Job.State.FAILED)):
        return Reembedding(None, "", 0, 0, "") if is_due else None
    if job.state == Job.State.DONE:  # of an earlier change
        return Reembedding(None, "", 0, 0, "")
    result = job.result
    return Reembedding(job.id, job.state, int(result.get("done", 0)), int(result.get("total", 0)), job.error)


def composite_titles(reader: Reader, ids: Collection[UUID]) -> dict[UUID, str]:
    """The titles of those of the composites that are there still and have one."""
    if not ids:
        return {}
    visible = CompositeRecord.objects.visible_to(reader.space_id, reader.user_id)
    return dict(visible.filter(id__in=ids).exclude(title="").values_list("id", "title"))


@dataclass(frozen=True, slots=True)
class ModelState:
    """A configured model as its last call showed it, in whichever process; `failure` is its last
    one, in a sentence.
    """

    task: str  # language | embedding
    model: str
    is_failing: bool
    failure: str
    failed_at: datetime | None
    failing_since: datetime | None


def model_states() -> list[ModelState]:
    """The configured models and whether they answered when last asked; none when offline."""
    healths = model_healths()
    rows = {row.task: row for row in ModelStatus.objects.filter(task__in=healths)} if healths else {}
    return [_model_state(task, health, rows.get(task)) for task, health in healths.items()]


def _model_state(task: str, health: ModelHealth, row: ModelStatus | None) -> ModelState:
    """By the row, unless it is of another model or older than what this process saw."""
    is_current = row is not None and row.model == health.model[:200] and row.origin == health.origin[:255]
    is_newer = row is not None and (health.noted_at is None or row.noted_at >= health.noted_at)
    known = row if row is not None and is_current and is_newer else health
    return ModelState(
        task, health.model, known.is_failing, known.failure, known.failed_at, known.failing_since
    )


def list_logs(
    reader: Reader, *, outcome: Outcome | None = None, cursor: str = "", limit: int = 50
) -> Page[RetrievalLog]:
    """The reader's recalls, newest first. Raises InvalidInput for a cursor that is none."""
    rows = RetrievalLog.objects.visible_to(reader.space_id, reader.user_id)
    if outcome is not None:
        rows = rows.filter(outcome=outcome)
    total = rows.count()
    if cursor:
        rows = rows.filter(id__lt=_cursor_id(cursor))
    page = list(rows.order_by("-id")[: limit + 1])
    return Page(tuple(page[:limit]), str(page[limit - 1].id) if len(page) > limit else "", total)


def get_log(reader: Reader, log_id: UUID) -> RetrievalLog:
    """One recall. Raises NotFound alike for a missing and a foreign one."""
    log: RetrievalLog | None = (
        RetrievalLog.objects.visible_to(reader.space_id, reader.user_id).filter(pk=log_id).first()
    )
    if log is None:
        raise NotFound("There is no such recall among yours.")
    return log


def usage_of(reader: Reader, item_id: UUID) -> UsageCount:
    """How an item fares; zeros where nothing is counted yet."""
    counts = UsageCount.objects.visible_to(reader.space_id, reader.user_id).filter(item_id=item_id)
    return counts.first() or UsageCount(item_id=item_id)


def judged_logs(space_id: UUID, *, since: datetime | None = None) -> Iterator[RetrievalLog]:
    """The space's recalls of which it is known what came of them, oldest first: for learning."""
    rows = RetrievalLog.objects.for_space(space_id).exclude(outcome=Outcome.OPEN)
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    return iter(rows.order_by("id").iterator(chunk_size=200))

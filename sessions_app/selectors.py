"""What sessions tell: lists, transcripts, what is not filed yet, counts, the last filing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from accounts.errors import InvalidInput
from accounts.models import Job, Space
from accounts.paging import Page
from accounts.principals import Principal
from memory.domain.types import Reader
from memory.models import IndexedItem, IndexOutbox, MemoryRecord
from sessions_app.config import CONSOLIDATE
from sessions_app.models import Segment, Session, SessionTurn, UsageEntry
from skills.domain.types import SkillState
from skills.selectors import count_by_state

PREVIEW_CHARS = 200
MAX_UNFILED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a list, and what the reader may do with it. `preview` is its last text, cut."""

    id: UUID
    name: str
    title: str
    topic: str
    tags: tuple[str, ...]
    author: str
    is_own: bool
    is_private: bool
    can_describe: bool
    can_delete: bool
    can_change_audience: bool
    turn_count: int
    token_total: int
    created_at: datetime
    last_turn_at: datetime
    preview: str


@dataclass(frozen=True, slots=True)
class Unfiled:
    """Turns [first, end) that are not in memory yet, though searchable; the newest are shown."""

    first_turn: int
    end_turn: int
    tokens: int
    turns: tuple[SessionTurn, ...]


@dataclass(frozen=True, slots=True)
class SpaceStatus:
    """True counts of what this person may see of a space."""

    sessions: int
    turns: int
    tokens: int
    records: int
    skills: int
    draft_skills: int
    open_segments: int
    waiting_segments: int
    failed_segments: int
    fallback_segments: int  # encoded by rules where a model should have
    running_jobs: int
    waiting_jobs: int
    failed_jobs: int
    unindexed: int


def list_sessions(
    principal: Principal, *, cursor: str = "", limit: int = 50, query: str = ""
) -> Page[SessionSummary]:
    """The visible sessions, last used first; `query` is looked for in names and titles.

    Raises InvalidInput for a cursor that is none.
    """
    visible = _visible(principal)
    if query:
        visible = visible.filter(
            Q(name__icontains=query) | Q(title__icontains=query) | Q(topic__icontains=query)
        )
    rows = _after(visible, cursor).order_by("-last_turn_at", "-id").select_related("author")
    last_turn = SessionTurn.objects.for_space(principal.space_id).filter(
        session=OuterRef("pk"), state=SessionTurn.State.COMPLETE, index__gte=OuterRef("turn_count") - 2
    )
    page = list(
        rows.annotate(preview=Subquery(last_turn.order_by("-index").values("content")[:1]))[: limit + 1]
    )
    more = page[limit:]
    return Page(
        items=tuple(_summary(row, principal) for row in page[:limit]),
        next_cursor=_cursor(page[limit - 1]) if more else "",
        total=visible.count(),
    )


def summarize_session(principal: Principal, session: Session) -> SessionSummary:
    """One session as the list shows it."""
    return _summary(session, principal)


def transcript(
    principal: Principal, session: Session, *, cursor: str = "", limit: int = 200, is_newest: bool = False
) -> Page[SessionTurn]:
    """The turns of a visible session in order, interrupted and pending ones included.

    `is_newest` gives the last page instead of the first; the cursor then leads to older ones.
    """
    rows: QuerySet[SessionTurn] = SessionTurn.objects.visible_to(principal.space_id, principal.user_id)
    rows = rows.filter(session=session)
    total = session.turn_count
    if is_newest:
        older = rows.filter(index__lt=_index(cursor)) if cursor else rows
        page = as_they_stand(older.order_by("-index")[: limit + 1])
        next_cursor = str(page[limit - 1].index) if len(page) > limit else ""
        return Page(items=tuple(reversed(page[:limit])), next_cursor=next_cursor, total=total)
    page = as_they_stand(
        rows.filter(index__gte=_index(cursor) if cursor else 0).order_by("index")[: limit + 1]
    )
    next_cursor = str(page[limit].index) if len(page) > limit else ""
    return Page(items=tuple(page[:limit]), next_cursor=next_cursor, total=total)


def as_they_stand(rows: Iterable[SessionTurn]) -> list[SessionTurn]:
    """The turns; an answer whose lease ran out is interrupted, though no sweep has said so yet."""
    now, turns = timezone.now(), list(rows)
    for turn in turns:
        if turn.state == SessionTurn.State.PENDING and turn.lease_until and turn.lease_until <= now:
            turn.state = SessionTurn.State.INTERRUPTED
    return turns


def open_segment(session: Session) -> Unfiled | None:
    """What was said and is not in memory yet, or None."""
    segment: Segment | None = session.segments.filter(state=Segment.State.OPEN).first()
    first = segment.first_turn if segment else session.filed_until
    unfiled = session.turns.filter(
        index__gte=first, state=SessionTurn.State.COMPLETE, is_consolidated=True
    ).exclude(role="system")
    newest = list(unfiled.order_by("-index")[:MAX_UNFILED_SHOWN])
    if not newest:
        return None
    return Unfiled(
        first_turn=first,
        end_turn=newest[0].index + 1,
        tokens=unfiled.aggregate(total=Sum("tokens"))["total"],
        turns=tuple(reversed(newest)),
    )


def list_segments(principal: Principal, session: Session) -> list[Segment]:
    """The segments of a visible session in order."""
    rows = Segment.objects.visible_to(principal.space_id, principal.user_id).filter(session=session)
    return list(rows.order_by("first_turn"))


def space_status(principal: Principal) -> SpaceStatus:
    """How much the space holds and what is under way."""
    scope = (principal.space_id, principal.user_id)
    sessions = _visible(principal).aggregate(turns=Sum("turn_count"), tokens=Sum("token_total"))
    segments = Segment.objects.visible_to(*scope)
    jobs = Job.objects.visible_to(*scope)
    skills = count_by_state(Reader(*scope))
    return SpaceStatus(
        sessions=_visible(principal).count(),
        turns=sessions["turns"] or 0,
        tokens=sessions["tokens"] or 0,
        records=MemoryRecord.objects.visible_to(*scope).filter(expired_at__isnull=True).count(),
        skills=skills[SkillState.ACTIVE],
        draft_skills=skills[SkillState.DRAFT],
        open_segments=segments.filter(state=Segment.State.OPEN).count(),
        waiting_segments=segments.filter(state=Segment.State.CLOSED).count(),
        failed_segments=segments.filter(state=Segment.State.FAILED).count(),
        fallback_segments=segments.filter(state=Segment.State.FALLBACK).count(),
        running_jobs=jobs.filter(state=Job.State.RUNNING).count(),
        waiting_jobs=jobs.filter(state=Job.State.QUEUED).count(),
        failed_jobs=jobs.filter(state=Job.State.FAILED).count(),
        unindexed=_unindexed(principal),
    )


def last_consolidation(principal: Principal, session: Session | None = None) -> Job | None:
    """The newest consolidation of a session, or of any, that this person may see."""
    jobs = Job.objects.visible_to(principal.space_id, principal.user_id).filter(kind=CONSOLIDATE)
    if session is not None:
        jobs = jobs.filter(subject_id=session.id)
    job: Job | None = jobs.order_by("-id").first()
    return job


def sessions_to_hide(principal: Principal, session: Session) -> frozenset[UUID]:
    """The asker's private sessions, where others read the answer along.

    What is said in a shared session is everybody's, so nothing of a private one may flow into
    it. Deleted ones count: their memories stay. In a personal space nobody reads along.
    """
    is_personal = Space.objects.filter(pk=principal.space_id, personal_to_id=principal.user_id).exists()
    if session.private_to_id is not None or is_personal:
        return frozenset()
    private = Session.objects.for_space(principal.space_id).filter(private_to_id=principal.user_id)
    return frozenset(private.values_list("id", flat=True))


def _unindexed(principal: Principal) -> int:
    """Vectors that are due: not those of another member's private sessions."""
    items = IndexedItem.objects.filter(
        Q(private_to__isnull=True) | Q(private_to=principal.user_id), space_id=principal.space_id
    )
    return IndexOutbox.objects.filter(space_id=principal.space_id, item__in=items.values("id")).count()


def _visible(principal: Principal) -> QuerySet[Session]:
    rows: QuerySet[Session] = Session.objects.visible_to(principal.space_id, principal.user_id)
    return rows.filter(deleted_at__isnull=True)


def _summary(row: Session, principal: Principal) -> SessionSummary:
    return SessionSummary(
        id=row.id,
        name=row.name,
        title=row.title,
        topic=row.topic,
        tags=tuple(row.tags),
        author=row.author.speaker,
        is_own=row.author_id == principal.user_id,
        is_private=row.private_to_id is not None,
        can_describe=row.author_id == principal.user_id or principal.can_write,
        can_change_audience=row.author_id == principal.user_id
        and (principal.can_write or row.private_to_id is None),
        can_delete=row.author_id == principal.user_id or principal.role == "owner",
        turn_count=row.turn_count,
        token_total=row.token_total,
        created_at=row.created_at,
        last_turn_at=row.last_turn_at or row.created_at,
        preview=" ".join((getattr(row, "preview", "") or "")[:PREVIEW_CHARS].split()),
    )


def _cursor(row: Session) -> str:
    return f"{(row.last_turn_at or row.created_at).isoformat()}~{row.id}"


def _after(rows: QuerySet[Session], cursor: str) -> QuerySet[Session]:
    if not cursor:
        return rows
    try:
        given, _tilde, last_id = cursor.partition("~")
        at = datetime.fromisoformat(given).astimezone(UTC)
        return rows.filter(Q(last_turn_at__lt=at) | Q(last_turn_at=at, id__lt=UUID(last_id)))
    except (ValueError, OverflowError):
        raise _bad_cursor() from None


def _index(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise _bad_cursor()
    return int(cursor)


def _bad_cursor() -> InvalidInput:
    return InvalidInput.field("cursor", "Take the cursor from the last page's answer, unchanged.")


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What one model took for one purpose on one day (UTC)."""

    day: date
    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    estimated_calls: int  # whose tokens were counted here, as the provider did not say


def usage_by_day(principal: Principal, *, since: date) -> list[UsageRow]:
    """What this person may see of the space's use of models, newest day first.

    The calls of other members' private sessions are theirs.
    """
    entries = UsageEntry.objects.visible_to(principal.space_id, principal.user_id).filter(day__gte=since)
    grouped = entries.values("day", "purpose", "model").annotate(
        calls=Count("id"),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
        cached=Sum("cached_tokens"),
        estimated=Count("id", filter=Q(is_estimated=True)),
    )
    return [
        UsageRow(
            day=row["day"],
            purpose=row["purpose"],
            model=row["model"],
            calls=row["calls"],
            input_tokens=row["read"],
            output_tokens=row["written"],
            cached_tokens=row["cached"],
            estimated_calls=row["estimated"],
        )
        for row in grouped.order_by("-day", "purpose", "model")
    ]

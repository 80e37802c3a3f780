"""The rows that pages show beyond what the selectors tell: turns by place, waiting segments."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from accounts.models import Job, Space
from accounts.principals import Principal
from memory.models import RetrievalLog
from sessions_app.config import CONSOLIDATE
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.selectors import as_they_stand, open_segment

WAITING_SHOWN = 20
STUCK = (Segment.State.CLOSED, Segment.State.FAILED)  # where no job is at work on them
UNFINISHED = (Segment.State.OPEN, *STUCK)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What of a session is not filed yet: its turns can be recalled, its records are to come."""

    session_id: UUID
    title: str
    turns: int
    tokens: int
    can_file: bool
    has_failed: bool = False  # given up until somebody asks for it again


def are_sessions_private(space_id: UUID) -> bool:
    """Whether the space makes a new session private unless it says otherwise."""
    return Space.objects.filter(pk=space_id, are_sessions_private=True).exists()


def turns_between(session: Session, first: int, end: int) -> list[SessionTurn]:
    """The session's turns [first, end) that can be shown: all but the answer being written."""
    rows = as_they_stand(session.turns.filter(index__gte=first, index__lt=end).order_by("index"))
    return [row for row in rows if row.state != SessionTurn.State.PENDING]


def is_answering(session: Session) -> bool:
    """Whether an answer is being written now."""
    pending = session.turns.filter(state=SessionTurn.State.PENDING, lease_until__gt=timezone.now())
    return bool(pending.exists())


def standing_sessions(principal: Principal, session_ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of the sessions that can be opened: the records of a deleted one stay and lead nowhere."""
    visible = Session.objects.visible_to(principal.space_id, principal.user_id)
    standing = visible.filter(pk__in=session_ids, deleted_at__isnull=True)
    return frozenset(standing.values_list("pk", flat=True))


def logs_of(principal: Principal, rows: Sequence[SessionTurn]) -> dict[UUID, RetrievalLog]:
    """The recalls behind the turns, by the turn's id, as far as the reader may see them."""
    turn_ids = {row.retrieval_log_id: row.id for row in rows if row.retrieval_log_id}
    visible = RetrievalLog.objects.visible_to(principal.space_id, principal.user_id)
    return {turn_ids[log.id]: log for log in visible.filter(pk__in=turn_ids)}


def list_waiting(principal: Principal) -> list[Waiting]:
    """Sessions with turns that are not in memory yet, or could not be filed, last used first."""
    visible = Session.objects.visible_to(principal.space_id, principal.user_id).filter(
        deleted_at__isnull=True
    )
    unfinished = Segment.objects.for_space(principal.space_id).filter(
        session=OuterRef("pk"), state__in=UNFINISHED
    )
    sessions = visible.filter(Q(turn_count__gt=F("filed_until")) | Exists(unfinished))
    found = []
    for session in sessions.order_by("-last_turn_at", "-id")[:WAITING_SHOWN]:
        unfiled = open_segment(session)
        stuck = [] if _is_at_work(session) else list(session.segments.filter(state__in=STUCK))
        if unfiled or stuck:
            turns = unfiled.end_turn - unfiled.first_turn if unfiled else 0
            found.append(
                Waiting(
                    session_id=session.id,
                    title=session.title or session.name,
                    turns=turns + sum(each.end_turn - each.first_turn for each in stuck),
                    tokens=(unfiled.tokens if unfiled else 0) + sum(each.tokens for each in stuck),
                    can_file=principal.can_write,
                    has_failed=any(each.state == Segment.State.FAILED or each.attempts for each in stuck),
                )
            )
    return found


def _is_at_work(session: Session) -> bool:
    """Whether a job for the session waits or runs: what is closed is in its hands."""
    jobs = Job.objects.for_space(session.space_id).filter(kind=CONSOLIDATE, subject_id=session.pk)
    return bool(jobs.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists())


def session_titles(principal: Principal, session_ids: Collection[UUID]) -> dict[UUID, str]:
    """What those of the sessions are called that can be opened."""
    visible = Session.objects.visible_to(principal.space_id, principal.user_id)
    standing = visible.filter(pk__in=session_ids, deleted_at__isnull=True)
    return {row.pk: str(row) for row in standing.only("title", "name")}

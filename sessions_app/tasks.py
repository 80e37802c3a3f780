"""Thin tasks: run one job, wake a space's jobs, and the sweep that is the net under it all.

The sweep finds by rows what a lost message, a full broker or a killed process left behind.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from celery import shared_task
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Job
from accounts.services import jobs
from accounts.services.idempotency import forget_old_keys
from memory.config import IngestConfig
from memory.models import FusionLease, IndexLease
from memory.providers.registry import is_model_configured
from memory.selectors import model_states
from sessions_app.config import CONSOLIDATE, AgainConfig
from sessions_app.models import Segment, Session, SessionTurn, Summary
from sessions_app.services.answers import interrupt_expired
from sessions_app.services.segments import ENCODED_AGAIN
from sessions_app.services.sessions import erase_turns, request_filing
from sessions_app.services.usage import is_budget_spent

logger = logging.getLogger(__name__)

ERASE_AFTER = timedelta(hours=1)  # how long a deleted session's turns may wait for their filing
SWEEP_LIMIT = 200  # rows of each kind a sweep takes up; the next one is seconds away


@shared_task  # type: ignore[untyped-decorator]
def run_job(job_id: str) -> str:
    """Carry out a job; returns the state it is in."""
    return str(jobs.run_job(UUID(job_id)).state)


@shared_task  # type: ignore[untyped-decorator]
def run_space_jobs(space_id: str) -> int:
    """Hand every due job of a space to the workers; returns how many."""
    due = jobs.due_jobs(UUID(space_id), timezone.now())
    for job_id in due:
        run_job.delay(str(job_id))
    return len(due)


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> dict[str, int]:
    """Take up what nobody else will: abandoned answers, idle sessions, due jobs, old turns."""
    now = timezone.now()
    expired = SessionTurn.everyone.filter(state=SessionTurn.State.PENDING, lease_until__lt=now)
    interrupted = sum(
        interrupt_expired(space_id, now) for space_id in set(expired.values_list("space_id", flat=True))
    )
    idle = _idle_sessions()
    for session in idle:
        request_filing(session)
    waiting = _sessions_left_waiting()
    for session in waiting:
        request_filing(session, is_flushing=False)
    again = _sessions_to_encode_again(now)
    for session in again:
        request_filing(session, is_flushing=False, is_again=True)
    left = Session.everyone.filter(deleted_at__lt=now - ERASE_AFTER).filter(Exists(_turns_of_it()))
    erased = sum(erase_turns(session) for session in left[:SWEEP_LIMIT])
    due = Job.everyone.filter(jobs.is_due(now)).order_by("created_at").values_list("id", flat=True)
    swept = list(due[:SWEEP_LIMIT])
    for job_id in swept:
        run_job.delay(str(job_id))
    forget_old_keys(now)
    return {
        "interrupted": interrupted,
        "idle": len(idle),
        "waiting": len(waiting),
        "again": len(again),
        "erased": erased,
        "jobs": len(swept),
    }


def release_claims() -> None:
    """Let every lease run out now: for a process that knows it is the only one.

    What the last process was killed over can then be taken up without waiting.
    """
    past = timezone.now() - timedelta(seconds=1)
    Job.everyone.filter(state=Job.State.RUNNING).update(lease_until=past)
    SessionTurn.everyone.filter(state=SessionTurn.State.PENDING).update(lease_until=past)
    Summary.everyone.filter(state=Summary.State.MAKING).update(lease_until=past)
    for leases in (IndexLease, FusionLease):
        leases.objects.update(holder=None, until=None)


def _idle_sessions() -> list[Session]:
    """Sessions with something to file in which nobody has spoken for a while.

    One whose filing failed since is left to a person: the sweep must not repeat it for ever.
    """
    quiet_since = timezone.now() - timedelta(minutes=IngestConfig().idle_minutes)
    taken = Job.everyone.filter(
        kind=CONSOLIDATE,
        subject_id=OuterRef("pk"),
        created_at__gte=OuterRef("last_turn_at"),
        state__in=(Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED),
    )
    quiet = Session.everyone.filter(last_turn_at__lt=quiet_since, deleted_at__isnull=True)
    free = quiet.exclude(Exists(taken))
    open_ones = Segment.everyone.filter(state=Segment.State.OPEN).values("session_id")
    unfiled = free.filter(filed_until__lt=F("turn_count"))[:SWEEP_LIMIT]
    return list(
        {session.pk: session for session in (*unfiled, *free.filter(pk__in=open_ones)[:SWEEP_LIMIT])}.values()
    )


def _sessions_left_waiting() -> list[Session]:
    """Sessions with closed segments for which no job is there any more, nor one that failed."""
    taken = Job.everyone.filter(
        kind=CONSOLIDATE,
        subject_id=OuterRef("session_id"),
        state__in=(Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED),
        created_at__gte=OuterRef("session__last_turn_at"),
    )
    at_work = Job.everyone.filter(
        kind=CONSOLIDATE,
        subject_id=OuterRef("session_id"),
        state__in=(Job.State.QUEUED, Job.State.RUNNING),
    )
    closed = Segment.everyone.filter(
        state=Segment.State.CLOSED,
        session__deleted_at__isnull=True,
        session__last_turn_at__isnull=False,
    )
    waiting = closed.exclude(Exists(taken)).exclude(Exists(at_work)).select_related("session")
    return list({each.session_id: each.session for each in waiting[:SWEEP_LIMIT]}.values())


def _sessions_to_encode_again(now: datetime) -> list[Session]:
    """Sessions with segments that the model failed at and whose pause is over.

    While the model does not answer only one is tried, to find out whether it does again.
    """
    if not is_model_configured():
        return []
    config = AgainConfig()
    at_work = Job.everyone.filter(
        kind=CONSOLIDATE,
        subject_id=OuterRef("session_id"),
        state__in=(Job.State.QUEUED, Job.State.RUNNING),
    )
    failed = Segment.everyone.filter(
        state__in=ENCODED_AGAIN, attempts__lt=config.attempts, session__deleted_at__isnull=True
    ).exclude(Exists(at_work))
    oldest = failed.order_by("encoded_at").select_related("session")[:SWEEP_LIMIT]
    due = [segment for segment in oldest if _is_pause_over(segment, now, config)]
    spent = {space_id for space_id in {each.space_id for each in due} if is_budget_spent(space_id)}
    sessions = {each.session_id: each.session for each in due if each.space_id not in spent}
    is_answering = not any(state.is_failing for state in model_states() if state.task == "language")
    return list(sessions.values())[: config.sessions if is_answering else 1]


def _is_pause_over(segment: Segment, now: datetime, config: AgainConfig) -> bool:
    return segment.encoded_at is None or segment.encoded_at + config.pause(segment.attempts) <= now


def _turns_of_it() -> QuerySet[SessionTurn]:
    return SessionTurn.everyone.filter(session=OuterRef("pk"))

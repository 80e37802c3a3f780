"""Jobs: queued work as rows. Enqueue, claim under a lease, run, retry, end.

A worker may be killed at any instant: the claim is a conditional update, an attempt
counts before its work, and a lease that nobody renews is taken over.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, connections, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.errors import Conflict, LycheeError, NotFound, ProviderError
from accounts.models import Job
from accounts.principals import Principal
from accounts.registries import JobRunner, job_runner, wake_on_commit
from accounts.selectors import get_job
from accounts.services.audit import record_audit

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
HEARTBEAT_SECONDS = 20.0
MAX_ATTEMPTS = 3
BACKOFF = timedelta(seconds=5)  # after the first failure; doubles with each
WAKE_KIND = "job"
RETRY = "retry"  # the argument of a job that a person asks for after a failure

_JOIN_TRIES = 5


def enqueue_job(
    *, space_id: UUID, private_to: UUID | None, kind: str, subject_id: UUID, arguments: dict[str, Any]
) -> Job:
    """Queue work, or join the one that waits for the same subject.

    On joining, what the later request gives wins and what it leaves empty stays: a flush
    once asked for is not forgotten. Workers are woken after the commit.
    """
    for _ in range(_JOIN_TRIES):  # between finding and joining a worker may take the job
        joined = _join_queued(space_id, kind, subject_id, arguments)
        if joined is not None:
            return joined
        try:
            with transaction.atomic():
                job: Job = Job.objects.for_space(space_id).create(
                    space_id=space_id,
                    private_to_id=private_to,
                    kind=kind,
                    subject_id=subject_id,
                    arguments=arguments,
                )
                wake_on_commit(WAKE_KIND, space_id)
                return job
        except IntegrityError:  # somebody queued it meanwhile: join that one
            continue
    raise RuntimeError("A job could neither be queued nor joined.")


def run_job(job_id: UUID, *, runner: JobRunner | None = None) -> Job:
    """Carry out a job if it is due and free; otherwise return it as it stands.

    Retryable failures queue it again after a pause, others and the last attempt end it.
    `runner` carries it out instead of the one registered for its kind.
    Raises NotFound.
    """
    job = _load(job_id)
    holder = uuid4()
    if not _claim(job, holder):
        return _load(job_id)
    try:
        with _heartbeat(job_id, holder):
            result = (runner or job_runner(job.kind))(job_id)
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        _settle_failure(job_id, holder, error)
    else:
        _settle(job_id, holder, state=Job.State.DONE, result=result, error="")
    return _load(job_id)


def retry_job(job: Job, *, user_id: UUID | None) -> Job:
    """Queue the work of a failed job once more, for a person who asks for it; audited.

    The new job's argument RETRY tells its runner that what was given up is to be tried again.
    Raises Conflict for a job that has not failed.
    """
    if job.state != Job.State.FAILED:
        raise Conflict("Only a job that failed can be tried again.")
    with transaction.atomic():
        record_audit(
            action="job.retried",
            object_type="job",
            object_id=job.id,
            space_id=job.space_id,
            user_id=user_id,
        )
        return enqueue_job(
            space_id=job.space_id,
            private_to=job.private_to_id,
            kind=job.kind,
            subject_id=job.subject_id,
            arguments={**job.arguments, RETRY: True},
        )


def retry_visible_job(principal: Principal, job_id: UUID) -> Job:
    """Queue the work of a failed job of this person's space once more; returns the new job.

    Raises NotFound for a job they may not see, Forbidden for a viewer, Conflict for a job that
    has not failed.
    """
    job = get_job(principal, job_id)
    principal.require_write()
    return retry_job(job, user_id=principal.user_id)


def due_jobs(space_id: UUID, now: datetime) -> list[UUID]:
    """The jobs of a space that a worker could take now, oldest first."""
    jobs = Job.objects.for_space(space_id).filter(is_due(now)).order_by("created_at")
    return list(jobs.values_list("id", flat=True))


def is_due(now: datetime) -> Q:
    """The condition under which a job may be taken: waiting, or left by a dead worker."""
    waits = Q(state=Job.State.QUEUED) & (Q(not_before__isnull=True) | Q(not_before__lte=now))
    return waits | Q(state=Job.State.RUNNING, lease_until__lt=now)


def _join_queued(space_id: UUID, kind: str, subject_id: UUID, arguments: dict[str, Any]) -> Job | None:
    with transaction.atomic():
        queued = Job.objects.for_space(space_id).filter(
            kind=kind, subject_id=subject_id, state=Job.State.QUEUED
        )
        job = queued.select_for_update().first()
        if job is None:
            return None
        given = {name: value for name, value in arguments.items() if value}
        job.arguments = {**job.arguments, **given}
        job.save(update_fields=["arguments"])
        wake_on_commit(WAKE_KIND, space_id)
        return job


def _claim(job: Job, holder: UUID) -> bool:
    now = timezone.now()
    free = Job.objects.with_id(job.id).filter(is_due(now))
    # Killed in its last attempt: it must end here, or it would crash workers for ever.
    spent = free.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=Job.State.FAILED,
        error=f"The work was cut off {MAX_ATTEMPTS} times; retry it once the cause is found.",
        finished_at=now,
        lease_until=None,
        lease_holder=None,
    )
    if spent:
        return False
    try:
        with transaction.atomic():
            claimed = free.update(
                state=Job.State.RUNNING,
                attempts=F("attempts") + 1,
                lease_holder=holder,
                lease_until=now + LEASE,
                started_at=now,
                not_before=None,
            )
    except IntegrityError:  # another job for this subject is running; it wakes this one
        return False
    return claimed == 1


@contextmanager
def _heartbeat(job_id: UUID, holder: UUID) -> Iterator[None]:
    """Renew the lease from a thread of its own while the work goes on."""
    is_over = threading.Event()

    def beat() -> None:
        try:
            while not is_over.wait(HEARTBEAT_SECONDS):
                mine = Job.objects.with_id(job_id).filter(lease_holder=holder, state=Job.State.RUNNING)
                if not mine.update(lease_until=timezone.now() + LEASE):
                    return
        finally:
            connections.close_all()

    thread = threading.Thread(target=beat, name=f"lease-of-job-{job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _settle_failure(job_id: UUID, holder: UUID, error: Exception) -> None:
    job = _load(job_id)
    is_final = isinstance(error, LycheeError) and not (
        isinstance(error, ProviderError) and error.is_retryable
    )
    if is_final or job.attempts >= MAX_ATTEMPTS:
        _settle(job_id, holder, state=Job.State.FAILED, error=_sentence(error))
        return
    pause = BACKOFF * 2 ** (job.attempts - 1)
    try:
        with transaction.atomic():
            _settle(
                job_id,
                holder,
                state=Job.State.QUEUED,
                error=_sentence(error),
                not_before=timezone.now() + pause,
                finished_at=None,
            )
    except IntegrityError:  # a later request for the same subject waits: it is the retry
        _settle(job_id, holder, state=Job.State.FAILED, error=_sentence(error))


def _settle(job_id: UUID, holder: UUID, **changes: Any) -> None:
    """Write the outcome, unless the lease was lost, and wake whoever waits behind."""
    changes = {"finished_at": timezone.now(), "lease_until": None, "lease_holder": None, **changes}
    with transaction.atomic():
        job = _load(job_id)
        mine = Job.objects.with_id(job_id).filter(lease_holder=holder, state=Job.State.RUNNING)
        if not mine.update(**changes):
            logger.warning("job %s lost its lease; its outcome is left to the new holder", job_id)
            return
        waiting = Job.objects.for_space(job.space_id).filter(
            kind=job.kind, subject_id=job.subject_id, state=Job.State.QUEUED
        )
        if waiting.exclude(pk=job_id).exists():
            wake_on_commit(WAKE_KIND, job.space_id)


def _sentence(error: Exception) -> str:
    """What to tell a person: our own words, never an exception's text."""
    if isinstance(error, LycheeError):
        return error.detail[:500]
    return f"The work stopped with an internal error ({type(error).__name__}); the log holds the details."


def _load(job_id: UUID) -> Job:
    job = Job.objects.with_id(job_id).first()
    if job is None:
        raise NotFound("There is no such job.")
    return job

"""Jobs: queued once, claimed once, counted before the work, ended for certain."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from accounts import registries
from accounts.errors import InvalidInput, NotFound, ProviderUnavailable
from accounts.models import Job
from accounts.principals import principal_for
from accounts.services import jobs
from accounts.services.jobs import due_jobs, enqueue_job, run_job
from accounts.services.users import register_user

pytestmark = pytest.mark.django_db


class Worker:
    """A job kind whose outcomes are scripted; it keeps what it saw."""

    def __init__(self) -> None:
        self.outcomes: list[dict[str, str] | Exception] = []
        self.seen: list[Job] = []

    def __call__(self, job_id):
        self.seen.append(Job.objects.with_id(job_id).get())
        outcome = self.outcomes.pop(0) if self.outcomes else {"status": "done"}
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(registries, "_job_kinds", dict(registries._job_kinds))
    worker = Worker()
    registries.register_job_kind("test", worker)
    return worker


@pytest.fixture
def alice():
    return principal_for(register_user(username="alice", password="a long walk by the sea"))


def queue(alice, subject=None, **arguments):
    return enqueue_job(
        space_id=alice.space_id,
        private_to=None,
        kind="test",
        subject_id=subject or uuid4(),
        arguments=arguments,
    )


def test_a_job_runs_and_keeps_its_result(alice, worker):
    worker.outcomes = [{"status": "done", "records": "3"}]
    job = run_job(queue(alice, flush=True).id)
    assert (job.state, job.result, job.attempts) == ("done", {"status": "done", "records": "3"}, 1)
    assert job.finished_at
    assert not job.lease_until
    (seen,) = worker.seen
    assert (seen.state, seen.attempts, seen.arguments) == ("running", 1, {"flush": True})
    assert seen.lease_until > timezone.now()


def test_a_job_that_ended_does_not_run_again(alice, worker):
    job = queue(alice)
    run_job(job.id)
    run_job(job.id)
    assert len(worker.seen) == 1


def test_a_second_request_joins_the_waiting_one_and_forgets_nothing(alice, worker):
    subject = uuid4()
    first = queue(alice, subject, flush=True, force=False)
    second = queue(alice, subject, flush=False, force=True)
    assert first.id == second.id
    assert second.arguments == {"flush": True, "force": True}


def test_a_request_during_the_work_waits_behind_it(alice, worker, django_capture_on_commit_callbacks):
    subject = uuid4()
    first = queue(alice, subject)
    waiting: list[Job] = []
    woken: list[str] = []
    registries.set_wake(lambda kind, space_id: woken.append(kind))

    def during(job_id):
        waiting.append(queue(alice, subject))
        assert run_job(waiting[0].id).state == "queued"  # one at a time per subject
        return {}

    registries.register_job_kind("test", during)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            run_job(first.id)
    finally:
        registries.set_wake(None)
    assert waiting[0].id != first.id
    assert woken == ["job", "job"]  # when it was queued, and when the way was free
    registries.register_job_kind("test", worker)
    assert run_job(waiting[0].id).state == "done"


def test_a_retryable_failure_waits_longer_each_time_and_then_ends(alice, worker):
    worker.outcomes = [ProviderUnavailable("The model is away.") for _ in range(3)]
    job_id = queue(alice).id
    pauses = []
    for attempt in (1, 2):
        job = run_job(job_id)
        assert (job.state, job.attempts, job.error) == ("queued", attempt, "The model is away.")
        assert job.not_before is not None
        pauses.append(round((job.not_before - timezone.now()).total_seconds()))
        assert run_job(job_id).attempts == attempt  # not before its time
        Job.objects.with_id(job_id).update(not_before=timezone.now())
    assert pauses == [5, 10]
    job = run_job(job_id)
    assert (job.state, job.attempts) == ("failed", 3)


def test_a_failure_that_repeating_cannot_mend_ends_at_once(alice, worker):
    worker.outcomes = [InvalidInput("That segment is empty.")]
    job = run_job(queue(alice).id)
    assert (job.state, job.attempts, job.error) == ("failed", 1, "That segment is empty.")


def test_an_exceptions_text_never_reaches_the_row(alice, worker):
    worker.outcomes = [ValueError("canary 4111")]
    job = run_job(queue(alice).id)
    assert job.state == "queued"
    assert "canary" not in job.error
    assert "ValueError" in job.error


def test_a_failing_job_leaves_the_retry_to_the_one_that_waits_behind_it(alice):
    subject = uuid4()
    first = queue(alice, subject)

    def during(job_id):
        queue(alice, subject)
        raise ProviderUnavailable("Away.")

    registries.register_job_kind("test", during)
    assert run_job(first.id).state == "failed"
    assert Job.objects.for_space(alice.space_id).get(state="queued").id != first.id


def abandon(job_id, attempts=1):
    """As a killed worker leaves it."""
    Job.objects.with_id(job_id).update(
        state="running",
        attempts=attempts,
        lease_holder=uuid4(),
        lease_until=timezone.now() - timedelta(seconds=1),
    )


def test_a_dead_workers_job_is_taken_over(alice, worker):
    job_id = queue(alice).id
    abandon(job_id)
    assert due_jobs(alice.space_id, timezone.now()) == [job_id]
    job = run_job(job_id)
    assert (job.state, job.attempts) == ("done", 2)


def test_a_job_that_kills_its_worker_three_times_has_failed(alice, worker):
    job_id = queue(alice).id
    abandon(job_id, attempts=3)
    job = run_job(job_id)
    assert job.state == "failed"
    assert "cut off 3 times" in job.error
    assert not worker.seen


def test_a_living_workers_job_is_left_alone(alice, worker):
    job_id = queue(alice).id
    abandon(job_id)
    Job.objects.with_id(job_id).update(lease_until=timezone.now() + timedelta(seconds=30))
    assert due_jobs(alice.space_id, timezone.now()) == []
    assert run_job(job_id).state == "running"
    assert not worker.seen


def test_a_worker_that_lost_its_lease_overwrites_nothing(alice):
    def slow(job_id):
        Job.objects.with_id(job_id).update(lease_holder=uuid4())  # taken over meanwhile
        return {"status": "late"}

    registries.register_job_kind("test", slow)
    job = run_job(queue(alice).id)
    assert (job.state, job.result) == ("running", {})


@pytest.mark.django_db(transaction=True)
def test_the_lease_is_renewed_while_the_work_goes_on(alice, monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT_SECONDS", 0.01)
    renewed = threading.Event()

    def long(job_id):
        before = Job.objects.with_id(job_id).get().lease_until
        assert before
        Job.objects.with_id(job_id).update(lease_until=before - timedelta(seconds=30))
        for _ in range(1_000):
            if Job.objects.with_id(job_id).filter(lease_until__gt=before).exists():
                renewed.set()
                break
            threading.Event().wait(0.01)
        return {}

    registries.register_job_kind("test", long)
    run_job(queue(alice).id)
    assert renewed.is_set()
    assert not any(thread.name.startswith("lease-of-job") for thread in threading.enumerate())


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_once_one_gets_the_job(alice, worker):
    job_id = queue(alice).id
    barrier = threading.Barrier(4)

    def work():
        barrier.wait()
        try:
            run_job(job_id)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(worker.seen) == 1
    assert Job.objects.with_id(job_id).get().state == "done"


def test_an_unknown_job_is_not_found(alice):
    with pytest.raises(NotFound):
        run_job(uuid4())


def test_a_runner_of_ones_own_stands_in_for_the_registered_one(alice, worker):
    own = Worker()
    own.outcomes = [{"status": "mine"}]
    job = run_job(queue(alice).id, runner=own)
    assert (job.state, job.result) == ("done", {"status": "mine"})
    assert not worker.seen

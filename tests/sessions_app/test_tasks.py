"""The sweep finds what messages, workers and people left behind; each task is thin."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import Job
from accounts.services.jobs import enqueue_job
from memory.models import IndexLease
from sessions_app import tasks
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.services.answers import begin_answer, clean_question
from sessions_app.services.sessions import delete_session, open_session, request_filing
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """The jobs that were handed to workers."""
    sent: list[str] = []
    monkeypatch.setattr(tasks.run_job, "delay", sent.append)
    return sent


@pytest.fixture
def session(alice):
    session = open_session(alice, "plans")
    append_turns(
        alice, session, [NewTurn(role="user", content="I sail."), NewTurn(role="assistant", content="Fine.")]
    )
    return session


def age(session, **ago):
    Session.objects.for_space(session.space_id).filter(pk=session.pk).update(
        last_turn_at=timezone.now() - timedelta(**ago)
    )


def jobs_of(session):
    return list(Job.objects.for_space(session.space_id).filter(subject_id=session.id))


def queue(principal, **changes):
    job = enqueue_job(
        space_id=principal.space_id, private_to=None, kind="test", subject_id=uuid4(), arguments={}
    )
    Job.objects.with_id(job.id).update(**changes)
    return str(job.id)


def test_waking_a_space_hands_out_its_due_jobs_only(alice, charlie, sent):
    first, second = queue(alice), queue(alice)
    queue(alice, not_before=timezone.now() + timedelta(minutes=1))
    queue(alice, state="done")
    queue(charlie)
    assert tasks.run_space_jobs(str(alice.space_id)) == 2
    assert sent == [first, second]


def test_the_sweep_hands_out_due_and_abandoned_jobs_of_every_space(alice, charlie, sent):
    waiting = queue(alice)
    paused = queue(charlie, not_before=timezone.now() - timedelta(seconds=1))
    abandoned = queue(charlie, state="running", lease_until=timezone.now() - timedelta(seconds=1))
    queue(alice, state="running", lease_until=timezone.now() + timedelta(seconds=30))
    queue(alice, state="failed")
    assert tasks.sweep()["jobs"] == 3
    assert set(sent) == {waiting, paused, abandoned}


def test_a_session_that_fell_silent_is_filed(session, sent):
    age(session, minutes=9)
    assert tasks.sweep()["idle"] == 0
    age(session, minutes=11)
    assert tasks.sweep()["idle"] == 1
    (job,) = jobs_of(session)
    assert job.arguments["flush"]
    assert sent == [str(job.id)]


def test_an_open_segment_counts_as_something_to_file(session, sent):
    age(session, minutes=11)
    Session.objects.for_space(session.space_id).filter(pk=session.pk).update(filed_until=2)
    assert tasks.sweep()["idle"] == 0
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=2
    )
    assert tasks.sweep()["idle"] == 1


@pytest.mark.parametrize(("state", "again"), [("queued", 0), ("running", 0), ("failed", 0), ("done", 1)])
def test_a_filing_under_way_or_failed_is_not_repeated(session, sent, state, again):
    age(session, minutes=11)
    tasks.sweep()
    Job.objects.for_space(session.space_id).update(
        state=state, lease_until=timezone.now() + timedelta(minutes=1)
    )
    assert tasks.sweep()["idle"] == again


@pytest.mark.parametrize(
    ("state", "waiting"), [("queued", 0), ("running", 0), ("failed", 0), ("done", 1), (None, 1)]
)
def test_a_closed_segment_that_no_job_will_come_to_is_taken_up(session, sent, state, waiting):
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=2, state="closed"
    )
    if state:
        request_filing(session)
        until = timezone.now() + timedelta(minutes=1)
        Job.objects.for_space(session.space_id).update(state=state, lease_until=until)
    assert tasks.sweep()["waiting"] == waiting
    assert not any(job.arguments["flush"] for job in jobs_of(session) if job.state == "queued") or not waiting


def test_a_new_turn_gives_a_failed_filing_another_chance(alice, session, sent):
    age(session, minutes=30)
    tasks.sweep()
    Job.objects.for_space(session.space_id).update(
        state="failed", created_at=timezone.now() - timedelta(minutes=20)
    )
    age(session, minutes=11)
    assert tasks.sweep()["idle"] == 1


def test_an_abandoned_answer_is_interrupted(alice, session, sent):
    begin_answer(alice, session, clean_question(alice, "Hello?"))
    assert tasks.sweep()["interrupted"] == 0
    tasks.release_claims()
    assert tasks.sweep()["interrupted"] == 1
    assert not SessionTurn.objects.for_space(alice.space_id).filter(state="pending").exists()


def test_released_claims_can_be_taken_at_once(alice, sent):
    running = queue(alice, state="running", lease_until=timezone.now() + timedelta(minutes=1))
    IndexLease.objects.create(
        space_id=alice.space_id, holder=uuid4(), until=timezone.now() + timedelta(minutes=1)
    )
    tasks.release_claims()
    tasks.sweep()
    assert sent == [running]
    assert IndexLease.objects.get().holder is None


def test_turns_whose_filing_never_came_are_erased_an_hour_after_deletion(alice, session, sent):
    delete_session(alice, session)
    assert tasks.sweep()["erased"] == 0
    Session.objects.for_space(alice.space_id).update(deleted_at=timezone.now() - timedelta(minutes=61))
    assert tasks.sweep()["erased"] == 2
    assert not SessionTurn.objects.for_space(alice.space_id).exists()
    assert tasks.sweep()["erased"] == 0


def test_a_deleted_session_is_not_filed_as_idle(alice, session, sent):
    delete_session(alice, session)
    Job.objects.for_space(alice.space_id).delete()
    age(session, minutes=11)
    assert tasks.sweep()["idle"] == 0


def test_a_jobs_task_tells_the_state_it_ended_in(alice, monkeypatch):
    job_id = queue(alice, state="done")
    assert tasks.run_job(job_id) == "done"

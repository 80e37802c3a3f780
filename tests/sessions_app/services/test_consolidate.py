"""Consolidation: each segment encoded once, attempts counted, progress kept, killed or not."""

from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.errors import Forbidden, IndexMismatch, ProviderError, ProviderUnavailable
from accounts.models import Job
from accounts.services.jobs import retry_job, run_job
from memory.config import IngestConfig
from memory.models import MemoryRecord, RetrievalLog
from memory.services.ingest import Ingested
from memory.stores.registry import calibration
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.services import consolidate
from sessions_app.services.consolidate import consolidate_session, request_consolidation
from sessions_app.services.sessions import delete_session, open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


class Ingest:
    """An encoder whose outcomes are scripted; by default a record per turn."""

    def __init__(self) -> None:
        self.outcomes: list[Ingested | BaseException] = []
        self.calls: list[SimpleNamespace] = []

    def __call__(self, **call):
        self.calls.append(SimpleNamespace(**call))
        outcome = self.outcomes.pop(0) if self.outcomes else None
        if isinstance(outcome, BaseException):
            raise outcome
        n = len(call["segment"].turns)
        return outcome or Ingested(state="encoded", record_ids=tuple(uuid4() for _ in range(n)), added=n)


@pytest.fixture
def ingest(monkeypatch):
    ingest = Ingest()
    monkeypatch.setattr(consolidate, "ingest_segment", ingest)
    monkeypatch.setattr("sessions_app.services.segments.turn_vectors", lambda space_id, ids: {})
    monkeypatch.setattr(consolidate, "drain_outbox", lambda space_id: 0)
    return ingest


@pytest.fixture
def session(alice):
    return open_session(alice, "plans")


def talk(alice, session, n=1, text="I sail at noon.", **changes):
    return append_turns(
        alice,
        session,
        [NewTurn(role=role, content=text, **changes) for _ in range(n) for role in ("user", "assistant")],
    )


def run(alice, session, **changes):
    job = request_consolidation(alice, session, **{"flush": True, **changes})
    return run_job(job.id)


def again(job):
    """As if the pause between two attempts were over."""
    Job.objects.with_id(job.id).update(not_before=timezone.now())
    return run_job(job.id)


def test_a_flushed_session_becomes_records(alice, session, ingest):
    talk(alice, session)
    job = run(alice, session)
    assert job.state == "done"
    assert {k: v for k, v in job.result.items() if k != "steps"} == {
        "status": "done",
        "segments": 1,
        "records_added": 2,
        "seen_again": 0,
        "skills_added": 0,
        "skill_versions": 0,
        "skipped": 0,
    }
    (step,) = job.result["steps"]
    assert (step["turns"], step["state"], step["closed_because"]) == ([0, 2], "encoded", "flush")
    segment = Segment.objects.for_space(alice.space_id).get()
    assert (segment.state, segment.record_count, segment.attempts) == ("encoded", 2, 1)
    assert segment.encoded_at


def test_the_encoder_gets_the_turns_and_whose_they_are(alice, bob, ingest):
    session = open_session(bob, "diary", private=True)
    talk(bob, session, text="I sail.")
    run(bob, session)
    (call,) = ingest.calls
    segment = Segment.objects.for_space(bob.space_id).get()
    assert (call.space_id, call.private_to, call.session_id, call.segment_id) == (
        bob.space_id,
        bob.user_id,
        session.id,
        segment.id,
    )
    assert [turn.text for turn in call.segment.turns] == ["I sail.", "I sail."]
    assert (call.segment.time_zone, call.force) == ("UTC", False)
    assert Job.objects.for_space(bob.space_id).get().private_to_id == bob.user_id


def test_without_a_flush_the_open_segment_waits(alice, session, ingest):
    talk(alice, session)
    job = run(alice, session, flush=False)
    assert (job.state, job.result["status"], ingest.calls) == ("done", "skipped", [])
    assert Segment.objects.for_space(alice.space_id).get().state == "open"


def test_consolidating_again_adds_nothing(alice, session, ingest):
    talk(alice, session)
    run(alice, session)
    job = run(alice, session)
    assert (job.result["status"], job.result["segments"]) == ("skipped", 0)
    assert len(ingest.calls) == 1


def test_what_is_skipped_says_why(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [Ingested(state="skipped", note="Only questions.")]
    job = run(alice, session)
    assert (job.result["status"], job.result["skipped"]) == ("skipped", 1)
    assert job.result["steps"][0]["note"] == "Only questions."
    assert Segment.objects.for_space(alice.space_id).get().note == "Only questions."


def test_a_skipped_segment_is_encoded_when_forced(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [Ingested(state="skipped", note="Only questions.")]
    run(alice, session)
    job = run(alice, session, force=True)
    assert [call.force for call in ingest.calls] == [False, True]
    assert job.result["records_added"] == 2


def test_marked_turns_reach_the_encoder_only_when_forced(alice, session, ingest):
    talk(alice, session, is_consolidated=False)
    assert run(alice, session).result["segments"] == 0
    run(alice, session, force=True)
    assert [turn.index for turn in ingest.calls[0].segment.turns] == [0, 1]


def test_a_model_that_is_away_is_tried_again_later(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [ProviderUnavailable("The model is away.")]
    job = run(alice, session)
    assert (job.state, job.attempts) == ("queued", 1)
    segment = Segment.objects.for_space(alice.space_id).get()
    assert (segment.state, segment.attempts) == ("closed", 1)
    job = again(job)
    assert (job.state, job.result["records_added"]) == ("done", 2)
    assert Segment.objects.for_space(alice.space_id).get().attempts == 2


def test_one_segment_that_fails_does_not_hold_up_the_others(alice, session, ingest):
    talk(alice, session, text="word " * 800)
    talk(alice, session, text="word " * 800)
    ingest.outcomes = [ProviderUnavailable("Away.")]
    job = run(alice, session)
    assert job.state == "queued"
    states = list(
        Segment.objects.for_space(alice.space_id).order_by("first_turn").values_list("state", flat=True)
    )
    assert states == ["closed", "encoded"]
    job = again(job)
    assert [step["turns"] for step in job.result["steps"]] == [[2, 4], [0, 2]]
    assert len(ingest.calls) == 3


def test_a_segment_that_keeps_failing_has_failed_and_the_job_ends(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [ProviderUnavailable("Away.") for _ in range(3)]
    job = again(again(run(alice, session)))
    segment = Segment.objects.for_space(alice.space_id).get()
    assert (segment.state, segment.attempts, segment.note) == ("failed", 3, "Away.")
    assert job.state == "done"
    assert job.result["steps"][0]["state"] == "failed"
    assert run(alice, session).result["segments"] == 0  # not tried for ever
    assert run(alice, session, force=True).result["records_added"] == 2


def test_a_failure_that_repeating_cannot_mend_is_final(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [ProviderError("Not readable.")]
    assert run(alice, session).state == "done"
    assert Segment.objects.for_space(alice.space_id).get().state == "failed"


class Killed(BaseException):
    """What a SIGKILL would do: nothing after it runs."""


def abandon(job):
    Job.objects.with_id(job.id).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_segment_that_kills_its_worker_every_time_has_failed(alice, session, ingest):
    talk(alice, session)
    Segment.objects.for_space(alice.space_id).create(
        space_id=alice.space_id, session=session, first_turn=0, end_turn=2, state="closed", attempts=3
    )
    Session.objects.for_space(alice.space_id).filter(pk=session.pk).update(filed_until=2)
    job = run(alice, session)
    assert not ingest.calls
    assert job.result["steps"][0]["state"] == "failed"


def test_a_segment_that_was_given_up_is_tried_again_when_a_person_asks(alice, session, ingest):
    talk(alice, session)
    ingest.outcomes = [ProviderError("Not readable.")]
    run(alice, session)
    assert run(alice, session).result["segments"] == 0
    assert run(alice, session, retry=True).result["records_added"] == 2
    assert session.segments.get().state == "encoded"


def test_a_segment_that_killed_its_workers_is_tried_again_when_its_job_is(alice, session, ingest):
    talk(alice, session)
    job = request_consolidation(alice, session, flush=True)
    for _ in range(3):
        ingest.outcomes = [Killed()]
        with pytest.raises(Killed):
            run_job(job.id)
        abandon(job)
    assert run_job(job.id).state == "failed"
    ended = run_job(retry_job(Job.objects.with_id(job.id).get(), user_id=alice.user_id).id)
    assert (ended.state, ended.result["records_added"]) == ("done", 2)


def test_killed_while_encoding_it_goes_on_and_keeps_its_progress(alice, session, ingest):
    talk(alice, session, text="word " * 800)
    talk(alice, session, text="word " * 800)
    job = request_consolidation(alice, session, flush=True)
    ingest.outcomes = [Ingested(state="encoded", added=5), Killed()]
    with pytest.raises(Killed):
        run_job(job.id)
    abandon(job)
    done = run_job(job.id)
    assert (done.state, done.attempts) == ("done", 2)
    assert [step["turns"] for step in done.result["steps"]] == [[0, 2], [2, 4]]
    assert done.result["records_added"] == 7  # 5 before the kill, 2 after
    assert [call.segment.turns[0].index for call in ingest.calls] == [0, 2, 2]


def test_a_kill_between_encoding_and_its_commit_encodes_that_segment_again(
    alice, session, ingest, monkeypatch
):
    talk(alice, session)
    job = request_consolidation(alice, session, flush=True)
    settle = consolidate._settle

    def kill(*args):
        raise Killed

    monkeypatch.setattr(consolidate, "_settle", kill)
    with pytest.raises(Killed):
        run_job(job.id)
    monkeypatch.setattr(consolidate, "_settle", settle)
    abandon(job)
    assert run_job(job.id).result["records_added"] == 2
    assert len({call.segment_id for call in ingest.calls}) == 1


def test_the_reference_holds_aliases_and_the_newest_records_last(alice, session, ingest, monkeypatch):
    talk(alice, session, text="word " * 800)
    ingest.outcomes = [Ingested(state="encoded", added=1, aliases={"my sister": "Ana"})]
    run(alice, session)
    now = timezone.now()
    for n in range(3):
        MemoryRecord.objects.for_space(alice.space_id).create(
            space_id=alice.space_id,
            memory_type="fact",
            semantic_text=f"Fact {n}.",
            normalized_text=f"fact {n}",
            learned_at=now,
            said_at=now,
            content_hash=str(n),
            session_id=session.id,
        )
    talk(alice, session)
    run(alice, session)
    assert ingest.calls[1].segment.reference == ("my sister = Ana", "Fact 0.", "Fact 1.", "Fact 2.")


def test_what_was_recalled_for_the_turns_is_known_as_echo(alice, session, ingest):
    _user, assistant = talk(alice, session)
    log = RetrievalLog.objects.for_space(alice.space_id).create(
        space_id=alice.space_id,
        user_id=alice.user_id,
        query="When do I sail?",
        effort="fast",
        hits=[{"text": "Alice sails at noon."}, {"id": "x"}],
    )
    SessionTurn.objects.for_space(alice.space_id).filter(pk=assistant.pk).update(retrieval_log_id=log.id)
    run(alice, session, retrieved_context="Alice owns a boat.\x00")
    assert ingest.calls[0].recalled_texts == ("Alice sails at noon.", "Alice owns a boat.")


def test_a_day_is_given_to_turns_that_came_without_one(alice, session, ingest):
    said = datetime(2020, 1, 1, tzinfo=UTC)
    day = datetime(2023, 5, 8, tzinfo=UTC)
    talk(alice, session, said_at=said)
    talk(alice, session)
    run(alice, session, session_date=day)
    encoded = [turn.said_at for call in ingest.calls for turn in call.segment.turns]
    assert encoded == [said, said, day, day]
    talk(alice, session)
    run(alice, session, session_date=day + timedelta(days=1))
    times = SessionTurn.objects.for_space(alice.space_id).order_by("index").values_list("said_at", flat=True)
    assert list(times)[2:4] == [day, day]  # filed before, so left alone


def test_a_deleted_session_is_filed_and_then_its_turns_are_gone(alice, session, ingest):
    talk(alice, session)
    delete_session(alice, session)
    job = run_job(Job.objects.for_space(alice.space_id).get(subject_id=session.id).id)
    assert (job.state, job.result["records_added"]) == ("done", 2)
    assert not SessionTurn.objects.for_space(alice.space_id).exists()
    assert Segment.objects.for_space(alice.space_id).get().state == "encoded"


def test_turns_of_a_deleted_session_stay_until_they_are_filed(alice, session, ingest):
    talk(alice, session)
    delete_session(alice, session)
    ingest.outcomes = [ProviderUnavailable("Away.")]
    job = run_job(Job.objects.for_space(alice.space_id).get(subject_id=session.id).id)
    assert job.state == "queued"
    assert SessionTurn.objects.for_space(alice.space_id).count() == 2
    assert again(job).state == "done"
    assert not SessionTurn.objects.for_space(alice.space_id).exists()


def test_a_session_erased_meanwhile_leaves_nothing_to_do(alice, session, ingest):
    job = request_consolidation(alice, session, flush=True)
    Session.objects.for_space(alice.space_id).filter(pk=session.pk).delete()
    assert run_job(job.id).result["segments"] == 0


def test_viewers_consolidate_nothing(vera, ingest):
    session = open_session(vera, "mine")
    with pytest.raises(Forbidden):
        request_consolidation(vera, session, flush=True)


def test_two_requests_are_one_job(alice, session, ingest):
    first = request_consolidation(alice, session, flush=False, retrieved_context="Known.")
    second = request_consolidation(alice, session, flush=True)
    assert first.id == second.id
    assert second.arguments == {
        "flush": True,
        "force": False,
        "skip_skills": False,
        "retrieved_context": "Known.",
    }


def test_done_means_findable_by_meaning(alice, session, ingest, monkeypatch):
    drained: list[UUID] = []
    monkeypatch.setattr(consolidate, "drain_outbox", drained.append)
    talk(alice, session)
    assert run(alice, session).state == "done"
    assert drained == [alice.space_id]


def test_vectors_that_cannot_be_written_do_not_fail_the_job(alice, session, ingest, monkeypatch):
    def fail(space_id):
        raise IndexMismatch("The vectors were made by another embedder.")

    monkeypatch.setattr(consolidate, "drain_outbox", fail)
    talk(alice, session)
    assert run(alice, session).state == "done"


def test_another_configuration_reaches_filing_encoding_and_the_reference(alice, session, ingest):
    now = timezone.now()
    MemoryRecord.objects.for_space(alice.space_id).create(
        space_id=alice.space_id,
        session_id=session.id,
        memory_type="fact",
        semantic_text="Alice sails.",
        normalized_text="sail",
        learned_at=now,
        said_at=now,
        content_hash="1",
    )
    talk(alice, session, n=2)
    bare = IngestConfig(is_eager=True, reference_tokens=0)
    request = request_consolidation(alice, session, flush=True)
    assert run_job(request.id, runner=partial(consolidate_session, config=bare)).state == "done"
    assert [len(call.segment.turns) for call in ingest.calls] == [1, 1, 1, 1]
    assert {call.config for call in ingest.calls} == {bare}
    assert not any(call.segment.reference for call in ingest.calls)
    talk(alice, session)
    run(alice, session)
    assert ingest.calls[-1].config == calibration().for_ingest(IngestConfig()) != bare
    assert ingest.calls[-1].segment.reference == ("Alice sails.",)

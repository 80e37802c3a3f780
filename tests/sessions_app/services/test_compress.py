"""Compression: claimed once, exchanged at once, harmless where it fails, forgotten on request."""

import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.utils import timezone

from accounts.errors import CallLeft
from accounts.models import Job
from accounts.principals import Principal
from accounts.services.jobs import retry_job, run_job
from memory.domain.summaries import Summary as Told
from memory.domain.summaries import SummaryRequest
from memory.domain.types import MemoryType, Usage
from memory.errors import ProviderUnavailable, ReplyRefused
from memory.models import MemoryRecord, RetrievalLog
from memory.services.curate import expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.retention import apply_retention, set_retention
from sessions_app import tasks
from sessions_app.config import COMPRESS, CompressionConfig
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, Session, SessionTurn, Summary, UsageEntry
from sessions_app.services import compress as service
from sessions_app.services.compress import FAILED, Outcome, compress, compress_now, request_compression
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.session_meta import describe_session
from sessions_app.services.sessions import delete_session, open_session
from sessions_app.services.turns import append_turns
from sessions_app.services.window import current_window

pytestmark = pytest.mark.django_db

WORDS = "one two three four five six"  # six tokens and four for the turn


class Model:
    """Summarises by naming the first and the last turn; may fail, or do something meanwhile."""

    name = "scripted"

    def __init__(self) -> None:
        self.requests: list[SummaryRequest] = []
        self.error: Exception | None = None
        self.meanwhile = lambda: None

    def summarize(self, request: SummaryRequest, *, on_usage=None) -> Told:
        self.requests.append(request)
        self.meanwhile()
        if self.error:
            raise self.error
        before = request.previous.facts if request.previous else ()
        return Told(facts=(*before, f"turns {request.turns[0].index} to {request.turns[-1].index}"))


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def session(alice, settings):
    """A budget of 1,000 tokens: 70 turns to the warn line, 90 to the block line."""
    settings.WM_MAX_TOKENS = 2_000
    return open_session(alice, "plans")


def say(alice, session, n, role="user", text=WORDS):
    rows = append_turns(alice, session, [NewTurn(role=role, content=text) for _ in range(n)])
    session.refresh_from_db()
    return rows


def run(session, model, line=700, **how):
    outcome = compress(session, language=model, on_usage=lambda usage: None, line=line, **how)
    session.refresh_from_db()
    return outcome


def summary(session):
    return session.summaries.get(state="ready")


def test_below_the_line_nothing_is_summarised(alice, session, model):
    say(alice, session, 69)
    assert run(session, model) is Outcome.NOTHING
    assert (model.requests, session.summaries.count()) == ([], 0)


def test_older_turns_are_summarised_and_all_of_them_stay(alice, session, model):
    say(alice, session, 70)
    before = list(session.turns.order_by("index").values_list("id", "content", "tokens"))
    assert run(session, model) is Outcome.MADE
    made = summary(session)
    assert (made.first_turn, made.end_turn, made.covered_turns, made.covered_tokens) == (0, 20, 20, 200)
    assert made.is_capped  # the headers of short turns count: one call reaches no further
    assert made.sections == {"facts": ["turns 0 to 19"]}
    assert made.made_by == "scripted"
    assert list(session.turns.order_by("index").values_list("id", "content", "tokens")) == before


def test_the_window_is_the_summary_and_the_turns_after_it(alice, session, model):
    say(alice, session, 70)
    run(session, model)
    window = current_window(session)
    assert [turn.index for turn in window.recent] == list(range(20, 70))
    (anchor,) = window.summaries
    assert anchor.text == "turns 0 to 19\nfacts:\n- turns 0 to 19"
    assert window.used_tokens == 500 + anchor.tokens == window.tokens
    assert (window.left_out, window.summarised_turns) == (0, 20)


def test_the_next_one_extends_the_first(alice, session, model):
    say(alice, session, 70)
    run(session, model)
    first = summary(session)
    say(alice, session, 30)
    assert run(session, model) is Outcome.MADE
    second = summary(session)
    assert (second.first_turn, second.end_turn, second.covered_turns) == (0, 40, 40)
    assert second.sections == {"facts": ["turns 0 to 19", "turns 20 to 39"]}
    assert not Summary.objects.for_space(alice.space_id).filter(pk=first.pk).exists()


def test_a_system_text_stays_beside_the_summary(alice, session, model):
    say(alice, session, 1, role="system", text="Be kind.")
    say(alice, session, 70)
    run(session, model)
    window = current_window(session)
    assert window.recent[0].text == "Be kind."
    assert window.summaries[0].end_turn == 21
    assert window.summarised_turns == 20
    assert window.left_out == 0


def test_after_a_failure_the_history_is_whole_and_the_next_try_waits(alice, session, model):
    say(alice, session, 75)
    model.error = ProviderUnavailable("The server is away.")
    with pytest.raises(ProviderUnavailable):
        run(session, model)
    failed = session.summaries.get()
    assert (failed.state, failed.note, failed.sections) == ("failed", "The server is away.", {})
    window = current_window(session)
    assert (len(window.recent), window.summaries) == (75, ())
    model.error = None
    say(alice, session, 9)
    assert run(session, model) is Outcome.NOTHING
    say(alice, session, 1)
    assert run(session, model) is Outcome.MADE
    assert [row.state for row in session.summaries.all()] == ["ready"]


def test_a_failed_extension_leaves_the_summary_before_it(alice, session, model):
    say(alice, session, 70)
    run(session, model)
    say(alice, session, 40)
    model.error = ReplyRefused()
    with pytest.raises(ReplyRefused):
        run(session, model)
    assert summary(session).end_turn == 20
    assert current_window(session).summaries[0].end_turn == 20


def test_an_answer_goes_on_where_it_fails_and_says_so(alice, session, model):
    say(alice, session, 95)
    model.error = ProviderUnavailable("away")
    assert compress_now(session, language=model, on_usage=lambda usage: None) == FAILED


def test_somebody_who_leaves_gives_the_claim_back(alice, session, model):
    say(alice, session, 95)
    model.error = CallLeft()
    with pytest.raises(CallLeft):
        compress_now(session, language=model, on_usage=lambda usage: None)
    assert session.summaries.count() == 0
    model.error = None
    assert run(session, model) is Outcome.MADE


def test_a_bug_gives_the_claim_back_too(alice, session, model):
    say(alice, session, 95)
    model.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        run(session, model)
    assert session.summaries.count() == 0


def test_two_at_once_are_one(alice, session, model):
    say(alice, session, 95)
    other = Model()
    outcomes = []
    model.meanwhile = lambda: outcomes.append(run(session, other))
    assert run(session, model) is Outcome.MADE
    assert (outcomes, other.requests) == ([Outcome.BUSY], [])


def test_an_answer_waits_for_one_under_way_and_no_longer_than_a_while(alice, session, model, monkeypatch):
    say(alice, session, 95)
    quick = CompressionConfig(wait_seconds=0.3, poll_seconds=0.1)
    monkeypatch.setattr(service, "CompressionConfig", lambda: quick)
    other: Any = Model()
    told = []
    model.meanwhile = lambda: told.append(compress_now(session, language=other, on_usage=lambda usage: None))
    assert run(session, model) is Outcome.MADE
    assert told == [""]
    assert other.requests == []


def test_one_that_was_cut_off_is_taken_up_again(alice, session, model):
    say(alice, session, 95)
    cut_off(session, model)
    making = session.summaries.get()
    assert (making.state, run(session, model)) == ("making", Outcome.BUSY)
    tasks.release_claims()
    assert run(session, model) is Outcome.MADE
    assert summary(session).pk == making.pk
    assert summary(session).attempts == 2


def test_one_that_is_cut_off_again_and_again_ends_as_failed(alice, session, model):
    say(alice, session, 95)
    cut_off(session, model)
    session.summaries.update(attempts=3, lease_until=timezone.now() - timedelta(seconds=1))
    assert run(session, model) is Outcome.NOTHING
    assert session.summaries.get().state == "failed"
    assert len(model.requests) == 1


def cut_off(session, model):
    """A process dies while the model reads: its row stays as it was."""
    rows = []
    model.meanwhile = lambda: rows.extend(session.summaries.all())
    model.error = CallLeft()
    with pytest.raises(CallLeft):
        run(session, model)
    model.error, model.meanwhile = None, lambda: None
    rows[0].save(force_insert=True)


def test_whoever_lost_the_claim_changes_nothing(alice, session, model):
    say(alice, session, 95)
    model.meanwhile = lambda: session.summaries.all().delete()
    assert run(session, model) is Outcome.NOTHING
    assert session.summaries.count() == 0


def test_a_session_deleted_meanwhile_keeps_no_summary(alice, session, model):
    say(alice, session, 95)
    model.meanwhile = lambda: delete_session(alice, session)
    assert run(session, model) is Outcome.NOTHING
    assert Summary.objects.for_space(alice.space_id).count() == 0


def test_deleting_a_session_deletes_its_summary(alice, session, model):
    say(alice, session, 95)
    run(session, model)
    delete_session(alice, session)
    assert Summary.objects.for_space(alice.space_id).count() == 0


def test_a_summary_is_as_private_as_its_session(vera, settings, model):
    settings.WM_MAX_TOKENS = 2_000
    own = open_session(vera, "mine")
    say(vera, own, 80)
    run(own, model)
    assert summary(own).private_to_id == vera.user_id


def test_one_that_is_made_private_while_it_is_read_has_a_private_summary(alice, session, model):
    say(alice, session, 95)
    stale = Session.objects.for_space(alice.space_id).get()
    model.meanwhile = lambda: describe_session(alice, stale, private=True)
    assert run(session, model) is Outcome.MADE
    assert summary(session).private_to_id == alice.user_id


def test_unfinished_answers_are_no_part_of_it(alice, session, model):
    rows = say(alice, session, 80)
    SessionTurn.objects.for_space(alice.space_id).filter(pk=rows[3].pk).update(state="interrupted")
    run(session, model)
    assert 3 not in [turn.index for turn in model.requests[0].turns]


def test_long_results_of_tools_are_shortened_for_the_model_and_stay_stored(alice, session, model):
    (row,) = say(alice, session, 1, role="tool", text=f"Sunny. {WORDS * 300} Rain.")
    say(alice, session, 30)
    run(session, model)
    shown = model.requests[0].turns[0]
    assert "characters left out" in shown.text
    assert shown.tokens <= 600
    row.refresh_from_db()
    assert row.content.endswith("Rain.")


def queue(session) -> Job:
    """The job that is queued, or joined."""
    job = request_compression(session)
    assert job is not None
    return job


class TestJobs:
    def test_past_the_warn_line_a_job_is_queued_once(self, alice, session):
        say(alice, session, 69)
        assert request_compression(session) is None
        say(alice, session, 1)
        job = queue(session)
        assert (job.kind, job.subject_id, job.private_to_id) == (COMPRESS, session.pk, None)
        assert queue(session).pk == job.pk

    def test_none_is_queued_where_the_newest_turns_alone_are_too_long(self, alice, session):
        say(alice, session, 9, text=WORDS * 15)
        assert session.token_total > 700
        assert request_compression(session) is None

    def test_none_is_queued_while_one_is_under_way(self, alice, session, model):
        say(alice, session, 80)
        asked = []
        model.meanwhile = lambda: asked.append(request_compression(session))
        run(session, model)
        assert asked == [None]

    def test_jobs_follow_until_the_session_is_below_the_line(self, alice, session):
        say(alice, session, 400)
        job: Job | None = queue(session)
        ended: list[Job] = []
        while job is not None and len(ended) < 60:
            ended.append(run_job(job.id))
            job = Job.objects.for_space(alice.space_id).filter(kind=COMPRESS, state="queued").first()
        assert {each.state for each in ended} == {"done"}
        session.refresh_from_db()
        window = current_window(session)
        assert window.used_tokens < 700
        assert window.left_out == 0
        assert len(ended) <= 400 * 10 / 100
        assert ended[-1].result["summarised_turns"] == window.summarised_turns

    def test_where_the_model_fails_a_person_may_ask_again(self, alice, session, model, monkeypatch):
        say(alice, session, 80)
        monkeypatch.setattr("sessions_app.services.usage.language_model", lambda: model)
        model.error = ProviderUnavailable("The server is away.")
        job = run_job(queue(session).id)
        assert (job.state, job.error) == (
            "failed",
            "The conversation could not be summarised: The server is away.",
        )
        assert request_compression(session) is None
        model.error = None
        again = run_job(retry_job(job, user_id=None).id)
        assert (again.state, again.result["status"]) == ("done", "made")

    def test_one_that_was_cut_off_goes_on_at_once(self, alice, session, model, monkeypatch):
        say(alice, session, 80)
        monkeypatch.setattr("sessions_app.services.usage.language_model", lambda: model)
        job, rows = queue(session), []
        model.meanwhile = lambda: rows.extend(session.summaries.all())
        run_job(job.id)
        session.summaries.all().delete()
        rows[0].save(force_insert=True)  # as if the worker had died while the model read
        Job.objects.with_id(job.id).update(state="queued")
        again = run_job(job.id)
        assert (again.state, again.result["status"]) == ("done", "made")
        assert summary(session).attempts == 2
        assert rows[0].lease_until > timezone.now()  # its lease had not run out

    def test_a_deleted_session_needs_none(self, alice, session):
        say(alice, session, 80)
        job = queue(session)
        delete_session(alice, session)
        assert run_job(job.id).result == {"status": "nothing to do"}

    def test_what_it_took_is_written_down(self, alice, session, model, monkeypatch):
        say(alice, session, 80)
        monkeypatch.setattr("sessions_app.services.usage.language_model", lambda: model)
        summarize = model.summarize

        def counted(request, *, on_usage=None):
            on_usage(Usage("summarize", "scripted", 90, 9))
            return summarize(request)

        model.summarize = counted
        run_job(queue(session).id)
        entry = UsageEntry.objects.for_space(alice.space_id).get()
        assert (entry.purpose, entry.session_id, entry.input_tokens) == ("summarize", session.pk, 90)


def outlive(owner: Principal, record_id: UUID) -> None:
    """A policy of the space keeps such records no longer."""
    record = MemoryRecord.objects.for_space(owner.space_id).get(pk=record_id)
    set_retention(owner, MemoryType(record.memory_type), days=30)
    apply_retention(owner.space_id, timezone.now() + timedelta(days=60))


class TestForgetting:
    """What a person takes out of memory is in no summary."""

    @pytest.fixture
    def record(self, alice, session):
        """A record of the session's first turn, which is then summarised by rules."""
        append_turns(alice, session, [NewTurn(role="user", content="My sister Rose lives in Paris.")])
        request_consolidation(alice, session, flush=True)
        for job in Job.objects.for_space(alice.space_id).filter(state="queued"):
            run_job(job.id)
        say(alice, session, 80)
        run_job(queue(session).id)
        assert "Paris" in str(summary(session).sections)
        return MemoryRecord.objects.for_space(alice.space_id).get()

    @pytest.mark.parametrize("forget", [expire_record, purge_record, outlive])
    def test_the_summary_goes_and_the_next_one_is_silent(self, alice, session, record, forget):
        forget(alice, record.id)
        assert not session.summaries.filter(state="ready").exists()
        assert current_window(session).summaries == ()
        for job in Job.objects.for_space(alice.space_id).filter(kind=COMPRESS, state="queued"):
            run_job(job.id)
        made = summary(session)
        assert made.end_turn > 1
        assert "Paris" not in str(made.sections)

    @pytest.mark.parametrize("forget", [expire_record, purge_record, outlive])
    @pytest.mark.parametrize("name", ["plans", "elsewhere"])
    def test_what_an_assistant_repeated_later_is_in_none_either(
        self, alice, session, record, model, forget, name
    ):
        forget(alice, record.id)
        later = open_session(alice, name)
        say(alice, later, 1, role="assistant", text="My sister Rose lives in Paris, you said.")
        say(alice, later, 90)
        while run(later, model) is not Outcome.NOTHING:
            pass
        shown = [turn.text for request in model.requests for turn in request.turns]
        assert len(shown) > 20
        assert "Paris" not in str(shown)

    @pytest.mark.parametrize("forget", [expire_record, purge_record, outlive])
    def test_the_summary_of_an_answer_that_cites_it_goes_in_any_session(
        self, alice, session, record, model, forget
    ):
        log = RetrievalLog.objects.for_space(alice.space_id).create(
            space_id=alice.space_id, user_id=alice.user_id, query="Where is Rose?", kept_ids=[str(record.id)]
        )
        other, third = open_session(alice, "other"), open_session(alice, "third")
        for each in (other, third):
            say(alice, each, 1, role="assistant", text="In the French capital [1].")
            say(alice, each, 80)
            run(each, model)
        SessionTurn.objects.for_space(alice.space_id).filter(session=other, index=0).update(
            retrieval_log_id=log.id
        )
        forget(alice, record.id)
        assert not other.summaries.filter(state="ready").exists()
        assert third.summaries.filter(state="ready").exists()

    def test_a_record_that_was_merged_lives_on_and_so_does_what_is_said_of_it(self, alice, session, record):
        append_turns(alice, session, [NewTurn(role="user", content="My sister Rose is living in Paris.")])
        other = MemoryRecord.objects.for_space(alice.space_id).create(
            space_id=alice.space_id,
            memory_type="fact",
            semantic_text="Rose is in Paris.",
            normalized_text="rose is in paris.",
            subject="Rose",
            learned_at=timezone.now(),
            said_at=timezone.now(),
            content_hash="x",
            session_id=session.pk,
        )
        merge_records(alice, other.id, [record.id])
        session.summaries.all().delete()
        run_job(queue(session).id)
        assert "Paris" in str(summary(session).sections)

    def test_one_that_is_being_made_is_not_used(self, alice, session, record, model):
        say(alice, session, 80)
        model.meanwhile = lambda: purge_record(alice, record.id)
        assert run(session, model) is Outcome.NOTHING
        assert session.summaries.count() == 0

    def test_a_record_of_a_turn_that_is_not_summarised_leaves_it(self, alice, session, record):
        made = summary(session)
        append_turns(alice, session, [NewTurn(role="user", content="My brother Tom lives in Oslo.")])
        request_consolidation(alice, session, flush=True)
        for job in Job.objects.for_space(alice.space_id).filter(state="queued", kind="consolidate"):
            run_job(job.id)
        late = MemoryRecord.objects.for_space(alice.space_id).get(semantic_text__contains="Oslo")
        purge_record(alice, late.id)
        assert summary(session).pk == made.pk


def test_turns_summarised_before_they_were_filed_are_filed_with_their_places(alice, session):
    append_turns(alice, session, [NewTurn(role="user", content="My sister Rose lives in Paris.")])
    say(alice, session, 80)
    run_job(queue(session).id)
    assert summary(session).end_turn > 1
    request_consolidation(alice, session, flush=True)
    for job in Job.objects.for_space(alice.space_id).filter(state="queued", kind="consolidate"):
        run_job(job.id)
    record = MemoryRecord.objects.for_space(alice.space_id).get(semantic_text__contains="Paris")
    assert list(record.evidence.values_list("turn_index", flat=True)) == [0]
    assert not session.segments.filter(state=Segment.State.FAILED).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_processes_at_once_one_calls_the_model(alice, session):
    say(alice, session, 95)
    models, start, outcomes = [Model(), Model()], threading.Barrier(2), []
    claimed = threading.Event()

    def work(model):
        model.meanwhile = lambda: claimed.wait(5)
        start.wait(5)
        try:
            outcomes.append(compress(session, language=model, on_usage=lambda usage: None, line=900))
        finally:
            claimed.set()
            connections.close_all()

    threads = [threading.Thread(target=work, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(outcomes) == sorted([Outcome.MADE, Outcome.BUSY])
    assert sum(len(model.requests) for model in models) == 1

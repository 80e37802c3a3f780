"""The claim on a session: one answer at a time, ended exactly once."""

import threading
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from accounts.errors import Conflict, NotFound, SessionBusy
from accounts.models import Job
from accounts.principals import Principal
from accounts.services.jobs import run_job
from memory.models import IndexedItem, RetrievalLog
from sessions_app.domain.types import NewTurn
from sessions_app.models import SessionTurn
from sessions_app.services.answers import (
    Outcome,
    begin_answer,
    clean_question,
    finish_answer,
    interrupt_answer,
    interrupt_expired,
    renew_lease,
)
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import delete_session, open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(alice):
    return open_session(alice, "plans")


def begin(alice, session, text="Where is the key?", **changes):
    given = {"said_at": None, "is_consolidated": True, **changes}
    return begin_answer(alice, session, clean_question(alice, text, **given))


def turns_of(session):
    return list(SessionTurn.objects.for_space(session.space_id).filter(session=session).order_by("index"))


def let_expire(session):
    turns = SessionTurn.objects.for_space(session.space_id)
    turns.filter(state="pending").update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_question_and_its_pending_answer_are_stored_together(alice, session):
    begun = begin(alice, session)
    question, answer = turns_of(session)
    assert (question.index, question.role, question.state) == (0, "user", "complete")
    assert (answer.index, answer.role, answer.state, answer.content) == (1, "assistant", "pending", "")
    lease = answer.lease_until - timezone.now()
    assert timedelta(seconds=50) < lease <= timedelta(seconds=60)
    assert (begun.question, begun.answer) == (question, answer)
    assert [item.uid for item in IndexedItem.objects.filter(session_id=session.id)] == [question.id]


def test_a_second_question_is_told_to_come_back(alice, bob, session):
    begin(alice, session)
    for principal in (alice, bob):
        with pytest.raises(SessionBusy) as raised:
            begin(principal, session)
        assert raised.value.retry_after == 5
    assert len(turns_of(session)) == 2


def test_the_database_allows_one_pending_turn(alice, session):
    begin(alice, session)
    with pytest.raises(IntegrityError), transaction.atomic():
        SessionTurn.objects.for_space(alice.space_id).create(
            space_id=alice.space_id,
            session=session,
            index=9,
            role="assistant",
            state="pending",
            said_at=timezone.now(),
        )


def test_other_sessions_answer_meanwhile(alice, session):
    begin(alice, session)
    begin(alice, open_session(alice, "other"))


def test_a_finished_answer_is_complete_counted_indexed_and_filed_later(alice, session):
    begun = begin(alice, session)
    stored = finish_answer(alice, begun, Outcome("Under the mat.", None))
    assert (stored.state, stored.content, stored.tokens, stored.lease_until) == (
        "complete",
        "Under the mat.",
        8,
        None,
    )
    session.refresh_from_db()
    assert session.turn_count == 2
    assert session.token_total == begun.question.tokens + 8
    assert IndexedItem.objects.filter(uid=stored.id, position=1).exists()
    job = Job.objects.for_space(alice.space_id).get()
    assert (job.kind, job.subject_id, job.arguments["flush"]) == ("consolidate", session.id, False)
    begin(alice, session, "And now?")


def test_an_answer_that_is_not_to_be_filed_queues_nothing(alice, session):
    finish_answer(alice, begin(alice, session, is_consolidated=False), Outcome("Fine.", None))
    assert not Job.objects.for_space(alice.space_id).exists()
    assert [turn.is_consolidated for turn in turns_of(session)] == [False, False]


def test_the_log_of_the_recall_is_closed_with_what_was_kept(alice, session):
    log = RetrievalLog.objects.for_space(alice.space_id).create(
        space_id=alice.space_id, user_id=alice.user_id, query="Where is the key?", effort="fast"
    )
    kept = uuid4()
    stored = finish_answer(alice, begin(alice, session), Outcome("Under the mat [1].", log.id, (kept,)))
    log.refresh_from_db()
    assert (log.kept_ids, log.response_excerpt) == ([str(kept)], "Under the mat [1].")
    assert stored.retrieval_log_id == log.id


def test_secrets_in_an_answer_are_hidden_before_it_is_stored(alice, session):
    stored = finish_answer(alice, begin(alice, session), Outcome("It is sk-proj-abcdefghij0123456789.", None))
    assert "sk-proj" not in stored.content
    other = begin(alice, session)
    interrupt_answer(alice, other, Outcome("It is sk-proj-abcdefghij0123456789 and", None))
    assert "sk-proj" not in turns_of(session)[-1].content


def test_an_interrupted_answer_keeps_its_words_and_frees_the_session(alice, session):
    begun = begin(alice, session)
    assert interrupt_answer(alice, begun, Outcome("Under the", None))
    answer = turns_of(session)[1]
    assert (answer.state, answer.content, answer.lease_until) == ("interrupted", "Under the", None)
    assert not IndexedItem.objects.filter(uid=answer.id).exists()
    assert not Job.objects.for_space(alice.space_id).exists()
    begin(alice, session)


def test_an_answer_ends_once(alice, session):
    begun = begin(alice, session)
    finish_answer(alice, begun, Outcome("Under the mat.", None))
    assert not interrupt_answer(alice, begun, Outcome("", None))
    with pytest.raises(Conflict):
        finish_answer(alice, begun, Outcome("Again.", None))
    assert turns_of(session)[1].content == "Under the mat."


def test_a_dead_writers_claim_is_taken_by_the_next_question(alice, session):
    dead = begin(alice, session)
    let_expire(session)
    begin(alice, session, "Anybody there?")
    assert [turn.state for turn in turns_of(session)] == ["complete", "interrupted", "complete", "pending"]
    with pytest.raises(Conflict):  # it was not dead after all
        finish_answer(alice, dead, Outcome("Late.", None))
    assert not renew_lease(dead)
    session.refresh_from_db()
    assert session.turn_count == 4


@pytest.mark.parametrize("again", ["Where is the key?", " Where is  the\r\nkey? "])
def test_a_question_sent_again_after_its_answer_broke_off_is_stored_once(alice, session, again):
    broken = begin(alice, session)
    interrupt_answer(alice, broken, Outcome("Under the", None))
    begun = begin(alice, session, again)
    assert begun.question == broken.question
    question, answer = turns_of(session)
    assert (question.state, answer.state, answer.content, answer.index) == ("complete", "pending", "", 1)
    finish_answer(alice, begun, Outcome("Under the mat.", None))
    session.refresh_from_db()
    assert session.turn_count == 2
    assert session.token_total == sum(turn.tokens for turn in turns_of(session))
    assert turns_of(session)[1].content == "Under the mat."


def test_an_answer_given_after_its_place_was_filed_is_filed_too(alice, session):
    interrupt_answer(alice, begin(alice, session), Outcome("The key hangs", log_id=None))
    run_job(request_consolidation(alice, session, flush=True).id)
    session.refresh_from_db()
    assert session.filed_until == 2
    finish_answer(alice, begin(alice, session), Outcome("The key hangs behind Anna's door.", log_id=None))
    late = session.segments.get(closed_because="late")
    assert (late.first_turn, late.end_turn, late.state) == (1, 2, "closed")
    run_job(Job.objects.for_space(alice.space_id).get(state="queued").id)
    late.refresh_from_db()
    assert late.state != "closed"


def test_an_answer_whose_place_was_not_filed_waits_for_its_segment(alice, session):
    finish_answer(alice, begin(alice, session), Outcome("Behind the door.", log_id=None))
    assert not session.segments.exists()


def test_a_dead_writer_cannot_end_the_answer_that_took_its_place(alice, session):
    dead = begin(alice, session)
    let_expire(session)
    begun = begin(alice, session)
    assert begun.question == dead.question
    with pytest.raises(Conflict):
        finish_answer(alice, dead, Outcome("Late.", None))
    assert not renew_lease(dead)
    assert finish_answer(alice, begun, Outcome("In time.", None)).content == "In time."


def test_a_question_is_asked_anew_where_another_asks_it_or_in_another_way(alice, bob, session):
    others: list[tuple[Principal, dict[str, object]]] = [
        (bob, {}),
        (alice, {"is_consolidated": False}),
        (alice, {"text": "Where are they?"}),
    ]
    for who, changes in others:
        interrupt_answer(alice, begin(alice, session), Outcome("", None))
        before = len(turns_of(session))
        interrupt_answer(who, begin(who, session, **changes), Outcome("", None))
        assert len(turns_of(session)) == before + 2


def test_a_question_that_was_answered_or_followed_is_asked_anew(alice, session):
    finish_answer(alice, begin(alice, session), Outcome("Under the mat.", None))
    interrupt_answer(alice, begin(alice, session), Outcome("", None))
    assert len(turns_of(session)) == 4
    append_turns(alice, session, [NewTurn(role="user", content="One more thing.")])
    begin(alice, session)
    assert len(turns_of(session)) == 7


def test_a_viewer_who_asks_again_is_known_though_nothing_is_filed(vera):
    session = open_session(vera, "mine")
    interrupt_answer(vera, begin(vera, session), Outcome("", None))
    begin(vera, session)
    assert len(turns_of(session)) == 2


def test_a_renewed_lease_holds(alice, session):
    begun = begin(alice, session)
    let_expire(session)
    assert renew_lease(begun)
    with pytest.raises(SessionBusy):
        begin(alice, session)


def test_the_sweep_interrupts_what_expired_and_nothing_else(alice, session):
    begin(alice, session)
    begin(alice, open_session(alice, "other"))
    pending = SessionTurn.objects.for_space(alice.space_id).filter(state="pending")
    pending.filter(session=session).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert interrupt_expired(alice.space_id, timezone.now()) == 1
    assert pending.count() == 1


def test_turns_may_be_appended_while_an_answer_is_written(alice, session):
    begun = begin(alice, session)
    append_turns(alice, session, [NewTurn(role="user", content="One more thing.")])
    finish_answer(alice, begun, Outcome("Under the mat.", None))
    assert [turn.content for turn in turns_of(session)] == [
        "Where is the key?",
        "Under the mat.",
        "One more thing.",
    ]


def test_a_session_that_is_answering_is_not_deleted(alice, session):
    begin(alice, session)
    with pytest.raises(Conflict) as raised:
        delete_session(alice, session)
    assert raised.value.error_code == "session_busy"


def test_an_answer_for_a_session_deleted_meanwhile_is_refused(alice, session):
    begun = begin(alice, session)
    let_expire(session)
    delete_session(alice, session)
    with pytest.raises(NotFound):
        finish_answer(alice, begun, Outcome("Too late.", None))


def test_a_question_keeps_the_time_it_was_asked_at(alice, session):
    at = datetime(2023, 5, 8, tzinfo=UTC)
    begun = begin(alice, session, said_at=at)
    assert begun.question.said_at == begun.answer.said_at == at


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_asks(alice):
    session = open_session(alice, "busy")
    barrier, outcomes = threading.Barrier(5), []

    def ask():
        barrier.wait()
        try:
            begin(alice, session)
            outcomes.append("begun")
        except SessionBusy:
            outcomes.append("busy")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["begun", "busy", "busy", "busy", "busy"]
    assert len(turns_of(session)) == 2

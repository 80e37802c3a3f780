"""Turns by place, and what waits to be filed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from sessions_app.models import Segment, SessionTurn
from sessions_app.services.sessions import delete_session, request_filing
from sessions_app.views.reading import are_sessions_private, is_answering, list_waiting, turns_between
from tests.sessions_app.views.conftest import talk


def pending(session, lease: timedelta) -> None:
    SessionTurn.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        session=session,
        index=session.turn_count,
        role="assistant",
        said_at=timezone.now(),
        state="pending",
        lease_until=timezone.now() + lease,
    )


def test_turns_are_read_by_a_half_open_range_in_order(session):
    assert [turn.index for turn in turns_between(session, 1, 3)] == [1, 2]
    assert turns_between(session, 4, 9) == []


def test_a_pending_turn_is_awaited_not_read(session):
    pending(session, timedelta(minutes=1))
    assert [turn.index for turn in turns_between(session, 3, 9)] == [3]
    assert is_answering(session)


def test_an_answer_whose_writer_died_is_not_awaited(session):
    pending(session, timedelta(seconds=-1))
    assert not is_answering(session)


def test_the_spaces_default_privacy_is_read(alice):
    assert not are_sessions_private(alice.space_id)


def test_what_is_said_waits_until_it_is_filed(alice, session):
    (waiting,) = list_waiting(alice)
    assert (waiting.turns, waiting.tokens, waiting.can_file) == (4, session.token_total, True)
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=4, state="encoded"
    )
    session.filed_until = 4
    session.save(update_fields=["filed_until"])
    assert list_waiting(alice) == []


def test_an_open_segment_waits_though_its_turns_are_filed_in_it(alice, session):
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=2, end_turn=4, state="open"
    )
    session.filed_until = 4
    session.save(update_fields=["filed_until"])
    assert [waiting.turns for waiting in list_waiting(alice)] == [2]


@pytest.mark.parametrize(
    ("state", "attempts", "has_failed"), [("failed", 3, True), ("closed", 3, True), ("closed", 0, False)]
)
def test_what_could_not_be_filed_waits_for_somebody_to_ask_again(alice, session, state, attempts, has_failed):
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        session=session,
        first_turn=0,
        end_turn=4,
        tokens=9,
        state=state,
        attempts=attempts,
    )
    session.filed_until = 4
    session.save(update_fields=["filed_until"])
    (waiting,) = list_waiting(alice)
    assert (waiting.turns, waiting.tokens, waiting.has_failed) == (4, 9, has_failed)
    request_filing(session)
    assert list_waiting(alice) == []  # a job is at work on it


def test_what_must_not_be_filed_does_not_wait(alice, session):
    session.turns.update(is_consolidated=False)
    assert list_waiting(alice) == []


def test_a_deleted_conversation_does_not_wait(alice, session):
    delete_session(alice, session)
    assert list_waiting(alice) == []


def test_only_what_the_reader_may_see_waits_and_viewers_file_nothing(alice, vera, session):
    talk(alice, "A secret.", name="own", private=True)
    assert [waiting.title for waiting in list_waiting(alice)] == [
        "A secret.",
        "My sister Ana lives in Porto.",
    ]
    assert [(waiting.title, waiting.can_file) for waiting in list_waiting(vera)] == [
        ("My sister Ana lives in Porto.", False)
    ]

"""What memory may know of turns: complete ones, of living sessions, in order."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.domain.types import Reader, TimeRange
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, SessionTurn
from sessions_app.services.sessions import delete_session, open_session
from sessions_app.services.turns import append_turns
from sessions_app.stores import turns as store
from sessions_app.stores.turns import RowTurnSource

pytestmark = pytest.mark.django_db

source = RowTurnSource()


def say(principal, session, n, role="user"):
    return append_turns(principal, session, [NewTurn(role=role, content=f"{role} {i}") for i in range(n)])


@pytest.fixture
def session(alice):
    return open_session(alice, "plans", private=True)


def test_a_turn_carries_its_session_and_whose_it_is(alice, session):
    (row,) = say(alice, session, 1)
    turn = source.current(alice.space_id, [row.id])[row.id]
    assert (turn.session_name, turn.index, turn.text, turn.speaker) == ("plans", 0, "user 0", "Alice")
    assert (turn.space_id, turn.private_to, turn.tokens) == (alice.space_id, alice.user_id, row.tokens)
    assert {turn.author_id, *(each.author_id for (each,) in source.scan(alice.space_id))} == {alice.user_id}


def test_what_was_said_long_ago_was_learned_when_it_came(alice, session):
    long_ago = timezone.now() - timedelta(days=400)
    (row,) = append_turns(alice, session, [NewTurn(role="user", content="Hi.", said_at=long_ago)])
    (scanned,) = (turn for batch in source.scan(alice.space_id) for turn in batch)
    for turn in (source.current(alice.space_id, [row.id])[row.id], scanned):
        assert (turn.said_at, turn.learned_at) == (long_ago, row.created_at)


@pytest.mark.parametrize(
    ("state", "is_filed"),
    [("open", False), ("closed", False), ("failed", False), ("encoded", True), ("skipped", True)],
)
def test_a_turn_is_filed_once_an_encoder_has_seen_its_segment(alice, session, state, is_filed):
    rows = say(alice, session, 3)
    for first, end, of_it in ((0, 1, "encoded"), (1, 2, state)):
        Segment.objects.for_space(alice.space_id).create(
            space_id=alice.space_id, session=session, first_turn=first, end_turn=end, state=of_it
        )
    found = source.current(alice.space_id, [row.id for row in rows])
    assert [found[row.id].is_filed for row in rows] == [True, is_filed, False]


@pytest.mark.parametrize("state", ["pending", "interrupted"])
def test_unfinished_turns_are_unknown(alice, session, state):
    rows = say(alice, session, 3)
    SessionTurn.objects.for_space(alice.space_id).filter(pk=rows[1].pk).update(state=state)
    ids = [row.id for row in rows]
    assert set(source.current(alice.space_id, ids)) == {ids[0], ids[2]}
    assert [t.index for batch in source.scan(alice.space_id) for t in batch] == [0, 2]
    assert source.neighbours(alice.space_id, ids[:1], reach=1) == {ids[0]: ()}


def test_a_deleted_sessions_turns_are_unknown(alice, session):
    (row,) = say(alice, session, 1)
    delete_session(alice, session)
    assert source.current(alice.space_id, [row.id]) == {}
    assert list(source.scan(alice.space_id)) == []


def test_another_spaces_turns_are_unknown(alice, charlie, session):
    (row,) = say(alice, session, 1)
    assert source.current(charlie.space_id, [row.id]) == {}
    assert source.neighbours(charlie.space_id, [row.id], reach=2) == {}
    assert list(source.scan(charlie.space_id)) == []


def test_neighbours_are_those_within_reach_in_order(alice, session):
    rows = say(alice, session, 6)
    other = say(alice, open_session(alice, "other"), 2)
    found = source.neighbours(alice.space_id, [rows[0].id, rows[3].id, other[1].id], reach=2)
    assert [t.index for t in found[rows[0].id]] == [1, 2]
    assert [t.index for t in found[rows[3].id]] == [1, 2, 4, 5]
    assert [t.session_name for t in found[other[1].id]] == ["other"]


def test_the_newest_of_a_span_of_time_come_first_and_nobody_elses_private_ones(alice, bob, session):
    now = timezone.now()
    hours = [now + timedelta(hours=n) for n in range(-3, 1)]
    append_turns(alice, session, [NewTurn(role="user", content="Hi", said_at=hour) for hour in hours])
    span = TimeRange(hours[1], hours[3])
    reader = Reader(alice.space_id, alice.user_id)
    assert [turn.index for turn in source.newest_within(reader, span, most=5)] == [2, 1]
    assert [turn.index for turn in source.newest_within(reader, span, most=1)] == [2]
    without = Reader(alice.space_id, alice.user_id, frozenset({session.id}))
    assert source.newest_within(without, span, most=5) == []
    session.turns.filter(index=1).update(private_to=None)
    fellow = Reader(alice.space_id, bob.user_id)
    assert [turn.index for turn in source.newest_within(fellow, span, most=5)] == [1]


def test_a_scan_yields_what_is_recalled_in_batches(alice, session, monkeypatch):
    monkeypatch.setattr(store, "BATCH", 2)
    say(alice, session, 3)
    say(alice, session, 1, role="system")
    say(alice, session, 2, role="assistant")
    batches = list(source.scan(alice.space_id))
    assert [[t.index for t in batch] for batch in batches] == [[0, 1], [2, 4], [5]]


def test_many_ids_are_asked_for_in_several_queries(alice, session, monkeypatch, django_assert_num_queries):
    rows = say(alice, session, 5)
    monkeypatch.setattr(store, "BATCH", 2)
    with django_assert_num_queries(3):
        assert len(source.current(alice.space_id, [row.id for row in rows])) == 5


def test_instants_are_aware(alice, session):
    (row,) = say(alice, session, 1)
    assert timezone.is_aware(source.current(alice.space_id, [row.id])[row.id].said_at)

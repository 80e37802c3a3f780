"""Lists, transcripts, the open segment and counts, for one person's eyes."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.errors import InvalidInput
from accounts.models import Job
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.selectors import (
    MAX_UNFILED_SHOWN,
    last_consolidation,
    list_segments,
    list_sessions,
    open_segment,
    sessions_to_hide,
    space_status,
    summarize_session,
    transcript,
)
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


def say(principal, session, *texts, role="user", **changes):
    return append_turns(principal, session, [NewTurn(role=role, content=text, **changes) for text in texts])


def names(page):
    return [session.name for session in page.items]


def test_sessions_are_listed_last_used_first(alice):
    for name in ("one", "two", "three"):
        say(alice, open_session(alice, name), f"About {name}.")
    say(alice, open_session(alice, "one"), "Again.")
    page = list_sessions(alice)
    assert names(page) == ["one", "three", "two"]
    assert (page.total, page.next_cursor) == (3, "")
    first = page.items[0]
    assert (first.title, first.preview, first.turn_count) == ("About one.", "Again.", 2)
    assert (first.author, first.is_own, first.is_private) == ("Alice", True, False)
    assert summarize_session(alice, open_session(alice, "one")).token_total == first.token_total


def test_pages_of_sessions_join_without_gap_or_overlap(alice):
    at = timezone.now()
    for n in range(7):
        session = open_session(alice, f"s{n}")
        # Equal instants: the id decides.
        Session.objects.for_space(alice.space_id).filter(pk=session.pk).update(
            last_turn_at=at + timedelta(seconds=n // 3)
        )
    seen, cursor = [], ""
    for _ in range(4):
        page = list_sessions(alice, cursor=cursor, limit=3)
        assert page.total == 7
        seen += names(page)
        cursor = page.next_cursor
        if not cursor:
            break
    assert seen == ["s6", "s5", "s4", "s3", "s2", "s1", "s0"]


BEYOND = (
    "0001-01-01T00:00:00+14:00~0190d5a0-0000-7000-8000-000000000000",
    "9999-12-31T23:59:59-14:00~0190d5a0-0000-7000-8000-000000000000",
)


@pytest.mark.parametrize(
    "cursor", ["x", "2026-01-01~", "~", "2026-01-01T00:00:00+00:00~' OR 1=1", "é", *BEYOND]
)
def test_a_made_up_cursor_is_refused(alice, cursor):
    with pytest.raises(InvalidInput):
        list_sessions(alice, cursor=cursor)


def test_sessions_are_found_by_name_and_title(alice):
    say(alice, open_session(alice, "one"), "The garden gate.")
    say(alice, open_session(alice, "two"), "The kitchen.")
    assert names(list_sessions(alice, query="GARDEN")) == ["one"]
    assert names(list_sessions(alice, query="tw")) == ["two"]
    assert names(list_sessions(alice, query="%")) == []


def test_private_sessions_show_to_their_author_only(alice, bob, charlie):
    open_session(bob, "diary", private=True)
    open_session(bob, "plans")
    assert names(list_sessions(alice)) == ["plans"]
    assert set(names(list_sessions(bob))) == {"diary", "plans"}
    assert names(list_sessions(charlie)) == []


def test_a_transcript_reads_forward_page_by_page(alice):
    session = open_session(alice, "plans")
    say(alice, session, *"abcde")
    session.refresh_from_db()
    first = transcript(alice, session, limit=2)
    second = transcript(alice, session, cursor=first.next_cursor, limit=2)
    third = transcript(alice, session, cursor=second.next_cursor, limit=2)
    assert ["".join(t.content for t in page.items) for page in (first, second, third)] == ["ab", "cd", "e"]
    assert (first.total, third.next_cursor) == (5, "")


def test_a_transcript_reads_backward_from_the_newest(alice):
    session = open_session(alice, "plans")
    say(alice, session, *"abcde")
    newest = transcript(alice, session, limit=3, is_newest=True)
    older = transcript(alice, session, cursor=newest.next_cursor, limit=3, is_newest=True)
    assert ["".join(t.content for t in page.items) for page in (newest, older)] == ["cde", "ab"]
    assert older.next_cursor == ""


@pytest.mark.parametrize("cursor", ["-1", "x", "9" * 30, "٣"])
def test_a_made_up_place_is_refused(alice, cursor):
    session = open_session(alice, "plans")
    with pytest.raises(InvalidInput):
        transcript(alice, session, cursor=cursor)


def test_what_is_not_filed_yet_is_shown_newest_last(alice):
    session = open_session(alice, "plans")
    assert open_segment(session) is None
    say(alice, session, "Be kind.", role="system")
    say(alice, session, "Keep this out.", is_consolidated=False)
    rows = say(alice, session, *[f"Turn {n}." for n in range(MAX_UNFILED_SHOWN + 1)])
    unfiled = open_segment(session)
    assert unfiled is not None
    assert (unfiled.first_turn, unfiled.end_turn) == (0, rows[-1].index + 1)
    assert unfiled.tokens == sum(row.tokens for row in rows)
    assert [turn.id for turn in unfiled.turns] == [row.id for row in rows[1:]]


def make_segment(session, first, end, state, **changes):
    return Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=first, end_turn=end, state=state, **changes
    )


def test_the_open_segment_counts_as_not_filed(alice):
    session = open_session(alice, "plans")
    say(alice, session, *"abcd")
    make_segment(session, 0, 2, "encoded")
    make_segment(session, 2, 4, "open")
    Session.objects.for_space(alice.space_id).filter(pk=session.pk).update(filed_until=4)
    session.refresh_from_db()
    unfiled = open_segment(session)
    assert unfiled is not None
    assert "".join(turn.content for turn in unfiled.turns) == "cd"
    assert [segment.first_turn for segment in list_segments(alice, session)] == [0, 2]


def test_a_space_tells_true_counts(alice, bob):
    session = open_session(alice, "plans")
    say(alice, session, "One.", "Two.")
    say(bob, open_session(bob, "diary", private=True), "Mine.")
    make_segment(session, 0, 1, "failed")
    make_segment(session, 1, 2, "open")
    make_segment(session, 2, 3, "fallback")
    SessionTurn.objects.for_space(alice.space_id).filter(index=1, session=session).update(state="interrupted")
    status = space_status(alice)
    assert (status.sessions, status.turns) == (1, 2)
    assert (status.open_segments, status.waiting_segments, status.failed_segments) == (1, 0, 1)
    assert status.fallback_segments == 1
    assert (status.unindexed, space_status(bob).unindexed) == (2, 3)
    assert space_status(bob).sessions == 2


def test_the_last_consolidation_is_the_newest_visible_one(alice, bob):
    session = open_session(alice, "plans")
    assert last_consolidation(alice) is None

    def job(subject_id, kind="consolidate", private_to=None):
        return Job.objects.for_space(alice.space_id).create(
            space_id=alice.space_id, kind=kind, subject_id=subject_id, private_to_id=private_to, state="done"
        )

    mine = job(session.id)
    other = job(uuid4())
    job(session.id, kind="other")
    job(session.id, private_to=bob.user_id)
    assert last_consolidation(alice) == other
    assert last_consolidation(alice, session) == mine


def test_a_shared_session_hides_the_askers_private_ones(alice, bob):
    diary = open_session(bob, "diary", private=True)
    shared = open_session(bob, "plans")
    assert sessions_to_hide(bob, shared) == {diary.id}
    assert sessions_to_hide(bob, diary) == frozenset()
    assert sessions_to_hide(alice, shared) == frozenset()
    Session.objects.for_space(bob.space_id).filter(pk=diary.pk).update(deleted_at=timezone.now())
    assert sessions_to_hide(bob, shared) == {diary.id}  # its memories stay


def test_a_personal_space_hides_nothing_from_its_owner(charlie):
    open_session(charlie, "diary", private=True)
    assert sessions_to_hide(charlie, open_session(charlie, "plans")) == frozenset()

"""Filing: every turn in one segment at most, none forgotten, resumed where it was killed."""

import itertools
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from accounts.errors import Conflict
from memory.config import IngestConfig
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.services import segments
from sessions_app.services.segments import file_turns, readmit_turns, segment_turns
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db

TOPICS = ("sailing", "cooking", "gardens")


@pytest.fixture(autouse=True)
def _vectors(monkeypatch):
    """A turn's vector is its topic's axis."""

    def turn_vectors(space_id, ids):
        rows = SessionTurn.objects.for_space(space_id).filter(pk__in=ids)
        return {row.id: axis(row.content) for row in rows}

    def axis(text):
        for i, topic in enumerate(TOPICS):
            if topic in text:
                return np.eye(3, dtype=np.float32)[i]
        return None

    monkeypatch.setattr(segments, "turn_vectors", turn_vectors)


@pytest.fixture
def session(alice):
    return open_session(alice, "plans")


def talk(alice, session, topic, exchanges=1, words=10, **changes):
    """Exchanges of a user's and an assistant's turn."""
    text = f"{topic} " * words
    append_turns(
        alice,
        session,
        [
            NewTurn(role=role, content=text, **changes)
            for _ in range(exchanges)
            for role in ("user", "assistant")
        ],
    )


def stored(session):
    rows = Segment.objects.for_space(session.space_id).filter(session=session).order_by("first_turn")
    return [(row.first_turn, row.end_turn, row.state, row.closed_because) for row in rows]


def test_exchanges_on_one_topic_stay_in_the_open_segment(alice, session):
    talk(alice, session, "sailing", exchanges=2)
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 4, "open", "")]
    talk(alice, session, "sailing")
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 6, "open", "")]
    session.refresh_from_db()
    assert session.filed_until == 6


def test_a_new_topic_closes_the_segment_before_it(alice, session):
    talk(alice, session, "sailing", exchanges=2, words=150)
    talk(alice, session, "cooking", words=150)
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 4, "closed", "topic"), (4, 6, "open", "")]
    first, second = Segment.objects.for_space(alice.space_id).order_by("first_turn")
    assert first.tokens == sum(turn.tokens for turn in segment_turns(first))
    assert first.exchanges == 2
    assert second.surprises[-1] == pytest.approx(1.0)  # what surprised outlives the segment


def test_a_full_segment_closes_without_waiting(alice, session):
    talk(alice, session, "sailing", exchanges=2, words=400)
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 4, "closed", "target")]


def test_a_flush_closes_what_is_open(alice, session):
    talk(alice, session, "sailing")
    file_turns(session, is_flushing=True)
    assert stored(session) == [(0, 2, "closed", "flush")]
    file_turns(session, is_flushing=True)
    assert len(stored(session)) == 1


def test_a_last_question_waits_for_its_reply(alice, session):
    talk(alice, session, "sailing")
    append_turns(alice, session, [NewTurn(role="user", content="And sailing tomorrow?")])
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 2, "open", "")]
    append_turns(alice, session, [NewTurn(role="assistant", content="sailing, yes")])
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 4, "open", "")]


def test_a_flush_does_not_wait(alice, session):
    append_turns(alice, session, [NewTurn(role="user", content="I like sailing.")])
    file_turns(session, is_flushing=False)
    assert stored(session) == []
    file_turns(session, is_flushing=True)
    assert stored(session) == [(0, 1, "closed", "flush")]


def test_two_speakers_without_an_assistant_make_exchanges(alice, session):
    append_turns(
        alice,
        session,
        [NewTurn(role="user", speaker=name, content="sailing talk") for name in ("Ann", "Ben", "Ann")],
    )
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 2, "open", "")]


def test_nothing_is_filed_past_an_answer_that_is_being_written(alice, session):
    talk(alice, session, "sailing", exchanges=2)
    SessionTurn.objects.for_space(alice.space_id).filter(index=3).update(state="pending")
    file_turns(session, is_flushing=True)
    assert stored(session) == [(0, 3, "closed", "flush")]
    SessionTurn.objects.for_space(alice.space_id).filter(index=3).update(state="complete")
    file_turns(session, is_flushing=True)
    assert stored(session)[1] == (3, 4, "closed", "flush")


def test_interrupted_and_system_turns_are_never_encoded(alice, session):
    append_turns(alice, session, [NewTurn(role="system", content="sailing rules")])
    talk(alice, session, "sailing", exchanges=2)
    SessionTurn.objects.for_space(alice.space_id).filter(index=2).update(state="interrupted")
    file_turns(session, is_flushing=True)
    (segment,) = Segment.objects.for_space(alice.space_id)
    assert [turn.index for turn in segment_turns(segment)] == [1, 3, 4]


def test_tool_turns_are_encoded_within_their_exchange(alice, session):
    roles = ("user", "tool", "assistant")
    append_turns(alice, session, [NewTurn(role=role, content="sailing weather") for role in roles])
    file_turns(session, is_flushing=True)
    (segment,) = Segment.objects.for_space(alice.space_id)
    assert [turn.role for turn in segment_turns(segment)] == list(roles)


def test_marked_turns_are_passed_over_for_good(alice, session):
    talk(alice, session, "sailing")
    talk(alice, session, "sailing", is_consolidated=False)
    talk(alice, session, "sailing")
    file_turns(session, is_flushing=True)
    (segment,) = Segment.objects.for_space(alice.space_id)
    assert [turn.index for turn in segment_turns(segment)] == [0, 1, 4, 5]
    session.refresh_from_db()
    assert session.filed_until == 6


def test_a_session_of_marked_turns_counts_as_filed(alice, session):
    talk(alice, session, "sailing", is_consolidated=False)
    file_turns(session, is_flushing=True)
    assert stored(session) == []
    session.refresh_from_db()
    assert session.filed_until == 2


def test_whoever_insists_gets_marked_and_failed_turns_filed(alice, session):
    talk(alice, session, "sailing", is_consolidated=False)
    talk(alice, session, "sailing")
    talk(alice, session, "sailing", is_consolidated=False)
    talk(alice, session, "sailing")
    file_turns(session, is_flushing=True)
    Segment.objects.for_space(alice.space_id).update(state="failed", attempts=3)
    readmit_turns(session)
    assert stored(session) == [(0, 2, "closed", "forced"), (2, 8, "closed", "flush")]
    held = [turn.index for row in session.segments.order_by("first_turn") for turn in segment_turns(row)]
    assert held == list(range(8))
    assert set(session.segments.values_list("attempts", flat=True)) == {0}


def test_long_sessions_are_filed_in_batches_without_a_seam(alice, session, monkeypatch):
    monkeypatch.setattr(segments, "_BATCH", 5)
    talk(alice, session, "sailing", exchanges=9, words=60)
    talk(alice, session, "cooking", exchanges=9, words=60)
    file_turns(session, is_flushing=True)
    whole = [(row[0], row[1]) for row in stored(session)]
    assert whole[0][0] == 0
    assert whole[-1][1] == 36
    assert all(before[1] == after[0] for before, after in itertools.pairwise(whole))
    assert (16, 18) not in whole
    assert any(end == 18 for _first, end in whole)  # the topic's border


@pytest.mark.parametrize("commits", range(1, 7))
def test_a_killed_filing_goes_on_as_if_nothing_had_happened(alice, session, monkeypatch, commits):
    other = open_session(alice, "twin")
    for each in (session, other):
        talk(alice, each, "sailing", exchanges=3, words=200)
        talk(alice, each, "cooking", exchanges=3, words=200)
    file_turns(other, is_flushing=True)

    class Killed(BaseException):
        pass

    left = commits
    advance = segments._advance

    def kill_after(*args):
        nonlocal left
        if left == 0:
            raise Killed
        left -= 1
        advance(*args)

    monkeypatch.setattr(segments, "_advance", kill_after)
    try:
        file_turns(session, is_flushing=True)
    except Killed:
        monkeypatch.setattr(segments, "_advance", advance)
        session = Session.objects.for_space(alice.space_id).get(pk=session.pk)
        file_turns(session, is_flushing=True)
    assert [row[:2] for row in stored(session)] == [row[:2] for row in stored(other)]


def test_of_two_filings_at_once_one_gives_up(alice, session):
    talk(alice, session, "sailing")
    late = Session.objects.for_space(alice.space_id).get(pk=session.pk)
    filing = segments._resume(late, IngestConfig())
    file_turns(session, is_flushing=True)
    with pytest.raises(Conflict):
        segments._file_exchanges(filing, [segment_turns(session.segments.get())], IngestConfig())
    assert stored(session) == [(0, 2, "closed", "flush")]


def test_an_idle_gap_closes_the_segment(alice, session):
    talk(alice, session, "sailing")
    SessionTurn.objects.for_space(alice.space_id).update(said_at=timezone.now() - timedelta(hours=1))
    talk(alice, session, "sailing")
    file_turns(session, is_flushing=False)
    assert stored(session) == [(0, 2, "closed", "idle"), (2, 4, "open", "")]


def test_filed_eagerly_each_turn_is_a_segment(alice, session):
    talk(alice, session, "sailing", exchanges=2)
    file_turns(session, is_flushing=True, config=IngestConfig(is_eager=True))
    spans = list(session.segments.order_by("first_turn").values_list("first_turn", "end_turn", "state"))
    assert spans == [(at, at + 1, "closed") for at in range(4)]


def test_filed_in_windows_no_topic_closes_a_segment(alice, session):
    for topic in TOPICS:
        talk(alice, session, topic, exchanges=2)
    window = IngestConfig(boundary_probability=2.0, max_exchanges=5)
    file_turns(session, is_flushing=True, config=window)
    assert list(session.segments.order_by("first_turn").values_list("exchanges", flat=True)) == [5, 1]

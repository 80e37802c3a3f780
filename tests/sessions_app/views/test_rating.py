"""Thumbs up and down, as a person clicks them."""

import pytest
from django.urls import reverse

from memory.models import RetrievalLog
from sessions_app.views.present import present_turns

HTMX = {"HX-Request": "true"}


@pytest.fixture
def log(alice, session) -> RetrievalLog:
    log: RetrievalLog = RetrievalLog.objects.for_space(alice.space_id).create(
        space_id=alice.space_id,
        private_to_id=alice.user_id,
        user_id=alice.user_id,
        session_id=session.id,
        query="Where does Ana live?",
        effort="standard",
    )
    session.turns.filter(index=3).update(retrieval_log_id=log.id)
    return log


def url(log: RetrievalLog, space: str = "garden") -> str:
    return reverse("sessions:rate", args=[space, log.id])


def outcome(log: RetrievalLog) -> str:
    log.refresh_from_db()
    return log.outcome


def test_an_answer_with_a_recall_of_ones_own_has_thumbs(browse, alice, bob, session, log):
    chat = reverse("sessions:chat", args=["garden", session.id])
    assert url(log) in browse(alice).get(chat).content.decode()
    assert url(log) not in browse(bob).get(chat).content.decode()
    assert [turn.log is not None for turn in present_turns(alice, list(session.turns.order_by("index")))] == [
        False,
        False,
        False,
        True,
    ]


def test_a_thumb_is_noted_shown_and_taken_back(browse, alice, log):
    client = browse(alice)
    page = client.post(url(log), {"outcome": "success"}, headers=HTMX).content.decode()
    assert outcome(log) == "success"
    assert page.count('aria-pressed="true"') == 1
    assert 'value="open"' in page
    client.post(url(log), {"outcome": "open"}, headers=HTMX)
    assert outcome(log) == "open"


def test_without_scripts_it_leads_back_to_the_conversation(browse, alice, session, log):
    response = browse(alice).post(url(log), {"outcome": "fail"})
    assert response.url == reverse("sessions:chat", args=["garden", session.id])
    assert outcome(log) == "fail"


def test_a_recall_outside_a_conversation_leads_to_the_chat(browse, alice, log):
    RetrievalLog.objects.for_space(alice.space_id).update(session_id=None)
    response = browse(alice).post(url(log), {"outcome": "fail"})
    assert response.url == reverse("sessions:chat-new", args=["garden"])


@pytest.mark.parametrize("sent", [{"outcome": "great"}, {"outcome": "fail\x00"}])
def test_what_is_no_outcome_changes_nothing(browse, alice, log, sent):
    assert browse(alice).post(url(log), sent).status_code == 404
    assert outcome(log) == "open"


def test_a_fellow_members_recall_is_theirs(browse, bob, log):
    assert browse(bob).post(url(log), {"outcome": "fail"}).status_code == 404
    assert outcome(log) == "open"

"""Renaming and deleting a conversation in the browser."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Job
from accounts.services.jobs import run_job
from memory.models import MemoryRecord
from sessions_app.models import Session, SessionTurn
from tests.sessions_app.views.conftest import talk

LIST = reverse("sessions:session-list", args=["garden"])
HTMX = {"HX-Request": "true"}


def address(act: str, session: Session) -> str:
    return reverse(f"sessions:session-{act}", args=["garden", session.id])


def test_a_conversation_is_renamed_and_listed_so(browse, alice, session):
    client = browse(alice)
    assert 'value="My sister Ana' in client.get(address("rename", session)).content.decode()
    reply = client.post(address("rename", session), {"title": "About <Ana>"}, follow=True)
    assert reply.redirect_chain[-1][0] == reverse("sessions:chat", args=["garden", session.id])
    assert "The conversation is renamed." in reply.content.decode()
    assert "About &lt;Ana&gt;" in client.get(LIST, headers=HTMX).content.decode()


@pytest.mark.parametrize("title", ["", "   ", "x" * 201, "\u200b"])
def test_a_title_that_is_none_is_said_beside_the_field(browse, alice, session, title):
    reply = browse(alice).post(address("rename", session), {"title": title})
    assert reply.status_code == 422
    assert reply.context["form"].errors["title"]
    session.refresh_from_db()
    assert session.title == "My sister Ana lives in Porto."


def test_deleting_says_what_stays_then_takes_the_turns_and_keeps_the_memories(browse, alice, session, record):
    client = browse(alice)
    asked = client.get(address("delete", session)).content.decode()
    assert "Its 4 turns are deleted" in asked
    assert "What is remembered of it stays." in asked
    told = client.post(address("delete", session), follow=True).content.decode()
    assert "What was remembered of it stays." in told
    assert address("delete", session) not in told
    run_job(Job.objects.for_space(alice.space_id).get(kind="consolidate", subject_id=session.id).id)
    assert not SessionTurn.objects.for_space(alice.space_id).filter(session=session).exists()
    assert MemoryRecord.objects.for_space(alice.space_id).filter(pk=record.id, expired_at=None).exists()


def test_a_conversation_that_is_answering_is_kept_and_that_is_said(browse, alice, session):
    session.turns.filter(index=3).update(
        state=SessionTurn.State.PENDING, lease_until=timezone.now() + timedelta(minutes=1)
    )
    told = browse(alice).post(address("delete", session), follow=True).content.decode()
    assert "The session is answering" in told
    session.refresh_from_db()
    assert session.deleted_at is None


def test_the_menu_offers_what_each_may_do(browse, alice, bob, vera, session):
    own = talk(vera, "Hello.", name="own", private=True)
    offered = {
        who.username: [
            act
            for act in ("rename", "delete")
            if address(act, session) in browse(who).get(LIST, headers=HTMX).content.decode()
        ]
        for who in (alice, bob, vera)
    }
    assert offered == {"alice": ["rename", "delete"], "bob": ["rename"], "vera": []}
    assert address("delete", own) in browse(vera).get(LIST, headers=HTMX).content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_may_not_gets_403_and_nothing_changes(browse, bob, vera, session, method):
    assert getattr(browse(bob), method)(address("delete", session)).status_code == 403
    for act in ("rename", "delete"):
        assert getattr(browse(vera), method)(address(act, session), {"title": "x"}).status_code == 403
    session.refresh_from_db()
    assert (session.title, session.deleted_at) == ("My sister Ana lives in Porto.", None)


def test_it_is_said_who_will_see_a_conversation_before_that_changes(browse, alice, bob, session):
    client, chat = browse(alice), reverse("sessions:chat", args=["garden", session.id])
    asked = client.get(address("audience", session)).content.decode()
    assert "Only you will see it" in asked
    told = client.post(address("audience", session), {"private": "yes"}, follow=True)
    assert told.redirect_chain[-1][0] == chat
    assert "Only you see the conversation now." in told.content.decode()
    assert browse(bob).get(chat).status_code == 404
    asked = client.get(address("audience", session)).content.decode()
    assert "Every member of Garden will see its 4 turns" in asked
    assert reverse("sessions:members", args=["garden"]) in asked
    client.post(address("audience", session), {"private": "no"})
    assert browse(bob).get(chat).status_code == 200


def test_a_page_that_has_gone_stale_does_not_turn_it_round(browse, alice, session):
    for _ in range(2):
        browse(alice).post(address("audience", session), {"private": "yes"})
    session.refresh_from_db()
    assert session.private_to_id == alice.user_id
    assert browse(alice).post(address("audience", session), {"private": "maybe"}).status_code == 422


def test_a_conversation_that_is_answering_stays_as_it_is_and_that_is_said(browse, alice, session):
    session.turns.filter(index=3).update(
        state=SessionTurn.State.PENDING, lease_until=timezone.now() + timedelta(minutes=1)
    )
    told = browse(alice).post(address("audience", session), {"private": "yes"}, follow=True)
    assert "The session is answering" in told.content.decode()
    session.refresh_from_db()
    assert session.private_to_id is None


def test_only_its_author_is_offered_to_change_who_sees_it(browse, alice, bob, vera, session):
    own = talk(vera, "Hello.", name="own", private=True)
    for who, offered in ((alice, True), (bob, False), (vera, False)):
        listed = browse(who).get(LIST, headers=HTMX).content.decode()
        assert (address("audience", session) in listed) is offered
    assert address("audience", own) not in listed
    for who, one in ((bob, session), (vera, session), (vera, own)):
        for method in ("get", "post"):
            reply = getattr(browse(who), method)(address("audience", one), {"private": "no"})
            assert reply.status_code == 403


def test_nobody_reads_along_in_a_personal_space(browse, charlie):
    own = talk(charlie, "Hello.")
    listed = browse(charlie).get(reverse("sessions:session-list", args=[charlie.space_slug]), headers=HTMX)
    assert str(own.id) in listed.content.decode()
    assert "/audience/" not in listed.content.decode()

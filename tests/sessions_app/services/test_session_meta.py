"""Titles, topics and tags of conversations."""

import pytest

from accounts.errors import Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent
from sessions_app.config import MetaConfig
from sessions_app.services.session_meta import describe_session
from sessions_app.services.sessions import delete_session, open_session

pytestmark = pytest.mark.django_db


def test_what_is_given_changes_and_the_rest_stays(alice):
    session = open_session(alice, "plans")
    describe_session(alice, session, title=" The \n garden ", topic="beds", tags=["spring", "", "spring "])
    describe_session(alice, session, topic="")
    session.refresh_from_db()
    assert (session.title, session.topic, session.tags) == ("The garden", "", ["spring"])
    changed = AuditEvent.objects.filter(action="session.described", object_id=session.id)
    assert [event.fields for event in changed.order_by("id")] == [["title", "topic", "tags"], ["topic"]]


def test_a_secret_in_a_title_is_hidden_as_in_a_turn(alice):
    session = describe_session(alice, open_session(alice, "keys"), title="sk-" + "a1B2c3D4" * 6)
    assert "a1B2c3D4" not in session.title


def test_writers_name_shared_conversations_and_viewers_only_their_own(alice, bob, vera):
    shared, own = open_session(alice, "plans"), open_session(vera, "mine")
    assert describe_session(bob, shared, title="Ours").title == "Ours"
    assert describe_session(vera, own, title="Mine").title == "Mine"
    with pytest.raises(Forbidden):
        describe_session(vera, shared, title="Taken over")


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"title": " \n "}, "/title"),
        ({"title": "x" * 201}, "/title"),
        ({"topic": "x" * 201}, "/topic"),
        ({"tags": ["fine", "x" * 65]}, "/tags/1"),
        ({"tags": [str(n) for n in range(MetaConfig().max_tags + 1)]}, "/tags"),
    ],
)
def test_a_faulty_value_is_named_and_nothing_changes(alice, changes, pointer):
    session = describe_session(alice, open_session(alice, "plans"), title="Before", topic="beds")
    with pytest.raises(InvalidInput) as refused:
        describe_session(alice, session, **{"title": "After", **changes})
    assert [error.pointer for error in refused.value.errors] == [pointer]
    session.refresh_from_db()
    assert session.title == "Before"


def test_a_deleted_conversation_gets_no_title(alice):
    session = open_session(alice, "plans")
    delete_session(alice, session)
    with pytest.raises(NotFound):
        describe_session(alice, session, title="Back")

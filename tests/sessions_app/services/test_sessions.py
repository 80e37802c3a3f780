"""Opening, finding and deleting sessions."""

from uuid import uuid4

import pytest

from accounts.errors import Conflict, Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent, Job, Space
from memory.models import IndexedItem
from sessions_app.domain.types import NewTurn
from sessions_app.models import Session, SessionTurn
from sessions_app.selectors import list_sessions
from sessions_app.services.sessions import delete_session, erase_turns, find_session, open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


def say(principal, session, *texts):
    return append_turns(principal, session, [NewTurn(role="user", content=text) for text in texts])


def test_opening_makes_a_session_once(alice):
    first = open_session(alice, "plans")
    assert open_session(alice, " plans ") == first
    assert find_session(alice, "plans") == first
    assert AuditEvent.objects.filter(action="session.opened").count() == 1


def test_a_name_is_its_authors_own(alice, bob):
    assert open_session(alice, "plans") != open_session(bob, "plans")


def test_others_open_a_shared_session_by_its_id(alice, bob):
    session = open_session(alice, "plans")
    assert open_session(bob, str(session.id)) == session
    assert find_session(bob, str(session.id).upper()) == session


def test_a_private_session_is_its_authors_alone(alice, bob):
    session = open_session(bob, "diary", private=True)
    with pytest.raises(NotFound):
        find_session(alice, str(session.id))
    other = open_session(alice, str(session.id))  # a name like any other
    assert (other.id, other.name) != (session.id, session.name)
    assert (
        not Session.objects.for_space(alice.space_id).filter(pk=session.id, author_id=alice.user_id).exists()
    )


def test_finding_never_makes_a_session(alice):
    for name in ("unknown", str(uuid4())):
        with pytest.raises(NotFound):
            find_session(alice, name)
    assert not Session.objects.for_space(alice.space_id).exists()


def test_a_stranger_finds_nothing_by_id(alice, charlie):
    session = open_session(alice, "plans")
    with pytest.raises(NotFound):
        find_session(charlie, str(session.id))


@pytest.mark.parametrize("name", ["", "   ", "\x00", "n" * 129, "\ud83d"])
def test_a_faulty_name_is_refused(alice, name):
    with pytest.raises(InvalidInput) as raised:
        open_session(alice, name)
    assert raised.value.errors[0].pointer == "/session_id"


@pytest.mark.parametrize(
    ("given", "stored"), [("../x", "../x"), ("Zoe\u0308", "Zo\u00eb"), ("a\nb", "a b"), ("🍜", "🍜")]
)
def test_names_are_normalised_as_documented(alice, given, stored):
    assert open_session(alice, given).name == stored


def test_a_space_can_make_its_sessions_private(alice):
    Space.objects.filter(pk=alice.space_id).update(are_sessions_private=True)
    assert open_session(alice, "one").private_to_id == alice.user_id
    assert open_session(alice, "two", private=False).private_to_id is None


def test_a_viewer_writes_in_private_sessions_only(alice, vera):
    shared = open_session(alice, "plans")
    with pytest.raises(Forbidden):
        open_session(vera, str(shared.id))
    with pytest.raises(Forbidden):
        open_session(vera, "mine", private=False)
    assert open_session(vera, "mine").private_to_id == vera.user_id
    assert find_session(vera, str(shared.id)) == shared  # reading is theirs


def test_a_new_session_has_the_previous_one_filed(alice, bob):
    first = open_session(alice, "one")
    say(alice, first, "I moved to Berlin.")
    open_session(bob, "elsewhere")
    assert not Job.objects.for_space(alice.space_id).exists()
    second = open_session(alice, "two")
    job = Job.objects.for_space(alice.space_id).get()
    assert (job.kind, job.subject_id, job.arguments["flush"]) == ("consolidate", first.id, True)
    open_session(alice, "three")
    assert not Job.objects.for_space(alice.space_id).filter(subject_id=second.id).exists()  # it was empty


def test_a_lost_race_to_open_finds_the_winners_session(alice, monkeypatch):
    winner = open_session(alice, "plans")
    looks = iter([None, winner])
    monkeypatch.setattr("sessions_app.services.sessions._look_up", lambda principal, name: next(looks))
    assert open_session(alice, "plans") == winner


def test_a_deleted_session_leaves_view_and_recall_at_once(alice):
    session = open_session(alice, "plans")
    say(alice, session, "The garden gate is green.", "It squeaks.")
    assert IndexedItem.objects.filter(session_id=session.id).count() == 2
    delete_session(alice, session)
    assert not IndexedItem.objects.filter(session_id=session.id).exists()
    assert not list_sessions(alice).items
    with pytest.raises(NotFound):
        find_session(alice, "plans")
    with pytest.raises(NotFound):
        say(alice, session, "Too late.")
    assert AuditEvent.objects.filter(action="session.deleted", object_id=session.id).exists()


def test_deleting_files_what_was_said_before_it_erases_it(alice):
    session = open_session(alice, "plans")
    say(alice, session, "The garden gate is green.")
    delete_session(alice, session)
    job = Job.objects.for_space(alice.space_id).get(subject_id=session.id)
    assert job.arguments == {"flush": True, "erase_turns": True}
    session.refresh_from_db()
    assert erase_turns(session) == 1
    assert not SessionTurn.objects.for_space(alice.space_id).exists()


def test_a_name_is_free_again_after_deletion(alice):
    session = open_session(alice, "plans")
    delete_session(alice, session)
    assert open_session(alice, "plans").id != session.id


def test_only_authors_and_owners_delete(alice, bob, vera):
    session = open_session(bob, "plans")
    for principal in (vera,):
        with pytest.raises(Forbidden):
            delete_session(principal, session)
    delete_session(alice, session)
    mine = open_session(alice, "mine")
    with pytest.raises(Forbidden):
        delete_session(bob, mine)


def test_turns_of_a_living_session_are_not_erased(alice):
    session = open_session(alice, "plans")
    say(alice, session, "Hello there.")
    with pytest.raises(Conflict):
        erase_turns(session)

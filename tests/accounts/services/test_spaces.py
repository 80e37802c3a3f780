"""Making spaces and letting people in."""

import pytest

from accounts.errors import Conflict, Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent, Membership, Space
from accounts.principals import principal_for, principal_in
from accounts.services.spaces import add_member, create_space
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    return register_user(username="alice", password=PASSWORD)


@pytest.fixture
def bob():
    return register_user(username="bob", password=PASSWORD)


def test_who_makes_a_space_owns_it(alice):
    space = create_space(alice, slug="garden", name=" The garden ")
    assert space.name == "The garden"
    assert Membership.objects.get(space=space).role == "owner"
    assert AuditEvent.objects.filter(action="space.created", object_id=space.id).exists()


@pytest.mark.parametrize("slug", ["", "two words", "ümlaut", "a" * 65, "a:b", "../x", "all"])
def test_a_faulty_slug_is_refused(alice, slug):
    with pytest.raises(InvalidInput) as raised:
        create_space(alice, slug=slug, name="Garden")
    assert {field.pointer for field in raised.value.errors} == {"/slug"}
    assert Space.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "n" * 129, "a\x00b"])
def test_a_faulty_name_is_refused(alice, name):
    with pytest.raises(InvalidInput) as raised:
        create_space(alice, slug="garden", name=name)
    assert {field.pointer for field in raised.value.errors} == {"/name"}


def test_a_slug_is_taken_once(alice, bob):
    create_space(alice, slug="garden", name="Garden")
    with pytest.raises(Conflict) as raised:
        create_space(bob, slug="garden", name="Garden")
    assert raised.value.error_code == "slug_taken"


def test_an_owner_lets_people_in_and_changes_their_role(alice, bob):
    space = create_space(alice, slug="garden", name="Garden")
    add_member(alice, slug="garden", username="bob", role="viewer")
    add_member(alice, slug="garden", username="bob", role="editor")
    assert principal_for(bob, "garden").can_write
    assert principal_in(space.id, bob.id) == principal_for(bob, "garden")
    assert AuditEvent.objects.filter(action="space.member_set").count() == 2


def test_only_owners_let_people_in(alice, bob):
    register_user(username="carol", password=PASSWORD)
    create_space(alice, slug="garden", name="Garden")
    add_member(alice, slug="garden", username="bob", role="editor")
    with pytest.raises(Forbidden):
        add_member(bob, slug="garden", username="carol", role="viewer")


def test_a_stranger_learns_nothing_of_a_space(alice, bob):
    create_space(alice, slug="garden", name="Garden")
    with pytest.raises(NotFound):
        add_member(bob, slug="garden", username="bob", role="owner")
    with pytest.raises(NotFound):
        principal_for(bob, "garden")


def test_a_personal_space_stays_personal(alice, bob):
    with pytest.raises(Conflict):
        add_member(alice, slug="alice", username="bob", role="viewer")


@pytest.mark.parametrize(
    ("username", "role", "error"), [("bob", "king", InvalidInput), ("eve", "viewer", NotFound)]
)
def test_a_member_is_a_known_person_with_a_known_role(alice, bob, username, role, error):
    create_space(alice, slug="garden", name="Garden")
    with pytest.raises(error):
        add_member(alice, slug="garden", username=username, role=role)


def test_the_last_owner_stays(alice):
    create_space(alice, slug="garden", name="Garden")
    with pytest.raises(Conflict):
        add_member(alice, slug="garden", username="alice", role="viewer")

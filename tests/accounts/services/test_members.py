"""Letting people in, changing their role, taking them out."""

import pytest

from accounts.errors import Conflict, Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent, Membership
from accounts.principals import principal_for, principal_in
from accounts.selectors import list_members
from accounts.services.members import add_member, change_role, remove_member
from accounts.services.spaces import create_space
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    """Who owns the garden."""
    user = register_user(username="alice", password=PASSWORD)
    create_space(user, slug="garden", name="Garden")
    return user


@pytest.fixture
def bob():
    return register_user(username="bob", password=PASSWORD)


def roles():
    return {row.user.username: row.role for row in Membership.objects.filter(space__slug="garden")}


def test_an_owner_lets_people_in_changes_their_role_and_takes_them_out(alice, bob):
    added = add_member(alice, slug="garden", username=" Bob ", role="viewer")
    change_role(alice, slug="garden", username="bob", role="editor")
    assert principal_for(bob, "garden").can_write
    assert principal_in(added.space_id, bob.id) == principal_for(bob, "garden")
    remove_member(alice, slug="garden", username="bob")
    with pytest.raises(NotFound):
        principal_for(bob, "garden")
    told = AuditEvent.objects.filter(object_id=added.id).order_by("id").values_list("action", flat=True)
    assert list(told) == ["space.member_added", "space.member_set", "space.member_removed"]


@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_only_owners_decide_and_anybody_may_leave(alice, bob, role):
    register_user(username="carol", password=PASSWORD)
    add_member(alice, slug="garden", username="bob", role=role)
    for act in (
        lambda: add_member(bob, slug="garden", username="carol", role="viewer"),
        lambda: change_role(bob, slug="garden", username="bob", role="owner"),
        lambda: remove_member(bob, slug="garden", username="alice"),
    ):
        with pytest.raises(Forbidden):
            act()
    assert roles() == {"alice": "owner", "bob": role}
    remove_member(bob, slug="garden", username="bob")
    assert roles() == {"alice": "owner"}


@pytest.mark.parametrize("slug", ["garden", "nowhere"])
def test_a_stranger_learns_nothing_of_a_space(alice, bob, slug):
    said = set()
    for act in (
        lambda: add_member(bob, slug=slug, username="bob", role="owner"),
        lambda: change_role(bob, slug=slug, username="alice", role="viewer"),
        lambda: remove_member(bob, slug=slug, username="alice"),
        lambda: list_members(bob.id, slug),
    ):
        with pytest.raises(NotFound) as refused:
            act()
        said.add(refused.value.detail)
    assert said == {"There is no such space among yours."}
    assert roles() == {"alice": "owner"}


def test_a_name_with_a_nul_character_is_nobodys(alice, bob):
    with pytest.raises(InvalidInput):
        add_member(alice, slug="garden", username="bob\x00", role="viewer")
    add_member(alice, slug="garden", username="bob", role="viewer")
    for act in (remove_member, change_role):
        options = {"role": "editor"} if act is change_role else {}
        with pytest.raises(NotFound):
            act(alice, slug="garden", username="bob\x00", **options)
    assert roles() == {"alice": "owner", "bob": "viewer"}


def test_a_personal_space_stays_personal(alice, bob):
    with pytest.raises(Conflict):
        add_member(alice, slug="alice", username="bob", role="viewer")
    with pytest.raises(Conflict):
        remove_member(alice, slug="alice", username="alice")


def test_a_member_is_let_in_once_so_that_nobody_loses_a_role_unseen(alice, bob):
    add_member(alice, slug="garden", username="bob", role="owner")
    with pytest.raises(Conflict) as refused:
        add_member(alice, slug="garden", username="bob", role="viewer")
    assert refused.value.error_code == "member_already"
    assert roles()["bob"] == "owner"


@pytest.mark.parametrize(
    ("username", "role", "pointer"), [("bob", "king", "/role"), ("eve", "viewer", "/username")]
)
def test_a_member_is_a_known_person_with_a_known_role(alice, bob, username, role, pointer):
    with pytest.raises(InvalidInput) as refused:
        add_member(alice, slug="garden", username=username, role=role)
    assert [error.pointer for error in refused.value.errors] == [pointer]


def test_the_last_owner_stays_until_there_is_another(alice, bob):
    add_member(alice, slug="garden", username="bob", role="editor")
    with pytest.raises(Conflict):
        change_role(alice, slug="garden", username="alice", role="viewer")
    with pytest.raises(Conflict):
        remove_member(alice, slug="garden", username="alice")
    assert roles() == {"alice": "owner", "bob": "editor"}
    change_role(alice, slug="garden", username="bob", role="owner")
    remove_member(alice, slug="garden", username="alice")
    assert roles() == {"bob": "owner"}


def test_who_is_no_member_can_neither_be_changed_nor_removed(alice, bob):
    for act in (
        lambda: change_role(alice, slug="garden", username="bob", role="editor"),
        lambda: remove_member(alice, slug="garden", username="bob"),
    ):
        with pytest.raises(NotFound):
            act()


def test_members_are_listed_owners_first(alice, bob):
    register_user(username="ann", password=PASSWORD, display_name="Ann")
    add_member(alice, slug="garden", username="bob", role="owner")
    add_member(alice, slug="garden", username="ann", role="viewer")
    told = [(each.username, each.role, each.is_you) for each in list_members(bob.id, "garden")]
    assert told == [("alice", "owner", False), ("bob", "owner", True), ("ann", "viewer", False)]

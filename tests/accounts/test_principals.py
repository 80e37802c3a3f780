"""Who acts where, with which rights."""

from uuid import uuid4

import pytest

from accounts.errors import Forbidden, NotFound
from accounts.principals import principal_for, principal_in
from accounts.services.members import add_member
from accounts.services.spaces import create_space
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    return register_user(username="alice", display_name="Alice L.", password=PASSWORD, time_zone="Asia/Tokyo")


def test_without_a_name_the_space_is_the_personal_one(alice):
    principal = principal_for(alice)
    assert (principal.space_slug, principal.role, principal.can_write) == ("alice", "owner", True)
    assert (principal.speaker, principal.time_zone) == ("Alice L.", "Asia/Tokyo")


def test_a_space_is_found_by_slug_and_by_id_alike(alice):
    space = create_space(alice, slug="garden", name="Garden")
    assert principal_for(alice, "garden") == principal_in(space.id, alice.id)


@pytest.mark.parametrize("slug", ["bob", "nowhere", "../alice", "ALICE"])
def test_a_foreign_space_and_none_look_alike(alice, slug):
    register_user(username="bob", password=PASSWORD)
    with pytest.raises(NotFound) as raised:
        principal_for(alice, slug)
    with pytest.raises(NotFound) as unknown:
        principal_in(uuid4(), alice.id)
    assert raised.value.detail == unknown.value.detail


@pytest.mark.parametrize(("role", "can_write"), [("owner", True), ("editor", True), ("viewer", False)])
def test_viewers_write_nothing(alice, role, can_write):
    bob = register_user(username="bob", password=PASSWORD)
    space = create_space(alice, slug="garden", name="Garden")
    add_member(alice, slug="garden", username="bob", role=role)
    principal = principal_in(space.id, bob.id)
    assert principal.can_write is can_write
    if can_write:
        principal.require_write()
    else:
        with pytest.raises(Forbidden):
            principal.require_write()

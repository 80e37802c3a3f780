"""Making spaces and letting people in."""

import pytest

from accounts.errors import Conflict, InvalidInput
from accounts.models import AuditEvent, Membership, Space
from accounts.services.spaces import create_space, free_slug
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


def test_an_address_made_of_a_name_is_free(alice):
    create_space(alice, slug="garden", name="Garden")
    assert (free_slug("Garden"), free_slug("The Müllers"), free_slug("家")) == (
        "garden-2",
        "the-mullers",
        "space",
    )

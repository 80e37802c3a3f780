"""Registering, the profile, the password."""

import pytest
from django.db import IntegrityError, transaction

from accounts.errors import Conflict, InvalidInput
from accounts.models import AuditEvent, Membership, Space, User
from accounts.services.users import change_password, register_user, update_profile

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


def pointers(error: InvalidInput) -> set[str]:
    return {field.pointer for field in error.errors}


def test_a_new_user_owns_a_personal_space():
    user = register_user(username="alice", password=PASSWORD)
    space = Space.objects.get(personal_to=user)
    assert (space.slug, space.name) == ("alice", "alice")
    assert Membership.objects.get(space=space).role == Membership.Role.OWNER
    assert user.check_password(PASSWORD)
    assert AuditEvent.objects.filter(action="user.registered", object_id=user.id).count() == 1


def test_the_personal_slug_steps_aside_for_a_taken_one():
    register_user(username="bob.smith", password=PASSWORD)
    second = register_user(username="bob@smith", password=PASSWORD)
    assert Space.objects.get(personal_to=second).slug == "bobsmith-2"


@pytest.mark.parametrize(("name", "slug"), [("...", "space"), ("Жанна", "space"), ("a" * 64, "a" * 50)])
def test_every_name_gets_a_slug(name, slug):
    user = register_user(username=name, password=PASSWORD)
    assert Space.objects.get(personal_to=user).slug == slug


def test_two_names_that_differ_in_case_alone_are_one():
    register_user(username="alice", password=PASSWORD)
    with pytest.raises(Conflict) as raised:
        register_user(username="Alice", password=PASSWORD)
    assert raised.value.error_code == "username_taken"
    assert raised.value.errors[0].pointer == "/username"


def test_the_database_refuses_what_the_check_missed():
    register_user(username="alice", password=PASSWORD)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="ALICE")


def test_a_name_taken_since_the_check_is_a_conflict_too(monkeypatch):
    register_user(username="alice", password=PASSWORD)
    monkeypatch.setattr("accounts.services.users._check", lambda user, password: None)
    with pytest.raises(Conflict):
        register_user(username="alice", password=PASSWORD)
    assert Space.objects.count() == 1


@pytest.mark.parametrize("name", ["", "a", "two words", "a" * 65, "a\x00b", " ", "../etc"])
def test_a_faulty_name_is_named(name):
    with pytest.raises(InvalidInput) as raised:
        register_user(username=name, password=PASSWORD)
    assert pointers(raised.value) == {"/username"}


def test_composed_and_decomposed_letters_are_one_name():
    register_user(username="zo\u00eb", password=PASSWORD)
    with pytest.raises(Conflict):
        register_user(username="zoe\u0308 ", password=PASSWORD)


def test_every_faulty_field_is_named_at_once():
    with pytest.raises(InvalidInput) as raised:
        register_user(username="x", password="short", email="nowhere", time_zone="Mars/Olympus")
    assert pointers(raised.value) == {"/username", "/password", "/email", "/time_zone"}
    assert not User.objects.exists()


@pytest.mark.parametrize("zone", ["", "../../etc/passwd", "Europe", "UTC\x00"])
def test_a_zone_must_be_known(zone):
    with pytest.raises(InvalidInput) as raised:
        register_user(username="alice", password=PASSWORD, time_zone=zone)
    assert pointers(raised.value) == {"/time_zone"}


def test_a_display_name_loses_control_characters():
    user = register_user(username="alice", password=PASSWORD, display_name=" Alice\x00\n\tLiddell ")
    assert user.display_name == "Alice Liddell"
    assert user.speaker == "Alice Liddell"


def test_a_profile_changes_only_what_is_given():
    user = register_user(username="alice", password=PASSWORD, display_name="Alice")
    update_profile(user, time_zone="Asia/Shanghai")
    user.refresh_from_db()
    assert (user.display_name, user.time_zone) == ("Alice", "Asia/Shanghai")
    assert AuditEvent.objects.get(action="user.updated").fields == ["time_zone"]


def test_a_faulty_profile_changes_nothing():
    user = register_user(username="alice", password=PASSWORD)
    with pytest.raises(InvalidInput):
        update_profile(user, display_name="New", time_zone="Nowhere")
    user.refresh_from_db()
    assert (user.display_name, user.time_zone) == ("", "UTC")


def test_a_changed_password_replaces_the_old_and_ends_the_one_time_one(rf):
    user = register_user(username="alice", password=PASSWORD, must_change_password=True)
    change_password(rf.post("/"), user, old=PASSWORD, new="another long sentence")
    user.refresh_from_db()
    assert user.check_password("another long sentence")
    assert not user.must_change_password
    assert AuditEvent.objects.get(action="user.password_changed").fields == ["password"]


@pytest.mark.parametrize(
    ("old", "new", "pointer"),
    [
        ("wrong", "another long sentence", "/old_password"),
        (PASSWORD, "12345678", "/new_password"),
        (PASSWORD, PASSWORD, "/new_password"),
        (PASSWORD, "with\x00 a NUL inside", "/new_password"),
    ],
)
def test_a_refused_password_change_changes_nothing(rf, old, new, pointer):
    user = register_user(username="alice", password=PASSWORD)
    with pytest.raises(InvalidInput) as raised:
        change_password(rf.post("/"), user, old=old, new=new)
    assert pointers(raised.value) == {pointer}
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_an_earlier_name_is_kept_so_that_what_was_said_under_it_stays_ones_own():
    user = register_user(username="alice", password=PASSWORD, display_name="Demo")
    for name in ("Dagmar", "Demo", "Dagmar"):
        update_profile(user, display_name=name)
    user.refresh_from_db()
    assert user.names == ("Dagmar", "Demo")
    update_profile(user, time_zone="Asia/Shanghai")
    assert user.names == ("Dagmar", "Demo")

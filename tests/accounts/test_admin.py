"""The administration of people and spaces."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.paginator import Paginator
from django.urls import reverse

from accounts import admin as accounts_admin
from accounts.admin import CappedPaginator, beginning
from accounts.models import AuditEvent, Job, Membership, Space, User
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return register_user(username="alice", password=PASSWORD, display_name="Alice")


OWN_MODELS = [
    model
    for label in ("accounts", "memory", "sessions_app")
    for model in apps.get_app_config(label).get_models()
]


@pytest.mark.parametrize("model", [User, Space, Membership, Job, AuditEvent])
def test_every_list_opens_and_can_be_searched(staff, alice, model):
    address = reverse(f"admin:accounts_{model._meta.model_name}_changelist")
    assert staff.get(address).status_code == 200
    assert staff.get(address, {"q": "alice"}).status_code == 200


def test_the_administration_is_for_staff(client, alice):
    client.force_login(alice)
    assert client.get(reverse("admin:index")).status_code == 302


def test_nothing_can_be_deleted_in_bulk_past_the_services(rf, alice):
    request = rf.get("/admin/")
    request.user = User(is_staff=True, is_superuser=True, is_active=True)
    for model, model_admin in admin.site._registry.items():
        if model in OWN_MODELS:
            assert "delete_selected" not in model_admin.get_actions(request), model
            # One by one only where the administration hands it to a service.
            is_handed_on = "delete_model" in vars(type(model_admin))
            assert is_handed_on or not model_admin.has_delete_permission(request), model


def test_every_own_model_is_listed():
    missing = {model.__name__ for model in OWN_MODELS if model not in admin.site._registry}
    # A posting has a composite key, which the administration cannot address;
    # the pulse is the probes' one row.
    assert missing == {"Posting", "Pulse"}


def test_lists_of_own_models_never_count_a_whole_table():
    for model, model_admin in admin.site._registry.items():
        if model in OWN_MODELS:
            assert not model_admin.show_full_result_count, model
            assert model_admin.paginator is CappedPaginator, model


def test_the_capped_paginator_stops_counting(monkeypatch, alice):
    for name in ("bob", "charlie", "vera"):
        register_user(username=name, password=PASSWORD)
    users = User.objects.order_by("username")
    assert CappedPaginator(users, 10).count == Paginator(users, 10).count == 4
    monkeypatch.setattr(accounts_admin, "COUNT_CAP", 2)
    assert CappedPaginator(users, 10).count == 2


def test_a_person_made_here_gets_a_space_and_a_password_to_change(staff):
    response = staff.post(
        reverse("admin:accounts_user_add"),
        {"username": "vera", "display_name": "Vera", "password1": PASSWORD, "password2": PASSWORD},
    )
    user = User.objects.get(username="vera")
    assert response.status_code == 302
    assert user.must_change_password
    assert user.check_password(PASSWORD)
    assert Space.objects.filter(personal_to=user).exists()


def test_a_faulty_new_person_is_refused_and_makes_nobody(staff):
    response = staff.post(
        reverse("admin:accounts_user_add"), {"username": "v", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert response.status_code == 200
    assert not User.objects.filter(username="v").exists()


def test_a_change_of_a_person_is_audited_by_field(staff, alice):
    address = reverse("admin:accounts_user_change", args=[alice.pk])
    response = staff.post(
        address,
        {"username": "alice", "display_name": "Alice B.", "email": "", "time_zone": "UTC", "is_active": "on"},
    )
    assert response.status_code == 302
    assert User.objects.get(pk=alice.pk).display_name == "Alice B."
    event = AuditEvent.objects.filter(object_id=alice.pk).first()
    assert event is not None
    assert (event.action, event.fields) == ("user.updated", ["display_name"])


def test_a_change_of_a_space_is_audited(staff, alice):
    space = Space.objects.get(personal_to=alice)
    response = staff.post(
        reverse("admin:accounts_space_change", args=[space.pk]),
        {
            "slug": "alice",
            "name": "At home",
            "memberships-TOTAL_FORMS": "0",
            "memberships-INITIAL_FORMS": "0",
        },
    )
    assert response.status_code == 302
    assert Space.objects.get(pk=space.pk).name == "At home"
    assert AuditEvent.objects.filter(object_id=space.pk, action="space.updated").exists()


@pytest.mark.parametrize("name", ["job", "auditevent", "membership", "space"])
def test_rows_that_services_write_cannot_be_added_by_hand(staff, name):
    assert staff.get(reverse(f"admin:accounts_{name}_add")).status_code == 403


def test_the_relaxed_policy_is_served_under_admin_and_nowhere_else(staff):
    assert "'unsafe-eval'" in staff.get(reverse("admin:index"))["Content-Security-Policy"]
    assert "unsafe" not in staff.get(reverse("accounts:password"))["Content-Security-Policy"]


def test_the_administrator_is_greeted_by_name(staff):
    assert "None None" not in staff.get(reverse("admin:index")).content.decode()


@pytest.mark.parametrize("section", ["Sign-in attempts", "Tokens"])
def test_the_sections_of_others_are_named_in_plain_words(staff, section):
    text = staff.get(reverse("admin:index")).content.decode()
    assert section in text
    assert "Axes" not in text
    assert "Token Blacklist" not in text


def test_a_short_text_stands_in_a_list_as_it_is():
    assert beginning("Ana lives\n in Porto.") == "Ana lives in Porto."


def test_a_long_text_ends_after_a_whole_word_with_an_ellipsis():
    text = "Ana likes trains, " * 9
    shown = beginning(text)
    assert shown.endswith(("Ana…", "likes…", "trains…"))
    assert len(shown) <= 81


def test_a_long_word_is_cut():
    assert beginning("x" * 200) == "x" * 80 + "…"


def test_a_membership_is_called_by_who_belongs_where(alice):
    assert str(Membership.objects.get(user=alice)) == "alice, owner of alice"

"""The administration in sections, and what its lists say where they are empty."""

from html import unescape
from typing import Any

import pytest
from axes.models import AccessLog
from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import Space, User
from accounts.principals import principal_for
from lychee_site.admin_site import REST, SECTIONS
from sessions_app.services.sessions import open_session

pytestmark = pytest.mark.django_db


def test_what_people_look_for_comes_first_and_nothing_is_lost(staff: Client) -> None:
    sections = staff.get(reverse("admin:index")).context["app_list"]
    own = [*(title for title, _names in SECTIONS), REST]
    assert [section["name"] for section in sections] == [*own, "Sign-in attempts", "Tokens"]
    shown = {model["model"] for section in sections for model in section["models"]}
    assert shown == set(admin.site._registry)
    named = [apps.get_model(name) for _title, names in SECTIONS for name in names]
    assert named == [model["model"] for section in sections[: len(SECTIONS)] for model in section["models"]]


@pytest.mark.parametrize("model", ["memory_memoryrecord", "memory_retrievallog", "sessions_app_session"])
def test_a_list_is_searched_for_any_number_of_words(staff: Client, model: str) -> None:
    address = reverse(f"admin:{model}_changelist")
    assert staff.get(address, {"q": "a " * 2_000}).status_code == 200


def test_one_apps_page_lists_its_own(staff: Client) -> None:
    (found,) = staff.get(reverse("admin:app_list", args=["skills"])).context["app_list"]
    assert found["app_label"] == "skills"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({}, "Skills are learned where"),
        ({"q": "knots"}, "Nothing matches"),
        ({"state__exact": "draft"}, "take a filter away"),
    ],
)
def test_an_empty_list_says_why_it_is_empty(staff: Client, query: dict[str, str], said: str) -> None:
    page = unescape(staff.get(reverse("admin:skills_skill_changelist"), query).content.decode())
    assert said in page
    assert ("take a filter away" in page) is bool(query)


@pytest.mark.parametrize("is_private", [True, False])
def test_what_is_no_fault_gets_no_cross(staff: Client, is_private: bool) -> None:
    user = User.objects.get(username="root")
    Space.objects.filter(personal_to=user).update(is_screening_secrets=is_private)
    open_session(principal_for(user), "talk", private=is_private)
    for address in ("accounts_space", "sessions_app_session"):
        page = staff.get(reverse(f"admin:{address}_changelist")).content.decode()
        assert ("yes" in page.split('id="result_list"')[1]) is is_private
        assert "cross" not in page


@pytest.mark.parametrize("chosen", ["nonsense", "'", "9" * 40, "\x00", ""])
def test_a_list_refuses_to_act_on_what_cannot_be_in_it(staff: Client, chosen: str) -> None:
    acting = [(model, name) for model, names in actions(staff).items() for name in names]
    assert {"BlacklistedToken", "AccessAttempt", "MemoryRecord"} <= {model.__name__ for model, _ in acting}
    for model, name in acting:
        reply = act(staff, model, name, chosen)
        assert (reply.status_code, reply.redirect_chain) == (200, [(listing(model), 302)]), (model, name)
        assert "What was chosen is not in the list." in reply.content.decode(), (model, name)


def test_a_list_acts_on_what_is_in_it_and_not_on_what_has_gone(staff: Client) -> None:
    kept, gone = (AccessLog.objects.create(username=name) for name in ("kept", "gone"))
    assert "gone" in act(staff, AccessLog, "delete_selected", gone.pk).content.decode()
    act(staff, AccessLog, "delete_selected", gone.pk, post="yes")
    assert act(staff, AccessLog, "delete_selected", gone.pk, post="yes").status_code == 200
    assert list(AccessLog.objects.all()) == [kept]


def actions(staff: Client) -> dict[type[Model], list[str]]:
    """What each list offers to do with several rows at once."""
    request = RequestFactory().get("/admin/")
    request.user = User.objects.get(username="root")
    found = {model: list(owner.get_actions(request)) for model, owner in admin.site._registry.items()}
    return {model: names for model, names in found.items() if names}


def act(staff: Client, model: type[Model], action: str, chosen: object, **more: str) -> Any:
    sent = {"action": action, "_selected_action": [str(chosen)], **more}
    return staff.post(listing(model), sent, follow=True)


def listing(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")

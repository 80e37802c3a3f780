"""One path from a credential to a principal: bearer tokens, browser sessions, the space."""

import pytest
from django.test import Client

from accounts.models import User
from tests.api.cast import JSON, Cast, problem


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Basic YWxpY2U6eA==", "Bearer x", "x", "Bearer é"])
def test_a_faulty_authorization_header_is_401(cast: Cast, header: str) -> None:
    reply = Client().get("/auth/me", headers={"Authorization": header})
    assert reply.status_code == 401
    assert reply["WWW-Authenticate"].startswith("Bearer")


def test_without_any_credential_it_is_401(db: None) -> None:
    problem(Client().get("/auth/me"), 401, "not_authenticated")


def test_an_inactive_user_is_refused(cast: Cast) -> None:
    User.objects.filter(username="alice").update(is_active=False)
    problem(cast.alice.get("/auth/me"), 401, "account_inactive")


def test_a_browser_session_needs_the_csrf_token_to_write(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.alice.user, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.get("/auth/me").json()["username"] == "alice"
    document = problem(browser.post("/auth/ws-ticket", {}, JSON), 403, "csrf_failed")
    assert document["title"] == "This is not allowed"  # it has nothing to do with a role
    browser.cookies["csrftoken"] = "a" * 32
    assert browser.post("/auth/ws-ticket", {}, JSON, headers={"X-CSRFToken": "a" * 32}).status_code == 200


def test_the_header_names_the_space(cast: Cast) -> None:
    assert cast.bob.get("/auth/me").json()["space"] == "space-a"
    assert cast.bob.get("/auth/me").json()["role"] == "editor"
    assert cast.vera.get("/auth/me").json()["role"] == "viewer"


@pytest.mark.parametrize("slug", ["space-a", "nowhere", "../", "space-a/", "é", "a:b", "SPACE-B"])
def test_a_foreign_space_and_a_missing_one_look_alike(cast: Cast, slug: str) -> None:
    document = problem(cast.charlie.in_space(slug).get("/auth/me"), 404, "not_found")
    missing = problem(cast.charlie.in_space("missing").get("/auth/me"), 404, "not_found")
    assert document == missing


@pytest.mark.parametrize("slug", ["", " "])
def test_an_empty_space_never_widens_to_another(cast: Cast, slug: str) -> None:
    problem(cast.alice.in_space(slug).get("/auth/me"), 422, "invalid_input")

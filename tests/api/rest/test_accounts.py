"""`/auth/*` and `/spaces` through HTTP."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import Space, User
from accounts.services.users import register_user
from tests.api.cast import FORMS_OF_NO_FORM, JSON, PASSWORD, Cast, Person, person, pointers, problem


def post(path: str, body: Any, **headers: str) -> Any:
    return Client().post(path, body, JSON, headers=headers)


def test_registering_makes_a_user_who_is_signed_in_to_a_personal_space(db: None) -> None:
    reply = post("/auth/register", {"username": " ann ", "password": PASSWORD, "display_name": "Ann"})
    assert reply.status_code == 201
    body = reply.json()
    assert (body["username"], body["display_name"]) == ("ann", "Ann")
    me = Client().get("/auth/me", headers={"Authorization": f"Bearer {body['token']}"}).json()
    assert (me["user_id"], me["space"], me["role"]) == (body["user_id"], "ann", "owner")
    assert body["refresh"]


def test_a_taken_name_is_a_conflict(cast: Cast) -> None:
    document = problem(
        post("/auth/register", {"username": "Alice", "password": PASSWORD}), 409, "username_taken"
    )
    assert pointers(document) == {"/username"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", ""),
        ("username", "x"),
        ("username", "n" * 65),
        ("username", 123),
        ("username", None),
        ("username", ["ann"]),
        ("username", "a b"),
        ("username", "../"),
        ("username", "🍜🍜"),
        ("password", "short"),
        ("password", "12345678901"),
        ("password", "password"),
        ("password", 12345678),
        ("email", "no address"),
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../etc/passwd"),
        ("display_name", "n" * 129),
    ],
)
def test_a_faulty_field_is_named(db: None, field: str, value: Any) -> None:
    body = {"username": "ann", "password": PASSWORD, field: value}
    document = problem(post("/auth/register", body), 422, "invalid_input")
    assert pointers(document) == {f"/{field}"}
    assert User.objects.count() == 0


def test_registration_can_be_closed(db: None, settings: Any) -> None:
    settings.IS_REGISTRATION_OPEN = False
    problem(post("/auth/register", {"username": "ann", "password": PASSWORD}), 403, "registration_closed")


def test_signing_in_gives_tokens(cast: Cast) -> None:
    reply = post("/auth/login", {"username": "alice", "password": PASSWORD})
    token = reply.json()["token"]
    assert Client().get("/auth/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_a_wrong_password_is_401_with_a_challenge(cast: Cast) -> None:
    reply = post("/auth/login", {"username": "alice", "password": "wrong"})
    problem(reply, 401, "bad_credentials")
    assert reply["WWW-Authenticate"].startswith("Bearer")


def test_a_locked_out_name_is_429_with_retry_after(cast: Cast, settings: Any) -> None:
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 2
    problem(post("/auth/login", {"username": "alice", "password": "wrong"}), 401, "bad_credentials")
    for password in ("wrong", PASSWORD):
        reply = post("/auth/login", {"username": "alice", "password": password})
        problem(reply, 429, "locked_out")
        assert reply["Retry-After"] == "900"
    assert cast.bob
    assert post("/auth/login", {"username": "bob", "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("kind", FORMS_OF_NO_FORM)
def test_a_wrong_password_counts_whatever_the_body_is_called(cast: Cast, settings: Any, kind: str) -> None:
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 2
    body = json.dumps({"username": "alice", "password": "&" * 1_010})
    for status in (401, 429):
        assert Client().post("/auth/login", body, content_type=kind).status_code == status


def test_guessing_the_present_password_is_429_with_retry_after(cast: Cast, settings: Any) -> None:
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 2
    body = {"old_password": "wrong", "new_password": "another long sentence"}
    problem(cast.alice.post("/auth/password", body), 422, "invalid_input")
    for old in ("wrong", PASSWORD):
        reply = cast.alice.post("/auth/password", {**body, "old_password": old})
        problem(reply, 429, "locked_out")
        assert reply["Retry-After"] == "900"


@pytest.mark.parametrize("zone", ["localtime", "posixrules", "Factory", "right/UTC", "europe/berlin"])
def test_a_zone_that_is_no_place_is_refused(cast: Cast, zone: str) -> None:
    reply = cast.alice.patch("/auth/me", {"time_zone": zone})
    problem(reply, 422, "invalid_input")
    assert cast.alice.get("/auth/me").json()["time_zone"] == "UTC"


def test_refreshing_rotates_and_reuse_signs_everybody_out(cast: Cast) -> None:
    first = post("/auth/login", {"username": "alice", "password": PASSWORD}).json()["refresh"]
    second = post("/auth/refresh", {"refresh": first}).json()["refresh"]
    problem(post("/auth/refresh", {"refresh": first}), 401, "token_reused")
    problem(post("/auth/refresh", {"refresh": second}), 401, "token_revoked")


@pytest.mark.parametrize("token", ["", "x", "é", 5, None, "a" * 5_000])
def test_what_is_no_refresh_token_is_refused(db: None, token: Any) -> None:
    assert post("/auth/refresh", {"refresh": token}).status_code in (401, 422)


def test_the_profile_changes_what_is_sent(cast: Cast) -> None:
    reply = cast.alice.patch("/auth/me", {"display_name": "Alice L.", "time_zone": "Asia/Tokyo"})
    assert reply.status_code == 200, reply.content
    me = cast.alice.get("/auth/me").json()
    assert (me["display_name"], me["time_zone"], me["email"]) == ("Alice L.", "Asia/Tokyo", "")


@pytest.mark.parametrize(
    ("field", "value"), [("time_zone", "Nowhere"), ("email", "x"), ("display_name", 1), ("email", ["a@b.c"])]
)
def test_a_faulty_profile_changes_nothing(cast: Cast, field: str, value: Any) -> None:
    document = problem(cast.alice.patch("/auth/me", {field: value}), 422, "invalid_input")
    assert pointers(document) == {f"/{field}"}
    assert cast.alice.get("/auth/me").json()["time_zone"] == "UTC"


def test_changing_the_password_ends_old_tokens_and_gives_new_ones(cast: Cast) -> None:
    body = {"old_password": PASSWORD, "new_password": "another horse battery"}
    reply = cast.alice.post("/auth/password", body)
    assert reply.status_code == 200, reply.content
    problem(cast.alice.get("/auth/me"), 401, "token_revoked")
    renewed = Person(cast.alice.user, "space-a", reply.json()["token"])
    assert renewed.get("/auth/me").status_code == 200


def test_the_old_password_proves_who_asks(cast: Cast) -> None:
    body = {"old_password": "wrong", "new_password": "another horse battery"}
    document = problem(cast.alice.post("/auth/password", body), 422, "invalid_input")
    assert pointers(document) == {"/old_password"}


def test_a_one_time_password_opens_nothing_but_its_change(db: None) -> None:
    user = register_user(username="ann", password=PASSWORD, must_change_password=True)
    token = post("/auth/login", {"username": "ann", "password": PASSWORD}).json()["token"]
    ann = Person(user, "ann", token)
    assert ann.get("/auth/me").json()["must_change_password"] is True
    problem(ann.get("/spaces"), 403, "password_change_required")
    problem(ann.patch("/auth/me", {}), 403, "password_change_required")
    problem(ann.post("/auth/ws-ticket"), 403, "password_change_required")
    reply = ann.post("/auth/password", {"old_password": PASSWORD, "new_password": "another horse battery"})
    assert Person(user, "ann", reply.json()["token"]).get("/spaces").status_code == 200


def test_a_browser_stays_signed_in_when_it_changes_its_password(cast: Cast) -> None:
    browser = Client()
    browser.force_login(cast.alice.user, backend="django.contrib.auth.backends.ModelBackend")
    body = {"old_password": PASSWORD, "new_password": "another horse battery"}
    assert browser.post("/auth/password", body, JSON).status_code == 200
    assert browser.get("/auth/me").status_code == 200


def test_spaces_lists_yours_with_the_personal_one_first(cast: Cast) -> None:
    assert cast.vera
    body = cast.bob.get("/spaces").json()
    assert [(item["slug"], item["role"]) for item in body["items"]] == [
        ("bob", "owner"),
        ("space-a", "editor"),
    ]
    assert body["total"] == 2
    assert body["items"][1]["member_count"] == 3


def test_a_new_space_is_its_makers(cast: Cast) -> None:
    reply = cast.charlie.post("/spaces", {"slug": "c-two", "name": "C, the second"})
    assert reply.status_code == 201, reply.content
    assert reply.json()["role"] == "owner"
    assert cast.charlie.in_space("c-two").get("/auth/me").status_code == 200
    problem(cast.bob.in_space("c-two").get("/auth/me"), 404, "not_found")


def test_a_taken_slug_is_a_conflict(cast: Cast) -> None:
    problem(cast.charlie.post("/spaces", {"slug": "space-a", "name": "Mine"}), 409, "slug_taken")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", ""),
        ("slug", "a"),
        ("slug", "A b"),
        ("slug", "-a"),
        ("slug", "a:b"),
        ("slug", "../etc"),
        ("slug", "s" * 65),
        ("slug", 7),
        ("slug", "new"),
        ("name", ""),
        ("name", "\u0000"),
        ("name", "n" * 129),
        ("name", None),
    ],
)
def test_a_faulty_space_is_refused(cast: Cast, field: str, value: Any) -> None:
    before = Space.objects.count()
    reply = cast.alice.post("/spaces", {"slug": "good", "name": "Good", field: value})
    assert pointers(problem(reply, 422, "invalid_input")) == {f"/{field}"}
    assert Space.objects.count() == before


def test_a_ticket_is_given_for_a_minute(cast: Cast) -> None:
    body = cast.alice.post("/auth/ws-ticket").json()
    assert body["expires_in"] == 60
    assert body["ticket"]


def test_names_of_any_script_may_sign_up(db: None) -> None:
    assert person("böb").get("/auth/me").json()["username"] == "böb"
    problem(post("/auth/register", {"username": "bo\u0308b", "password": PASSWORD}), 409, "username_taken")

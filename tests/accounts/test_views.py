"""Signing up, in and out; changing the password."""

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import Space, User
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"
OTHER = "another walk in the hills"
SIGN_UP, SIGN_IN, PROFILE, CHANGE = (
    reverse("accounts:sign-up"),
    reverse("accounts:sign-in"),
    reverse("accounts:profile"),
    reverse("accounts:password"),
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return register_user(username="alice", password=PASSWORD)


@pytest.fixture
def signed_in(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def sign_up(client: Client, **changes: str):
    return client.post(SIGN_UP, {"username": "alice", "password": PASSWORD, **changes})


def test_signing_up_makes_a_person_with_a_space_and_signs_them_in(client):
    response = sign_up(client, display_name="Alice", time_zone="Europe/Berlin")
    user = User.objects.get(username="alice")
    assert response.url == "/app/"
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (user.display_name, user.time_zone) == ("Alice", "Europe/Berlin")
    assert Space.objects.filter(personal_to=user).exists()


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "Europe/Berlin\x00"])
def test_a_zone_the_server_does_not_know_becomes_utc_or_is_refused(client, zone):
    response = sign_up(client, time_zone=zone)
    assert response.status_code in (302, 422)
    assert not User.objects.exclude(time_zone="UTC").exists()


def test_a_taken_name_is_told_beside_its_field(client, alice):
    response = sign_up(client)
    assert response.status_code == 422
    assert response.context["form"].errors["username"] == ["This name is taken."]
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", "a"),
        ("username", "a b"),
        ("username", "x" * 65),
        ("password", "short"),
        ("password", "12345678"),
    ],
)
def test_a_faulty_value_is_told_beside_its_field_and_makes_nobody(client, field, value):
    response = sign_up(client, **{field: value})
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not User.objects.exists()


def test_the_page_of_a_refused_sign_up_links_the_error_to_its_field(client):
    page = sign_up(client, username="a").content.decode()
    assert 'aria-invalid="true"' in page
    assert 'id="id_username_error"' in page
    assert PASSWORD not in page


@override_settings(IS_REGISTRATION_OPEN=False)
def test_closed_registration_is_no_page_at_all(client):
    assert client.get(SIGN_UP).status_code == 404
    assert sign_up(client).status_code == 404
    assert SIGN_UP not in client.get(SIGN_IN).content.decode()


def test_someone_signed_in_is_led_on_from_the_doors(signed_in):
    assert signed_in.get(SIGN_UP).status_code == 302
    assert signed_in.get(SIGN_IN).status_code == 302


def test_signing_in_leads_to_where_one_was_going(client, alice):
    response = client.post(f"{SIGN_IN}?next=/app/password/", {"username": "alice", "password": PASSWORD})
    assert response.url == "/app/password/"


def test_signing_in_never_leads_to_another_host(client, alice):
    response = client.post(
        f"{SIGN_IN}?next=https://evil.example/", {"username": "alice", "password": PASSWORD}
    )
    assert response.url == "/app/"


def test_a_wrong_password_and_an_unknown_name_look_alike(client, alice):
    wrong = client.post(SIGN_IN, {"username": "alice", "password": OTHER})
    unknown = client.post(SIGN_IN, {"username": "nobody", "password": OTHER})
    told = [list(r.context["form"].non_field_errors()) for r in (wrong, unknown)]
    assert told[0] == told[1] != []
    assert wrong.status_code == unknown.status_code


@override_settings(AXES_ENABLED=True, AXES_FAILURE_LIMIT=2)
def test_too_many_failures_are_told_in_words_and_hold_even_for_the_right_password(client, alice):
    for _attempt in range(2):
        client.post(SIGN_IN, {"username": "alice", "password": OTHER})
    response = client.post(SIGN_IN, {"username": "alice", "password": PASSWORD})
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()
    assert "_auth_user_id" not in client.session


@override_settings(AXES_ENABLED=True, AXES_FAILURE_LIMIT=2)
def test_guessing_the_present_password_locks_out_in_words(signed_in, alice):
    first = signed_in.post(CHANGE, {"old_password": OTHER, "new_password": OTHER})
    assert first.status_code == 422
    for old in (OTHER, PASSWORD):
        response = signed_in.post(CHANGE, {"old_password": old, "new_password": OTHER})
        assert response.status_code == 429
        assert "Too many attempts" in response.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


@pytest.mark.parametrize("address", [SIGN_IN, "/admin/login/"])
def test_every_door_asks_for_the_user_name_in_the_same_words(client, address):
    page = client.get(address).content.decode()
    assert "User name" in page
    assert "Username" not in page


def test_signing_out_needs_a_post_and_ends_the_session(signed_in):
    assert signed_in.get(reverse("accounts:sign-out")).status_code == 405
    assert signed_in.post(reverse("accounts:sign-out")).url == SIGN_IN
    assert "_auth_user_id" not in signed_in.session


def test_changing_the_password_keeps_this_browser_signed_in(signed_in, alice):
    response = signed_in.post(CHANGE, {"old_password": PASSWORD, "new_password": OTHER})
    assert response.url == "/app/"
    alice.refresh_from_db()
    assert alice.check_password(OTHER)
    assert signed_in.get(CHANGE).status_code == 200


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (OTHER, OTHER, "old_password"),
        (PASSWORD, "short", "new_password"),
        (PASSWORD, PASSWORD, "new_password"),
    ],
)
def test_a_refused_change_says_which_field_is_wrong_and_changes_nothing(signed_in, alice, old, new, field):
    response = signed_in.post(CHANGE, {"old_password": old, "new_password": new})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_the_password_page_is_for_people_who_signed_in(client):
    assert client.get(CHANGE).url == f"{SIGN_IN}?next={CHANGE}"


def test_a_one_time_password_leads_every_page_to_its_change_until_it_is_changed(signed_in, alice):
    User.objects.filter(pk=alice.pk).update(must_change_password=True)
    assert signed_in.get("/app/").url == CHANGE
    assert "one-time password" in signed_in.get(CHANGE).content.decode()
    signed_in.post(CHANGE, {"old_password": PASSWORD, "new_password": OTHER})
    assert signed_in.get("/app/").url != CHANGE


def test_who_came_with_a_one_time_password_is_asked_for_a_name(signed_in, alice):
    User.objects.filter(pk=alice.pk).update(must_change_password=True, display_name="Demo")
    assert "What should the memory call you?" in signed_in.get(CHANGE).content.decode()
    told = {"old_password": PASSWORD, "new_password": OTHER, "display_name": "Alice"}
    signed_in.post(CHANGE, told)
    alice.refresh_from_db()
    assert alice.speaker == "Alice"
    assert alice.check_password(OTHER)


@pytest.mark.parametrize("faulty", [{"display_name": "x" * 129}, {"new_password": "short"}])
def test_a_refused_first_change_changes_neither_name_nor_password(signed_in, alice, faulty):
    User.objects.filter(pk=alice.pk).update(must_change_password=True, display_name="Demo")
    told = {"old_password": PASSWORD, "new_password": OTHER, "display_name": "Alice", **faulty}
    response = signed_in.post(CHANGE, told)
    assert list(response.context["form"].errors) == list(faulty)
    alice.refresh_from_db()
    assert alice.must_change_password
    assert (alice.display_name, alice.check_password(PASSWORD)) == ("Demo", True)


def test_a_later_change_of_the_password_leaves_the_name(signed_in, alice):
    assert "What should the memory call you?" not in signed_in.get(CHANGE).content.decode()
    signed_in.post(CHANGE, {"old_password": PASSWORD, "new_password": OTHER, "display_name": "Mallory"})
    alice.refresh_from_db()
    assert alice.check_password(OTHER)
    assert alice.display_name == ""


@pytest.mark.parametrize("address", [SIGN_IN, SIGN_UP])
def test_the_doors_have_the_strict_policy_and_nothing_inline(client, address):
    response = client.get(address)
    policy = response["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    page = response.content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert "<script>" not in page


def test_a_page_speaks_one_language(client):
    response = client.post(SIGN_UP, {}, headers={"Accept-Language": "de"})
    page = response.content.decode()
    assert '<html lang="en"' in page
    assert "This field is required." in page


def test_a_missing_page_looks_like_the_others(client):
    response = client.get("/app/nowhere/")
    assert response.status_code == 404
    assert "Nothing here" in response.content.decode()


def test_a_form_without_its_token_is_refused_in_the_same_look():
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(SIGN_IN, {"username": "alice", "password": PASSWORD})
    assert response.status_code == 403
    assert "open too long" in response.content.decode()


PERSON = {"display_name": "Alicia", "email": "alice@example.org", "zone": "Asia/Tokyo"}


def test_the_profile_shows_what_is_known(signed_in, alice):
    text = signed_in.get(PROFILE).content.decode()
    assert "You sign in as alice." in text
    assert 'value="UTC"' in text
    assert '<option value="Europe/Berlin">' in text


def test_the_profile_is_changed_and_led_home(signed_in, alice):
    response = signed_in.post(PROFILE, PERSON)
    alice.refresh_from_db()
    assert response.url == "/app/"
    assert (alice.display_name, alice.email, alice.time_zone) == tuple(PERSON.values())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("zone", "Mars/Olympus"),
        ("zone", "localtime"),
        ("zone", ""),
        ("email", "nobody"),
        ("display_name", "x" * 129),
    ],
)
def test_a_faulty_profile_is_told_beside_its_field_and_changes_nothing(signed_in, alice, field, value):
    response = signed_in.post(PROFILE, {**PERSON, field: value})
    alice.refresh_from_db()
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert alice.display_name == ""


def test_a_stranger_has_no_profile(client):
    assert client.get(PROFILE).url.startswith(SIGN_IN)


def test_sign_up_tells_a_taken_name_and_a_bad_password_at_once(client, alice):
    reply = client.post("/app/sign-up/", {"username": "ALICE", "password": "123"})
    assert reply.status_code == 422
    assert "This name is taken." in reply.context["form"].errors["username"]
    assert len(reply.context["form"].errors["password"]) >= 2
    short = client.post("/app/sign-up/", {"username": "a", "password": "123"})
    assert set(short.context["form"].errors) == {"username", "password"}
    assert User.objects.count() == 1


def test_the_password_page_tells_a_wrong_old_and_a_bad_new_one_at_once(client, alice):
    client.force_login(alice)
    reply = client.post("/app/password/", {"old_password": "", "new_password": "123"})
    assert set(reply.context["form"].errors) == {"old_password", "new_password"}
    reply = client.post("/app/password/", {"old_password": "not mine at all", "new_password": "123"})
    assert "too short" in str(reply.context["form"].errors["new_password"])


@pytest.mark.parametrize(
    ("zone", "kept"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Base", "UTC"), ("", "UTC")]
)
def test_the_first_sign_in_takes_the_browsers_zone(client, alice, zone, kept):
    given = {"username": "alice", "password": PASSWORD}
    client.post("/app/sign-in/", {**given, "time_zone": zone})
    alice.refresh_from_db()
    assert alice.time_zone == kept
    client.logout()
    client.post("/app/sign-in/", {**given, "time_zone": "Asia/Tokyo"})
    alice.refresh_from_db()
    assert alice.time_zone == kept

"""Passwords, tokens that rotate, tickets that open once."""

from datetime import timedelta
from typing import cast

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils import timezone
from rest_framework_simplejwt.token_blacklist.models import BlacklistedToken, OutstandingToken
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken, Token

from accounts.errors import NotAuthenticated, NotFound, TooManyRequests
from accounts.models import AuditEvent, User
from accounts.principals import principal_for
from accounts.services import credentials
from accounts.services.credentials import (
    check_password,
    confirm_password,
    issue_ticket,
    issue_tokens,
    redeem_ticket,
    revoke_tokens,
    rotate_tokens,
    user_of_token,
)
from accounts.services.users import change_password, register_user

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(db: None) -> User:
    return register_user(username="ann", password=PASSWORD)


def refused(call: object, *arguments: object, **named: object) -> str:
    with pytest.raises(NotAuthenticated) as caught:
        call(*arguments, **named)  # type: ignore[operator]
    return caught.value.error_code


def test_an_access_token_names_its_user(ann: User) -> None:
    assert user_of_token(issue_tokens(ann).access) == ann


def test_a_refresh_token_is_no_access_token(ann: User) -> None:
    assert refused(user_of_token, issue_tokens(ann).refresh) == "token_invalid"


def test_an_access_token_is_no_refresh_token(ann: User) -> None:
    assert refused(rotate_tokens, issue_tokens(ann).access) == "token_invalid"


@pytest.mark.parametrize("raw", ["", "x", "a.b.c", "é.é.é", "\ud83d", "eyJhbGciOiJub25lIn0.e30."])
def test_what_is_no_token_is_refused(ann: User, raw: str) -> None:
    assert refused(user_of_token, raw) == "token_invalid"
    assert refused(rotate_tokens, raw) == "token_invalid"


def test_an_expired_token_says_that_it_has_expired(ann: User) -> None:
    token = AccessToken(cast(Token, issue_tokens(ann).access))
    token.set_exp(lifetime=timedelta(seconds=-1))
    assert refused(user_of_token, str(token)) == "token_expired"


def test_a_token_of_an_inactive_user_is_refused(ann: User) -> None:
    tokens = issue_tokens(ann)
    User.objects.update(is_active=False)
    assert refused(user_of_token, tokens.access) == "account_inactive"
    assert refused(rotate_tokens, tokens.refresh) == "account_inactive"


def test_a_token_of_nobody_is_refused(ann: User) -> None:
    tokens = issue_tokens(ann)
    token = AccessToken(cast(Token, tokens.access))
    token["sub"] = "not-an-id"
    assert refused(user_of_token, str(token)) == "account_inactive"


def test_tokens_end_with_the_password_they_were_made_under(ann: User) -> None:
    tokens = issue_tokens(ann)
    change_password(RequestFactory().post("/"), ann, old=PASSWORD, new="another horse battery")
    assert refused(user_of_token, tokens.access) == "token_revoked"
    assert refused(rotate_tokens, tokens.refresh) == "token_revoked"


def test_no_token_is_stored(ann: User) -> None:
    given = issue_tokens(ann)
    rotated = rotate_tokens(given.refresh)
    kept = "".join(str(row) for row in OutstandingToken.objects.values_list())
    assert given.refresh not in kept
    assert rotated.refresh not in kept
    assert "eyJ" not in kept


def test_rotation_gives_a_pair_that_works(ann: User) -> None:
    first = issue_tokens(ann)
    second = rotate_tokens(first.refresh)
    assert second.refresh != first.refresh
    assert user_of_token(second.access) == ann
    assert rotate_tokens(second.refresh).refresh != second.refresh


def test_a_rotated_token_used_again_revokes_every_token_of_the_user(ann: User) -> None:
    elsewhere = issue_tokens(ann)
    stolen = issue_tokens(ann)
    current = rotate_tokens(stolen.refresh)
    assert refused(rotate_tokens, stolen.refresh) == "token_reused"
    assert refused(rotate_tokens, current.refresh) == "token_revoked"
    assert refused(rotate_tokens, elsewhere.refresh) == "token_revoked"
    assert AuditEvent.objects.filter(action="tokens.revoke", user_id=ann.id).count() == 1


def test_a_revoked_device_that_tries_again_signs_nobody_else_out(ann: User) -> None:
    revoked = issue_tokens(ann)
    revoke_tokens(ann)
    current = issue_tokens(ann)
    assert refused(rotate_tokens, revoked.refresh) == "token_revoked"
    assert rotate_tokens(current.refresh)


def test_revoking_counts_live_tokens_only(ann: User) -> None:
    used = issue_tokens(ann)
    rotate_tokens(used.refresh)
    issue_tokens(ann)
    assert revoke_tokens(ann) == 2
    assert revoke_tokens(ann) == 0
    assert BlacklistedToken.objects.count() == 3


def test_a_signed_refresh_token_that_was_never_issued_is_refused(ann: User) -> None:
    token = RefreshToken(cast(Token, issue_tokens(ann).refresh))
    token["jti"] = "made.up"
    assert refused(rotate_tokens, str(token)) == "token_invalid"


def sign_in(name: str, password: str) -> User:
    request = RequestFactory().post("/auth/login")
    request.user = AnonymousUser()
    return check_password(request, username=name, password=password)


def test_the_right_password_names_its_user(ann: User) -> None:
    assert sign_in("ann", PASSWORD) == ann


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong"), ("nobody", PASSWORD), ("", "")])
def test_a_wrong_name_and_a_wrong_password_look_alike(ann: User, name: str, password: str) -> None:
    assert refused(sign_in, name, password) == "bad_credentials"


def test_an_inactive_user_cannot_sign_in(ann: User) -> None:
    User.objects.update(is_active=False)
    assert refused(sign_in, "ann", PASSWORD) == "bad_credentials"


def test_many_failures_lock_the_name_out_even_for_the_right_password(ann: User, settings: object) -> None:
    settings.AXES_ENABLED = True  # type: ignore[attr-defined]
    settings.AXES_FAILURE_LIMIT = 3  # type: ignore[attr-defined]
    for _ in range(2):
        assert refused(sign_in, "ann", "wrong") == "bad_credentials"
    for password in ("wrong", PASSWORD):
        with pytest.raises(TooManyRequests) as caught:
            sign_in("ann", password)
        assert caught.value.error_code == "locked_out"
        assert caught.value.retry_after == 15 * 60


def test_wrong_old_passwords_count_as_failed_sign_ins(ann: User, settings: object) -> None:
    settings.AXES_ENABLED = True  # type: ignore[attr-defined]
    settings.AXES_FAILURE_LIMIT = 3  # type: ignore[attr-defined]
    request = RequestFactory().post("/auth/password")
    assert [confirm_password(request, ann, "wrong") for _ in range(2)] == [False, False]
    with pytest.raises(TooManyRequests):
        sign_in("ann", "wrong")
    with pytest.raises(TooManyRequests):
        confirm_password(request, ann, PASSWORD)


def test_the_right_password_of_another_person_confirms_nothing(ann: User) -> None:
    register_user(username="bea", password="another horse battery")
    request = RequestFactory().post("/auth/password")
    assert not confirm_password(request, ann, "another horse battery")
    assert confirm_password(request, ann, PASSWORD)


def test_a_ticket_opens_once_in_its_space(ann: User) -> None:
    principal = principal_for(ann)
    ticket = issue_ticket(principal)
    assert redeem_ticket(ticket, slug=None) == (ann, principal)
    assert refused(redeem_ticket, ticket, slug=None) == "ticket_invalid"


def test_a_ticket_is_bound_to_its_space(ann: User) -> None:
    with pytest.raises(NotFound):
        redeem_ticket(issue_ticket(principal_for(ann)), slug="another")


@pytest.mark.parametrize("ticket", ["", "x", "a:b:c:d:e"])
def test_a_forged_ticket_is_refused(ann: User, ticket: str) -> None:
    assert refused(redeem_ticket, ticket, slug=None) == "ticket_invalid"


def test_a_ticket_lasts_a_minute(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = issue_ticket(principal_for(ann))
    monkeypatch.setattr(credentials, "TICKET_SECONDS", -1)
    assert refused(redeem_ticket, ticket, slug=None) == "ticket_invalid"


def test_a_ticket_of_a_user_made_inactive_is_refused(ann: User) -> None:
    ticket = issue_ticket(principal_for(ann))
    User.objects.update(is_active=False, last_login=timezone.now())
    assert refused(redeem_ticket, ticket, slug=None) == "account_inactive"


def test_a_ticket_from_before_a_change_of_password_is_refused(ann: User) -> None:
    ticket = issue_ticket(principal_for(ann))
    ann.set_password("another long password 2")
    ann.save()
    assert refused(redeem_ticket, ticket, slug=None) == "token_revoked"

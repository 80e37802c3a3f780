"""Credentials to users and back: passwords, bearer tokens, websocket tickets.

Tokens are Simple JWT's. A refresh token's id is `<family>.<random>`: rotation stays in
the family, so the second use of a rotated token is told from one that was revoked.
"""

import secrets
from dataclasses import dataclass
from uuid import UUID, uuid4

from axes.helpers import get_cool_off
from django.contrib.auth import authenticate
from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from rest_framework_simplejwt.exceptions import ExpiredTokenError, TokenError
from rest_framework_simplejwt.settings import api_settings
from rest_framework_simplejwt.token_blacklist.models import BlacklistedToken, OutstandingToken
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken, Token, UntypedToken
from rest_framework_simplejwt.utils import datetime_from_epoch, get_md5_hash_password

from accounts.errors import NotAuthenticated, NotFound, TooManyRequests
from accounts.models import User
from accounts.principals import Principal, principal_for
from accounts.services.audit import record_audit

TICKET_SECONDS = 60
_TICKETS = TimestampSigner(salt="lychee.ws-ticket")


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client keeps after signing in."""

    access: str
    refresh: str


def check_password(request: HttpRequest, *, username: str, password: str) -> User:
    """The active user of this name and password.

    Raises NotAuthenticated, alike for a wrong name, a wrong password and an inactive
    user, and TooManyRequests once the failures of a name and address lock it out.
    """
    user = authenticate(request, username=username, password=password)
    if getattr(request, "axes_locked_out", False):
        request.axes_locked_out = False  # type: ignore[attr-defined]  # the door answers in its own shape
        cool_off = get_cool_off(request)
        raise TooManyRequests(
            "Too many failed attempts; wait, or ask the operator.",
            code="locked_out",
            retry_after=int(cool_off.total_seconds()) if cool_off else None,
        )
    if not isinstance(user, User):
        raise NotAuthenticated("The name or the password is wrong.", code="bad_credentials")
    return user


def confirm_password(request: HttpRequest, user: User, password: str) -> bool:
    """Whether somebody who is signed in as the user knows the password.

    A wrong one counts as a failed sign-in. Raises TooManyRequests as check_password does.
    """
    try:
        return check_password(request, username=user.username, password=password) == user
    except NotAuthenticated:
        return False


def user_of_token(raw: str) -> User:
    """The active user of an access token. Raises NotAuthenticated."""
    try:
        token = AccessToken(raw)  # type: ignore[arg-type]  # annotated as Token, takes text
    except ExpiredTokenError as error:
        raise NotAuthenticated("The token has expired; POST /auth/refresh.", code="token_expired") from error
    except (TokenError, UnicodeError) as error:
        raise NotAuthenticated("The token is not valid; sign in again.", code="token_invalid") from error
    return _owner(token)


def issue_tokens(user: User, *, family: str | None = None) -> Tokens:
    """A new pair: of a new family, or the next of the one given."""
    refresh = RefreshToken()
    refresh[api_settings.USER_ID_CLAIM] = str(user.id)
    refresh[api_settings.REVOKE_TOKEN_CLAIM] = get_md5_hash_password(user.password)
    refresh[api_settings.JTI_CLAIM] = f"{family or uuid4().hex}.{uuid4().hex}"
    OutstandingToken.objects.create(
        user=user,
        jti=refresh[api_settings.JTI_CLAIM],
        token="",  # known by its jti: who reads the table or the administration gets no credential
        created_at=refresh.current_time,
        expires_at=datetime_from_epoch(refresh["exp"]),
    )
    return Tokens(access=str(refresh.access_token), refresh=str(refresh))


def rotate_tokens(raw: str) -> Tokens:
    """A new pair for a refresh token, which is used up by it.

    Raises NotAuthenticated. A token used twice was copied: if its family still has a
    live token, every refresh token of the user is revoked.
    """
    token = _refresh_token(raw)
    user = _owner(token)
    family = str(token[api_settings.JTI_CLAIM]).partition(".")[0]
    with transaction.atomic():
        outstanding = OutstandingToken.objects.filter(user=user, jti=token[api_settings.JTI_CLAIM]).first()
        if outstanding is None:
            raise NotAuthenticated("The token is not valid; sign in again.", code="token_invalid")
        _used, is_first_use = BlacklistedToken.objects.get_or_create(token=outstanding)
        if is_first_use:
            return issue_tokens(user, family=family)
    if _live_tokens(user).filter(jti__startswith=f"{family}.").exists():
        revoke_tokens(user)
        raise NotAuthenticated(
            "This token was used before, so somebody may hold a copy; sign in again.", code="token_reused"
        )
    raise NotAuthenticated("The token was revoked; sign in again.", code="token_revoked")


def revoke_tokens(user: User) -> int:
    """Blacklist every live refresh token of the user; returns how many."""
    with transaction.atomic():
        live = list(_live_tokens(user))
        BlacklistedToken.objects.bulk_create(
            [BlacklistedToken(token=token) for token in live], ignore_conflicts=True
        )
        record_audit(
            action="tokens.revoke", object_type="user", object_id=user.id, space_id=None, user_id=user.id
        )
    return len(live)


def active_user(user_id: str) -> User:
    """The user with this id who may sign in. Raises NotAuthenticated."""
    try:
        return User.objects.get(id=UUID(user_id), is_active=True)
    except (ValueError, User.DoesNotExist) as error:
        raise NotAuthenticated("This account is not active.", code="account_inactive") from error


def issue_ticket(principal: Principal) -> str:
    """A ticket that opens one websocket in the principal's space within a minute."""
    once = secrets.token_urlsafe(9)
    return _TICKETS.sign(f"{principal.user_id}:{principal.space_slug}:{principal.password_state}:{once}")


def redeem_ticket(ticket: str, *, slug: str | None) -> tuple[User, Principal]:
    """Who holds the ticket, in its space. Raises NotAuthenticated for one that is forged,
    older than a minute or used before, NotFound where `slug` names another space.
    """
    try:
        user_id, space, state, _once = _TICKETS.unsign(ticket, max_age=TICKET_SECONDS).split(":")
    except (BadSignature, ValueError) as error:
        raise NotAuthenticated("The ticket is not valid (any more).", code="ticket_invalid") from error
    if not cache.add(f"ws-ticket:{ticket}", 1, timeout=TICKET_SECONDS):
        raise NotAuthenticated("The ticket was used before.", code="ticket_invalid")
    if slug and slug != space:
        raise NotFound("The ticket belongs to another space.")
    user = active_user(user_id)
    principal = principal_for(user, space)
    if state != principal.password_state:
        raise NotAuthenticated("The password was changed; sign in again.", code="token_revoked")
    return user, principal


def _refresh_token(raw: str) -> Token:
    try:
        token = UntypedToken(raw)  # type: ignore[arg-type]  # annotated as Token, takes text
    except (TokenError, UnicodeError) as error:
        raise NotAuthenticated("The token is not valid; sign in again.", code="token_invalid") from error
    if token.get(api_settings.TOKEN_TYPE_CLAIM) != RefreshToken.token_type:
        raise NotAuthenticated("That is not a refresh token.", code="token_invalid")
    return token


def _owner(token: Token) -> User:
    user = active_user(str(token.get(api_settings.USER_ID_CLAIM)))
    if token.get(api_settings.REVOKE_TOKEN_CLAIM) != get_md5_hash_password(user.password):
        raise NotAuthenticated("The password was changed; sign in again.", code="token_revoked")
    return user


def _live_tokens(user: User) -> QuerySet[OutstandingToken]:
    return OutstandingToken.objects.filter(
        user=user, blacklistedtoken__isnull=True, expires_at__gt=timezone.now()
    )

"""`/auth/*`: accounts, tokens, profile, password."""

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest
from ninja import Router, Status

from accounts.errors import Forbidden
from accounts.services import credentials, users
from api.auth import MAY_CHANGE_PASSWORD, SIGNED_IN, SignedIn
from api.schemas.accounts import (
    Login,
    PasswordChange,
    Profile,
    ProfileChange,
    RefreshRequest,
    Registration,
    SignedInUser,
    Ticket,
    TokenPair,
)

router = Router(tags=["accounts"])


@router.post("/register", auth=None, response={201: SignedInUser}, summary="Make an account")
def register(request: HttpRequest, payload: Registration) -> Status[SignedInUser]:
    """A user with a personal space, signed in. 409 where the name is taken."""
    if not settings.IS_REGISTRATION_OPEN:
        raise Forbidden("Registration is closed here; ask the operator.", code="registration_closed")
    user = users.register_user(**payload.dict())
    return Status(201, SignedInUser.with_tokens(user, credentials.issue_tokens(user)))


@router.post("/login", auth=None, response=SignedInUser, summary="Sign in")
def login(request: HttpRequest, payload: Login) -> SignedInUser:
    """A pair of tokens. Too many failures lock the name and address out for a while (429)."""
    user = credentials.check_password(request, username=payload.username, password=payload.password)
    return SignedInUser.with_tokens(user, credentials.issue_tokens(user))


@router.post("/refresh", auth=None, response=TokenPair, summary="Renew the tokens")
def refresh(request: HttpRequest, payload: RefreshRequest) -> TokenPair:
    """A new pair; the refresh token sent is used up. Using it again revokes all of yours."""
    return TokenPair.of(credentials.rotate_tokens(payload.refresh))


@router.get("/me", auth=MAY_CHANGE_PASSWORD, response=Profile, summary="Who am I")
def me(request: SignedIn) -> Profile:
    """Your profile, and the space and role this request acts in."""
    return Profile.of(request.user, request.auth)


@router.patch("/me", auth=SIGNED_IN, response=Profile, summary="Change the profile")
def change_me(request: SignedIn, payload: ProfileChange) -> Profile:
    """What is left out stays. Naive times you send are meant in your zone."""
    return Profile.of(users.update_profile(request.user, **payload.dict()), request.auth)


@router.post("/password", auth=MAY_CHANGE_PASSWORD, response=TokenPair, summary="Change the password")
def change_password(request: SignedIn, payload: PasswordChange) -> TokenPair:
    """Every token and browser session made before stops being valid; here are new ones.

    A wrong old password counts as a failed sign-in (429 after too many).
    """
    users.change_password(request, request.user, old=payload.old_password, new=payload.new_password)
    if request.session.session_key:
        update_session_auth_hash(request, request.user)
    return TokenPair.of(credentials.issue_tokens(request.user))


@router.post("/ws-ticket", auth=SIGNED_IN, response=Ticket, summary="Open a websocket without a cookie")
def ws_ticket(request: SignedIn) -> Ticket:
    """A ticket for one connection in this request's space, valid for a minute."""
    return Ticket(ticket=credentials.issue_ticket(request.auth), expires_in=credentials.TICKET_SECONDS)

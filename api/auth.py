"""One path from a credential to a Principal, for every endpoint.

`Authorization: Bearer <access token>`, or the browser's session cookie with its CSRF
token; the space comes from `X-Memory-Space`, else it is the personal one.
"""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from accounts.errors import Forbidden, InvalidInput, NotAuthenticated
from accounts.principals import Principal, principal_for
from accounts.services.credentials import user_of_token

if TYPE_CHECKING:
    from accounts.models import User

SPACE_HEADER = "X-Memory-Space"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class SignedIn(HttpRequest):
    """A request that passed `Credentials`: for annotations."""

    auth: Principal
    user: "User"


class Credentials(AuthBase):
    """Ninja's authentication callback. Raises NotAuthenticated, Forbidden or NotFound."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_bearerFormat = "JWT"  # noqa: N815 (OpenAPI's spelling)
    csrf = True  # lets /docs send the token with its requests

    def __init__(self, *, is_for_password_change: bool = False) -> None:
        self._is_for_password_change = is_for_password_change
        super().__init__()

    def __call__(self, request: HttpRequest) -> Principal:
        """Who asks, in which space; also sets `request.user`."""
        user = user_of_request(request)
        if user.must_change_password and not self._is_for_password_change:
            raise Forbidden(
                "Change the one-time password first: POST /auth/password.", code="password_change_required"
            )
        request.user = user
        return principal_for(user, _space_slug(request))


def user_of_request(request: HttpRequest) -> "User":
    """The user of the bearer token, else of the session cookie. Raises NotAuthenticated."""
    if header := request.headers.get("Authorization", ""):
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise NotAuthenticated("Send `Authorization: Bearer <token>`.", code="bad_authorization_header")
        return user_of_token(token.strip())
    user = request.user
    if not user.is_authenticated:
        raise NotAuthenticated("Send `Authorization: Bearer <token>` from /auth/login.")
    if request.method not in _SAFE_METHODS and check_csrf(request):
        raise Forbidden("Send the CSRF token in X-CSRFToken with a session cookie.", code="csrf_failed")
    return user


def _space_slug(request: HttpRequest) -> str | None:
    slug = request.headers.get(SPACE_HEADER)
    if slug is None:
        return None
    if not slug.strip():
        raise InvalidInput.field(SPACE_HEADER, "Name a space, or leave the header out.", code="empty")
    return slug.strip()


SIGNED_IN = Credentials()
MAY_CHANGE_PASSWORD = Credentials(is_for_password_change=True)

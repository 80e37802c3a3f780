"""Who may open a websocket: by session cookie from our own pages, or by ticket."""

from typing import Any
from urllib.parse import parse_qs

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from accounts.errors import Forbidden, NotAuthenticated
from accounts.principals import Principal, principal_for, principal_in
from accounts.services.credentials import active_user, redeem_ticket


class OriginOrTicket:
    """Refuses a foreign Origin always, and a missing one unless a ticket stands in the
    address: a browser sends its cookies from any page, but no page knows a ticket.

    Ours is the host and port that the request itself names, or a trusted origin: another
    port of the same machine is another site, though cookies don't know ports.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Let the connection through, or deny it."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if is_own_origin(origin, host=headers.get(b"host", "")) or (
            origin is None and "ticket" in query_of(scope)
        ):
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)


def is_own_origin(origin: str | None, *, host: str) -> bool:
    """Whether an Origin is that of our own pages, or one that may post forms to us."""
    if origin is None:
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    hostname = split_domain_port(host)[0]
    is_our_host = bool(hostname) and validate_host(hostname, settings.ALLOWED_HOSTS)
    return is_our_host and origin in (f"http://{host}", f"https://{host}")


def query_of(scope: Any) -> dict[str, str]:
    """The address's query, the last value of each name."""
    parsed = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return {name: values[-1] for name, values in parsed.items()}


def principal_of(scope: Any) -> Principal:
    """Who opens the connection, in which space. Reads the database.

    Raises NotAuthenticated, Forbidden (a password to change first) or NotFound.
    """
    query = query_of(scope)
    slug = query.get("space") or None
    if ticket := query.get("ticket"):
        user, principal = redeem_ticket(ticket, slug=slug)
    else:
        user = scope["user"]
        if not user.is_authenticated or not user.is_active:
            raise NotAuthenticated("Sign in, or send a ticket from POST /auth/ws-ticket.")
        principal = principal_for(user, slug)
    if user.must_change_password:
        raise Forbidden("Change the one-time password first.", code="password_change_required")
    return principal


def renewed(principal: Principal) -> Principal:
    """The same person with the role they hold now. Reads the database.

    Raises NotAuthenticated once the account is inactive or its password was changed, NotFound
    once the membership has ended.
    """
    active_user(str(principal.user_id))
    current = principal_in(principal.space_id, principal.user_id)
    if current.password_state != principal.password_state:
        raise NotAuthenticated("The password was changed; sign in again.", code="token_revoked")
    return current

"""Who may open a websocket: by session cookie from our own pages, or by ticket."""

from typing import Any
from urllib.parse import ParseResult, parse_qs

from channels.security.websocket import OriginValidator
from django.conf import settings

from accounts.errors import Forbidden, NotAuthenticated
from accounts.principals import Principal, principal_for, principal_in
from accounts.services.credentials import active_user, redeem_ticket


class OriginOrTicket(OriginValidator):  # type: ignore[misc]  # Channels has no types
    """Refuses a foreign Origin always, and a missing one unless a ticket stands in the
    address: a browser sends its cookies from any page, but no page knows a ticket.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Let the connection through, or deny it."""
        has_origin = any(name == b"origin" for name, _value in scope["headers"])
        if not has_origin and "ticket" in query_of(scope):
            return await self.application(scope, receive, send)
        return await super().__call__(scope, receive, send)

    @property
    def allowed_origins(self) -> list[str]:
        """Our own hosts, and the origins that may post forms to us."""
        return [*settings.ALLOWED_HOSTS, *settings.CSRF_TRUSTED_ORIGINS]

    def valid_origin(self, parsed_origin: ParseResult | None) -> bool:
        """Whether the Origin is one of ours."""
        return parsed_origin is not None and bool(self.validate_origin(parsed_origin))


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

    Raises NotAuthenticated once the account is inactive, NotFound once the membership has ended.
    """
    active_user(str(principal.user_id))
    return principal_in(principal.space_id, principal.user_id)

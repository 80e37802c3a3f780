"""What every page of a space shares: who asks, and the frame around the room.

A space that is missing and one of other people give the same 404.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.errors import Forbidden, InvalidInput, NotFound
from accounts.models import User
from accounts.principals import Principal, principal_for
from accounts.selectors import list_spaces
from sessions_app.models import Session
from sessions_app.selectors import list_sessions

SESSIONS_SHOWN = 40

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Principal, P], HttpResponse]


def space_page(view: View[P]) -> Callable[..., HttpResponse]:
    """Turn a view of a principal into one of a signed-in request to `/app/s/<space>/…`."""

    @never_cache
    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, space: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        assert isinstance(request.user, User)  # noqa: S101 - login_required's promise, for mypy
        try:
            return view(request, principal_for(request.user, space), *args, **kwargs)
        except (NotFound, InvalidInput) as error:  # of a view, only its address can be faulty
            raise Http404(error.detail) from error
        except Forbidden as error:
            raise PermissionDenied(error.detail) from error

    return wrapped


def wants_part(request: HttpRequest) -> bool:
    """Whether the script of a page asks for a part of it: htmx, or a fetch of our own."""
    is_htmx = bool(request.htmx)  # type: ignore[attr-defined]  # set by django_htmx's middleware
    return is_htmx or request.headers.get("X-Requested-With") == "fetch"


def part_of(whole: str, *named: str) -> Callable[[View[P]], View[P]]:
    """Make a view one of a part of a page: whoever opens it by itself is led to the whole page.

    `whole` names the page, `named` the view's arguments that stand in its address too.
    """

    def decorated(view: View[P]) -> View[P]:
        @wraps(view)
        def wrapped(
            request: HttpRequest, principal: Principal, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            part = view(request, principal, *args, **kwargs)
            if wants_part(request) or part.status_code != HTTPStatus.OK:
                return part
            return redirect(whole, principal.space_slug, *(kwargs[name] for name in named))

        return wrapped

    return decorated


def frame(
    principal: Principal, *, place: str, session: Session | None = None, cursor: str = ""
) -> dict[str, Any]:
    """What the frame around the room shows; `cursor` gives the next page of conversations."""
    spaces = list_spaces(principal.user_id)
    own = next(space for space in spaces if space.id == principal.space_id)
    page = list_sessions(principal, cursor=cursor, limit=SESSIONS_SHOWN)
    return {
        "principal": principal,
        "can_write": principal.can_write,
        "spaces": spaces,
        "space_name": own.name,
        "is_shared_space": not own.is_personal or own.member_count > 1,
        "sessions": page.items,
        "sessions_cursor": page.next_cursor,
        "session": session,
        "place": place,
    }


def page(
    request: HttpRequest,
    template: str,
    shared: Mapping[str, Any],
    own: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page: what the frame shares, and what is its own."""
    return render(request, template, {**shared, **own}, status=status)

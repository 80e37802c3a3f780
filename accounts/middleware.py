"""What a signed-in person brings to each page: their zone, and a password to change."""

import zoneinfo
from collections.abc import Callable
from typing import Final

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone


class PersonMiddleware:
    """Activate the user's time zone; lead a one-time password to its change."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        user = request.user
        if not user.is_authenticated:
            return self.get_response(request)
        change = reverse("accounts:password")
        is_page = request.path.startswith(("/app/", "/admin/"))
        if (
            user.must_change_password
            and is_page
            and request.path not in (change, reverse("accounts:sign-out"))
        ):
            return redirect(change)
        with timezone.override(zoneinfo.ZoneInfo(user.time_zone)):
            return self.get_response(request)


# The administration's theme evaluates its attributes and styles its elements inline;
# everything it loads is still served from here.
ADMIN_POLICY: Final = {
    "script-src": [UNSAFE_EVAL, UNSAFE_INLINE],
    "style-src": [UNSAFE_INLINE],
    "img-src": ["data:"],
}


class AdminPolicyMiddleware:
    """Relax the Content-Security-Policy by ADMIN_POLICY, under /admin/ and nowhere else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        response = self.get_response(request)
        if request.path_info.startswith("/admin/"):
            response._csp_update = ADMIN_POLICY  # type: ignore[attr-defined]  # noqa: SLF001 - django-csp reads it
        return response

"""What a signed-in person brings to each page: their zone, and a password to change."""

import zoneinfo
from collections.abc import Callable

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
        if user.must_change_password and is_page and request.path not in (change, reverse("accounts:sign-out")):
            return redirect(change)
        with timezone.override(zoneinfo.ZoneInfo(user.time_zone)):
            return self.get_response(request)

"""X-Request-ID on every response: the caller's if it is well-formed, else a new one."""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from uuid_utils.compat import uuid7

_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,128}")


class RequestIdMiddleware:
    """Give each request an id and return it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _WELL_FORMED.fullmatch(given) else str(uuid7())
        request.META["REQUEST_ID"] = request_id
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response

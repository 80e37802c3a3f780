"""What every response carries: a request id, and a problem document for a refusal.

Ninja turns what happens inside its views into problem documents; unknown addresses,
unsupported methods and what Django itself refuses are turned here.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from uuid_utils.compat import uuid7

from api.errors import CONTENT_TYPE, refusal

_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,128}")
_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_PAGES = ("/app/", "/admin/", "/static/")
_OF_THE_BODY = ("Content-Type", "Content-Length", "Content-Language")
_OURS = (CONTENT_TYPE, "application/json")
_FORMS = (CONTENT_TYPE, "text/html")  # the first where the caller has no wish


class RequestIdMiddleware:
    """X-Request-ID on every response: the caller's if it is well-formed, else a new one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _WELL_FORMED.fullmatch(given) else str(uuid7())
        request.META["REQUEST_ID"] = request_id
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        trace_parent = request.headers.get("traceparent", "")
        if _TRACE_PARENT.fullmatch(trace_parent):
            response["traceparent"] = trace_parent
        return response


class ProblemMiddleware:
    """A refusal outside the pages leaves as a problem document, whoever made it.

    Only a browser that asks for an address that is none keeps Django's page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        response = self.get_response(request)
        if response.status_code < 400 or request.path.startswith(_PAGES):
            return response
        if response.headers.get("Content-Type", "").startswith(_OURS):
            return response
        if response.status_code == 404:
            patch_vary_headers(response, ["Accept"])
            if request.get_preferred_type(_FORMS) == "text/html":
                return response
        refused = refusal(request, response.status_code, allow=response.headers.get("Allow", ""))
        for name, value in response.headers.items():  # policies and what else was set within
            if name not in _OF_THE_BODY:
                refused.headers.setdefault(name, value)
        refused.cookies = response.cookies
        return refused

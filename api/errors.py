"""Everything that can go wrong at a door, as problem documents (RFC 9457).

Services raise LycheeError; ninja and Django raise their own. Each becomes a status,
a code that programs can rely on and a `detail` that says what to do.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, RawPostDataException
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from accounts.errors import (
    Conflict,
    FieldError,
    Forbidden,
    InvalidInput,
    LycheeError,
    NotAuthenticated,
    NotFound,
    Outdated,
    ProviderError,
    SessionBusy,
    TooLarge,
    TooManyRequests,
)
from api.faults import Location, invalid_input

logger = logging.getLogger(__name__)

STORAGE_PAUSE_SECONDS = 5

CONTENT_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="lychee"'
STATUSES: Mapping[type[LycheeError], int] = {
    InvalidInput: 422,
    NotAuthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Outdated: 412,
    Conflict: 409,
    TooLarge: 413,
    TooManyRequests: 429,
    ProviderError: 503,
}
RETRY_AFTER_SECONDS: Mapping[type[LycheeError], int] = {SessionBusy: 1, ProviderError: 5, TooManyRequests: 60}

# Refusals that no LycheeError stands for: status -> code, title, what to do.
REFUSALS: Mapping[int, tuple[str, str, str]] = {
    400: ("bad_request", "The request cannot be read", "Send a well-formed request; the body is JSON."),
    403: (
        "forbidden",
        "This is not allowed",
        "Send the CSRF token with a session cookie, or a bearer token.",
    ),
    404: (
        "not_found",
        "Not found",
        "There is nothing at this address for you; /docs lists every address.",
    ),
    405: ("method_not_allowed", "This address does not take that method", "Use one of: {allow}."),
    413: ("too_large", "The request is too large", "Send less at once; the limits are in /docs."),
    503: (
        "storage_unavailable",
        "The storage does not answer",
        "Nothing was changed. Try again; the operator should look at the disk and the database.",
    ),
    500: (
        "internal_error",
        "Something went wrong here",
        "It was logged; tell the operator the X-Request-ID.",
    ),
}


def status_of(error: LycheeError) -> int:
    """The HTTP status of an error; 400 for one that no class above names."""
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 400)


def retry_after_of(error: LycheeError) -> int | None:
    """Seconds after which trying again can help, or None where it cannot."""
    if error.retry_after is not None:
        return error.retry_after
    return next((RETRY_AFTER_SECONDS[k] for k in type(error).__mro__ if k in RETRY_AFTER_SECONDS), None)


def problem(
    *,
    status: int,
    code: str,
    title: str,
    detail: str,
    instance: str,
    errors: Sequence[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A response that carries one problem document."""
    document: dict[str, Any] = {
        "type": f"urn:lychee:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance,
        "code": code,
        "errors": [asdict(error) for error in errors],
    }
    return HttpResponse(json.dumps(document), status=status, content_type=CONTENT_TYPE, headers=headers)


def problem_from(request: HttpRequest, error: LycheeError) -> HttpResponse:
    """The problem document of an error that a service raised."""
    headers = {}
    status = status_of(error)
    if status == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    if (seconds := retry_after_of(error)) is not None:
        headers["Retry-After"] = str(seconds)
    return problem(
        status=status,
        code=error.error_code,
        title=str(error.title),
        detail=str(error.detail),
        instance=request.path,
        errors=error.errors,
        headers=headers,
    )


def refusal(request: HttpRequest, status: int, *, allow: str = "") -> HttpResponse:
    """The problem document of a refusal that Django or ninja made by status alone."""
    known = status if status in REFUSALS else (500 if status >= 500 else 400)
    code, title, detail = REFUSALS[known]
    return problem(
        status=status,
        code=code,
        title=title,
        detail=detail.format(allow=allow),
        instance=request.path,
        headers={"Allow": allow} if allow else None,
    )


def install_handlers(api: NinjaAPI) -> None:
    """Let every exception that reaches ninja leave as a problem document."""
    api.add_exception_handler(LycheeError, _lychee)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(AuthenticationError, _unauthenticated)
    api.add_exception_handler(HttpError, _http)
    api.add_exception_handler(Http404, _missing)
    api.add_exception_handler(PermissionDenied, _denied)
    api.add_exception_handler(RequestDataTooBig, _too_big)
    for unreadable in (SuspiciousOperation, BadRequest, MultiPartParserError, RawPostDataException):
        api.add_exception_handler(unreadable, _unreadable)
    api.add_exception_handler(OperationalError, _storage)
    api.add_exception_handler(Exception, _unexpected)


def within_source(location: Location) -> Location:
    """Ninja names the source first and, for a body, the view's parameter second."""
    return location[2:] if location[0] == "body" else location[1:]


def _lychee(request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error, ProviderError):
        logger.warning("A provider failed in %s %s", request.method, request.path, exc_info=error)
    return problem_from(request, error)


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    return problem_from(request, invalid_input(error.errors, within=within_source))


def _unauthenticated(request: HttpRequest, _error: object) -> HttpResponse:
    return problem_from(request, NotAuthenticated("Send `Authorization: Bearer <token>` from /auth/login."))


def _http(request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error.__cause__, LycheeError):  # raised by our parser, wrapped by ninja
        return problem_from(request, error.__cause__)
    return refusal(request, error.status_code)


def _missing(request: HttpRequest, _error: object) -> HttpResponse:
    return refusal(request, 404)


def _denied(request: HttpRequest, _error: object) -> HttpResponse:
    return refusal(request, 403)


def _too_big(request: HttpRequest, _error: object) -> HttpResponse:
    return refusal(request, 413)


def _unreadable(request: HttpRequest, _error: object) -> HttpResponse:
    return refusal(request, 400)


def _storage(request: HttpRequest, error: Any) -> HttpResponse:
    """The database is full, locked or away: nothing was changed, and later it may work."""
    logger.error("The database failed in %s %s", request.method, request.path, exc_info=error)
    response = refusal(request, 503)
    response["Retry-After"] = str(STORAGE_PAUSE_SECONDS)
    return response


def _unexpected(request: HttpRequest, error: Any) -> HttpResponse:
    logger.error(
        "Unexpected failure in %s %s (request %s)",
        request.method,
        request.path,
        request.META.get("REQUEST_ID", "-"),
        exc_info=error,
    )
    return refusal(request, 500)

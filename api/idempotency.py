"""`Idempotency-Key`: a write sent again is answered as before and does nothing.

Wraps every operation of the API. Requests without the header, and all that only read, pass
untouched; so do those of `/auth/`, whose replies are credentials and are stored nowhere.
"""

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.errors import InvalidInput, LycheeError
from accounts.services.idempotency import Reply, claim_key, digest_of, give_back, keep_reply
from api.auth import SIGNED_IN, SPACE_HEADER
from api.errors import problem_from

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_WRITING = ("POST", "PUT", "PATCH", "DELETE")
_WELL_FORMED = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS = ("Content-Type", "ETag", "Location", "X-Memory-Status", "X-Memory-Session")
Run = Callable[..., HttpResponseBase]


def idempotent(run: Run) -> Run:
    """An operation that carries out each keyed write once."""
    if iscoroutinefunction(run):
        waiting = cast(Callable[..., Awaitable[HttpResponseBase]], run)

        @wraps(run)
        async def run_waiting(request: HttpRequest, **values: Any) -> HttpResponseBase:
            if not _has_key(request):
                return await waiting(request, **values)
            claimed = await sync_to_async(_claim)(request)
            if not isinstance(claimed, UUID):
                return claimed
            # One that is cancelled meanwhile keeps its claim: how far it came is not known.
            response = await waiting(request, **values)
            await sync_to_async(_settle)(claimed, request, response)
            return response

        return cast(Run, run_waiting)

    @wraps(run)
    def run_once(request: HttpRequest, **values: Any) -> HttpResponseBase:
        if not _has_key(request):
            return run(request, **values)
        claimed = _claim(request)
        if not isinstance(claimed, UUID):
            return claimed
        response = run(request, **values)
        _settle(claimed, request, response)
        return response

    return run_once


def is_keyed(method: str, path: str) -> bool:
    """Whether an operation heeds the header."""
    return method.upper() in _WRITING and not path.startswith("/auth/")


def _has_key(request: HttpRequest) -> bool:
    return HEADER in request.headers and is_keyed(str(request.method), request.path)


def _claim(request: HttpRequest) -> UUID | HttpResponse:
    """The claim on the write, or what is to be answered instead of carrying it out."""
    try:
        key = request.headers[HEADER]
        if not _WELL_FORMED.fullmatch(key):
            raise InvalidInput.field(HEADER, "Send 1 to 255 printable ASCII characters.", code="malformed")
        asker = SIGNED_IN(request)  # in a space where they still are: a reply may quote it
        # What deletes quotes nothing: its own erasure does not take its reply along.
        space_id = None if request.method == "DELETE" else asker.space_id
        claimed = claim_key(asker.user_id, key, _digest(request), now=timezone.now(), space_id=space_id)
    except LycheeError as error:
        return problem_from(request, error)
    if isinstance(claimed, UUID):
        return claimed
    headers = {**claimed.headers, REPLAYED: "true"}
    return HttpResponse(claimed.body or b"", status=claimed.status, headers=headers)


def _digest(request: HttpRequest) -> str:
    """What makes two requests the same. An upload counts by what it holds: its boundary is by chance."""
    is_upload = (request.content_type or "").startswith("multipart/")
    try:
        parts = _uploaded(request) if is_upload else [request.body]
    except (RequestDataTooBig, TooManyFilesSent, MultiPartParserError):
        parts = []  # refused by the operation
    space = request.headers.get(SPACE_HEADER, "")
    return digest_of(str(request.method).encode(), request.get_full_path().encode(), space.encode(), *parts)


def _uploaded(request: HttpRequest) -> list[bytes]:
    """The fields of a form and its files, by name, files by their hashes."""
    parts = [text.encode() for name in sorted(request.POST) for text in (name, *request.POST.getlist(name))]
    for name in sorted(request.FILES):
        for file in request.FILES.getlist(name):
            content = hashlib.sha256()
            for chunk in file.chunks():
                content.update(chunk)
            file.seek(0)
            parts += [name.encode(), str(file.name).encode(), content.digest()]
    return parts


def _settle(claim: UUID, request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep the reply of what was done; give the key of what was refused back."""
    if response.status_code >= 400:
        give_back(claim)
        return
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    body = response.content if isinstance(response, HttpResponse) else None
    space_id = getattr(getattr(request, "auth", None), "space_id", None)
    keep_reply(claim, Reply(response.status_code, headers, body), space_id=space_id)

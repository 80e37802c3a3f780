"""How large a request's body may be: where images come as text, by so much larger.

Django knows one limit for every address, by which it refuses whoever asks for the body. Bodies
that may hold an image are therefore read here, before anybody asks.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.errors import TooLarge
from api.errors import problem_from

WITH_IMAGES = frozenset({"/chat", "/chat/complete", "/visual/memories", "/visual/search"})


def body_limit(request: HttpRequest) -> int:
    """Bytes of a JSON body at the request's address."""
    has_images = request.path_info in WITH_IMAGES
    return settings.MAX_IMAGE_BODY_BYTES if has_images else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def body_too_large(most: int) -> TooLarge:
    """What is raised above the limit."""
    return TooLarge(f"A body has at most {most:,} bytes.")


class ImageBodyMiddleware:
    """Reads the bodies that may hold an image, in their own limit. Forms have limits of their own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request."""
        if request.path_info in WITH_IMAGES and request.content_type != "multipart/form-data":
            most = body_limit(request)
            body = request.read(most + 1)
            if len(body) > most:
                return problem_from(request, body_too_large(most))
            request._body = body  # noqa: SLF001 - where Django itself keeps a body that was read
        return self.get_response(request)

"""An image as a response: its own type, for its reader's own cache, harmless wherever it is opened."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags, quote_etag

from visual.selectors import ImageFile

_HEADERS = {
    "Cache-Control": "private, max-age=3600",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Authorization, Cookie, X-Memory-Space",
}


def image_response(request: HttpRequest, file: ImageFile) -> HttpResponse:
    """The bytes, or 304 where the reader has them."""
    tag = quote_etag(file.tag)
    known = parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponse(status=304) if tag in known else HttpResponse(file.data, content_type=file.mime)
    for name, value in _HEADERS.items():
        response[name] = value
    response["ETag"] = tag
    extension = file.mime.partition("/")[2]
    response["Content-Disposition"] = f'inline; filename="image.{extension}"'
    return response

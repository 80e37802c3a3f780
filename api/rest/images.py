"""`/visual`: images remembered, listed, served, found, kept and deleted."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from ninja.errors import HttpError
from pydantic import Field, ValidationError

from accounts.errors import InvalidInput, TooLarge
from api.auth import SIGNED_IN, SignedIn
from api.faults import invalid_input
from api.rest.parser import StrictParser
from api.schemas.images import (
    MAX_IMAGES,
    ImageForm,
    NewImages,
    RememberedOut,
    VisualList,
    VisualOut,
    VisualResults,
    VisualSearch,
    VisualStatsOut,
)
from api.schemas.records import Pinning
from api.schemas.wire import Cursor, OptionalText, PageSize, SessionName
from memory.domain.types import Reader
from sessions_app.services.images import add_images, find_images
from sessions_app.services.sessions import find_session
from visual.domain.types import Upload, VisualQuery
from visual.selectors import VisualFilters, get_visual, image_file, list_visuals, visual_stats
from visual.services.curate import delete_visual, pin_visual, restore_visual
from visual.services.remember import decode_images
from visual.views import image_response

router = Router(tags=["images"], auth=SIGNED_IN)
Sent = TypeVar("Sent", bound=Schema)

_FORM_SLACK = 1_000_000  # bytes of a form beside its files
_BODIES = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": NewImages.model_json_schema()},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "session_id": {"type": "string"},
                        "context": {"type": "string"},
                        "images": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    },
                    "required": ["session_id", "images"],
                }
            },
        },
    }
}
_IMAGE = {
    "responses": {
        200: {
            "description": "The image",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}},
        }
    }
}


class VisualState(StrEnum):
    """Which images: those that are recalled, those that were forgotten, or all."""

    LIVE = "live"
    EXPIRED = "expired"
    ALL = "all"


class ImageSize(StrEnum):
    """The image as it is kept, or a thumbnail."""

    FULL = "full"
    SMALL = "small"


class VisualListQuery(Schema):
    """Which images to list; every filter narrows."""

    session: SessionName | None = None
    session_id: SessionName | None = Field(None, description="The same as `session`.")
    state: VisualState = VisualState.LIVE
    q: OptionalText = ""
    cursor: Cursor = ""
    limit: PageSize = 50


@router.post("/memories", response={201: RememberedOut}, openapi_extra=_BODIES, summary="Remember images")
def remember(request: SignedIn) -> Status[RememberedOut]:
    """As JSON with data URLs, or as a form with files: up to 16. They are memories at once, and
    described in the background. The same image again in a session adds nothing.
    """
    if request.content_type == "multipart/form-data":
        session, context, uploads = _of_form(request)
    else:
        payload = _read(NewImages, _json_of(request), request)
        session, context, uploads = payload.session_id, payload.context, payload.uploads()
    kept = add_images(request.auth, session, decode_images(uploads), context=context)
    items = [VisualOut.of(visual) for visual in kept.visuals]
    return Status(201, RememberedOut(items=items, added=len(kept.added)))


@router.get("/memories", response=VisualList, summary="List images")
def images(request: SignedIn, query: Annotated[VisualListQuery, Query()]) -> VisualList:
    """Newest first, page by page."""
    name = query.session if query.session is not None else query.session_id
    session = find_session(request.auth, name) if name is not None else None
    filters = VisualFilters(session.id if session else None, query.state, query.q)
    return VisualList.of(list_visuals(_reader(request), filters, cursor=query.cursor, limit=query.limit))


@router.get("/memories/{uuid:visual_id}", response=VisualOut, summary="Read what is known of an image")
def image(request: SignedIn, visual_id: UUID) -> VisualOut:
    """What is remembered of it; its file has an address of its own."""
    return VisualOut.of(get_visual(_reader(request), visual_id))


@router.get("/memories/{uuid:visual_id}/image", openapi_extra=_IMAGE, summary="The image itself")
def file(request: SignedIn, visual_id: UUID, size: ImageSize = ImageSize.FULL) -> HttpResponse:
    """In its own type, for your cache alone; `size=small` gives a thumbnail."""
    return image_response(request, image_file(_reader(request), visual_id, is_small=size is ImageSize.SMALL))


@router.delete("/memories/{uuid:visual_id}", response={204: None}, summary="Delete an image for good")
def delete(request: SignedIn, visual_id: UUID) -> Status[None]:
    """Its row, its words and its file, unless another session of the space shows the same image."""
    delete_visual(request.auth, visual_id)
    return Status(204, None)


@router.post("/memories/{uuid:visual_id}/pin", response=VisualOut, summary="Pin an image, or unpin it")
def pin(request: SignedIn, visual_id: UUID, payload: Pinning | None = None) -> VisualOut:
    """A pinned image does not fade. `{"pinned": false}` ends that."""
    is_pinned = payload.pinned if payload else True
    return VisualOut.of(pin_visual(request.auth, visual_id, is_pinned=is_pinned))


@router.post("/memories/{uuid:visual_id}/restore", response=VisualOut, summary="Recall an image again")
def restore(request: SignedIn, visual_id: UUID) -> VisualOut:
    """A forgotten image is recalled again and fades anew."""
    return VisualOut.of(restore_visual(request.auth, visual_id))


@router.post("/search", response=VisualResults, summary="Find images by words or by an image")
def search(request: SignedIn, payload: VisualSearch) -> VisualResults:
    """Best first. What was found counts as recalled, and fades more slowly."""
    session = find_session(request.auth, payload.session_id) if payload.session_id else None
    shown = decode_images([payload.image], field="image")[0] if payload.image else None
    query = VisualQuery(payload.query or "", shown, payload.top_k, session.id if session else None)
    return VisualResults.of(find_images(request.auth, query, now=timezone.now()))


@router.get("/stats", response=VisualStatsOut, summary="Counts, and which channels are on")
def stats(request: SignedIn) -> VisualStatsOut:
    """True counts of what you may see."""
    return VisualStatsOut.of(visual_stats(_reader(request)))


def _reader(request: SignedIn) -> Reader:
    return Reader(request.auth.space_id, request.auth.user_id)


def _json_of(request: SignedIn) -> Any:
    """The body's JSON value. Raises HttpError for a body that is none, as other routes do."""
    try:
        return StrictParser().parse_body(request)
    except (ValueError, RecursionError) as error:
        raise HttpError(400, "Cannot parse request body") from error


def _of_form(request: SignedIn) -> tuple[str, str, list[Upload]]:
    """Session, context and files of a form. Raises TooLarge before a large one is read."""
    length = request.headers.get("Content-Length", "")
    most = MAX_IMAGES * settings.MAX_IMAGE_BYTES + _FORM_SLACK
    if length.isdecimal() and int(length) > most:
        raise TooLarge(f"A form may have {most // 1_000_000} MB; send fewer images at once.")
    try:
        fields = dict(request.POST.items())
    except MultiPartParserError as error:
        raise HttpError(400, "Cannot parse request body") from error
    form = _read(ImageForm, fields, request)
    files = [*request.FILES.getlist("images"), *request.FILES.getlist("image")]
    if not files:
        raise InvalidInput.field("images", "Send at least one file as `images`.", code="blank")
    return form.session_id, form.context, _uploads(files)


def _uploads(files: "Sequence[UploadedFile[Any]]") -> list[Upload]:
    if len(files) > MAX_IMAGES:
        raise TooLarge(f"At most {MAX_IMAGES} images fit one request; send the rest in another.")
    if any((file.size or 0) > settings.MAX_IMAGE_BYTES for file in files):
        raise TooLarge(f"An image may have {settings.MAX_IMAGE_BYTES // 1_000_000} MB; send it smaller.")
    return [Upload(file.read(), file.name or "") for file in files]


def _read(schema: type[Sent], value: Any, request: SignedIn) -> Sent:
    """The value by its schema. Raises InvalidInput that names the faulty fields."""
    try:
        return schema.model_validate(value, context={"request": request})
    except ValidationError as error:
        raise invalid_input(error.errors(include_input=False, include_url=False)) from error

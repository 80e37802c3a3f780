"""Images on the wire: data URLs in, what is remembered of them out."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import unquote, unquote_to_bytes
from uuid import UUID

from django.conf import settings
from ninja import Schema
from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from api.schemas.wire import OptionalText, RequestBody, SessionName, Text, TopK
from visual.config import ImageLimits, RemoteLimits
from visual.domain.types import Upload, Visual, VisualHit, VisualRecalled

if TYPE_CHECKING:
    from accounts.paging import Page
    from visual.selectors import VisualStats

MAX_IMAGES = ImageLimits().max_images
MAX_ADDRESS = RemoteLimits().address_chars
_DATA_URL = re.compile(r"\s*data:[^,;]{0,100}(?:;[^,;]{1,100}){0,10}?(;\s*base64\s*)?,", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,20}:", re.IGNORECASE)


def _uploaded(value: object) -> Upload:
    """A data URL, bare base64, an address, or `{"url": …}` around one of them."""
    if isinstance(value, Upload):
        return value
    inner = value.get("image_url", value) if isinstance(value, dict) else value
    text = inner.get("url") if isinstance(inner, dict) else inner
    if not isinstance(text, str):
        raise PydanticCustomError("image_type", "Send an image as a data URL.")
    head = _DATA_URL.match(text)
    if head and not head[1]:
        return Upload(unquote_to_bytes(text[head.end() :]))
    if not head and _ADDRESS.match(text):
        if not settings.FETCH_IMAGES:
            message = "Addresses are not fetched here: send the image itself, as a data URL."
            raise PydanticCustomError("image_address", message)
        if len(text) > MAX_ADDRESS:
            raise PydanticCustomError("image_address", f"An address may have {MAX_ADDRESS} characters.")
        return Upload(b"", address=text)
    try:
        plain = text[head.end() :] if head else text
        if head and "%" in plain:  # some clients escape what base64 holds beside letters
            plain = unquote(plain)
        return Upload(base64.b64decode(re.sub(r"\s+", "", plain), validate=True))
    except (binascii.Error, ValueError) as error:
        raise PydanticCustomError("image_encoding", "Send an image as a data URL in base64.") from error


ImageIn = Annotated[
    Upload,
    PlainValidator(_uploaded),
    WithJsonSchema(
        {
            "type": "string",
            "description": "A data URL: `data:image/png;base64,…`; the type is read from the content. Or an"
            " address that begins with https://, where the server is set up to fetch these.",
        }
    ),
]
Images = Annotated[list[ImageIn], Field(max_length=MAX_IMAGES)]
MimeTypes = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=MAX_IMAGES)]


Names = Annotated[list[OptionalText], Field(max_length=MAX_IMAGES)]


def named(images: Sequence[Upload], names: Sequence[str]) -> tuple[Upload, ...]:
    """The images with their names, as far as these go."""
    given = [*names, *[""] * len(images)]
    return tuple(replace(image, name=name) for image, name in zip(images, given, strict=False))


class NewImages(RequestBody):
    """Images to be remembered in a session, which is made if you have none of that name."""

    session_id: SessionName
    images: Annotated[list[ImageIn], Field(min_length=1, max_length=MAX_IMAGES)]
    image_mime_types: MimeTypes = Field(default=[], description="Not needed: types are read from content.")
    names: Names = Field(default=[], description="What the files are called, in the order of the images.")
    context: Annotated[OptionalText, Field(max_length=2_000)] = Field(
        default="", description="Words around the images; they help to find them."
    )

    def uploads(self) -> list[Upload]:
        """The images with their names."""
        return list(named(self.images, self.names))


class ImageForm(Schema):
    """The fields of a form beside its files."""

    session_id: SessionName
    context: Annotated[OptionalText, Field(max_length=2_000)] = ""


class VisualOut(Schema):
    """A remembered image; its file is at `/visual/memories/{id}/image`."""

    id: UUID
    session_id: UUID
    seen_at: datetime
    name: str
    mime_type: str
    width: int
    height: int
    size_bytes: int
    frames: int
    image_hash: str
    colors: list[str]
    caption: str
    scene_type: str
    entities: list[str]
    structured_data: dict[str, str]
    text_in_image: str
    importance: float
    retention: float = Field(description="What is left of it now, 0 to 1.")
    recall_count: int
    last_recalled_at: datetime | None
    is_described: bool = Field(description="False while a vision model has still to caption it.")
    is_pinned: bool
    expired_at: datetime | None
    expired_reason: str
    image_url: str

    @classmethod
    def of(cls, visual: Visual) -> "VisualOut":
        """From the value."""
        same = {name: getattr(visual, name) for name in _SAME}
        return cls(
            mime_type=visual.mime,
            size_bytes=visual.byte_size,
            colors=list(visual.colors),
            entities=list(visual.entities),
            structured_data=dict(visual.structured),
            retention=round(visual.retention, 4),
            is_described=not visual.is_caption_due,
            image_url=f"/visual/memories/{visual.id}/image",
            **same,
        )


_SAME = (
    "id",
    "session_id",
    "seen_at",
    "name",
    "width",
    "height",
    "frames",
    "image_hash",
    "caption",
    "scene_type",
    "text_in_image",
    "importance",
    "recall_count",
    "last_recalled_at",
    "is_pinned",
    "expired_at",
    "expired_reason",
)


class RememberedOut(Schema):
    """The images of the request in its order; `added` counts those new to the session."""

    items: list[VisualOut]
    added: int


class VisualList(Schema):
    """A page of images, newest first; `total` counts all that match."""

    items: list[VisualOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: "Page[Visual]") -> "VisualList":
        """From a page of the selector."""
        return cls(
            items=[VisualOut.of(visual) for visual in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )


class VisualSearch(Schema):
    """A search by words or by an image: one of the two."""

    query: Text | None = None
    image: ImageIn | None = None
    top_k: TopK = 5
    session_id: SessionName | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> "VisualSearch":
        if (self.query is None) == (self.image is None):
            raise PydanticCustomError("one_of", "Give `query` or `image`, one of the two.")
        return self


class VisualHitOut(VisualOut):
    """An image that fits; a score is null where its channel is off."""

    score: float
    image_score: float | None
    caption_score: float | None
    reason: str

    @classmethod
    def of_hit(cls, hit: VisualHit) -> "VisualHitOut":
        """From the value."""
        return cls(
            **VisualOut.of(hit.visual).dict(),
            score=round(hit.score, 4),
            image_score=None if hit.image_score is None else round(hit.image_score, 4),
            caption_score=None if hit.caption_score is None else round(hit.caption_score, 4),
            reason=hit.reason,
        )


class VisualResults(Schema):
    """Best first; `notes` say which channels are off."""

    results: list[VisualHitOut]
    total: int
    notes: list[str]

    @classmethod
    def of(cls, recalled: VisualRecalled) -> "VisualResults":
        """From what the search found."""
        return cls(
            results=[VisualHitOut.of_hit(hit) for hit in recalled.hits],
            total=len(recalled.hits),
            notes=list(recalled.notes),
        )


class VisualStatsOut(Schema):
    """What you may see of a space's images, and which channels are on."""

    images: int
    expired: int
    pinned: int
    undescribed: int
    bytes: int
    sessions: int
    vision_model: str | None
    looks_model: str | None
    is_reading_text: bool
    notes: list[str]

    @classmethod
    def of(cls, stats: "VisualStats") -> "VisualStatsOut":
        """From the selector's value."""
        told: dict[str, Any] = {name: getattr(stats, name) for name in cls.model_fields}
        told |= {"vision_model": stats.vision_model or None, "looks_model": stats.looks_model or None}
        return cls(**told | {"notes": list(stats.notes)})

"""What can be read of images: one, a page of them, their files, counts; by who asks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import InvalidInput, NotFound
from accounts.paging import Page
from memory.domain.types import Kind, Reader
from memory.ports import TextMatches
from memory.stores.entries import entries_of
from memory.stores.registry import text_index
from visual.config import ImageLimits
from visual.domain.asking import asked_terms
from visual.domain.types import Visual
from visual.models import VisualRecord
from visual.providers.registry import (
    are_weights_random,
    image_embedder,
    text_reader,
    vision_model,
    why_no_looks,
)
from visual.stores.images import read_image
from visual.stores.rows import to_visual

RANDOM_LOOKS = "The vectors of looks mean nothing: CLIP_WEIGHTS=random loads no weights."
_SEARCHED = 1_000


@dataclass(frozen=True, slots=True)
class VisualFilters:
    """Which images: of a session, in a state (live, expired, all), that tell of something."""

    session_id: UUID | None = None
    state: str = "live"
    q: str = ""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A file to be served: its bytes, its type, and a tag that changes with them."""

    data: bytes
    mime: str
    tag: str


@dataclass(frozen=True, slots=True)
class VisualStats:
    """True counts of what a reader may see, and what can be done with images here."""

    images: int
    expired: int
    pinned: int
    undescribed: int
    bytes: int
    sessions: int
    vision_model: str  # empty where none is configured
    looks_model: str
    is_reading_text: bool
    notes: tuple[str, ...]


def get_visual(reader: Reader, visual_id: UUID, *, now: datetime | None = None) -> Visual:
    """One image. Raises NotFound for a missing one and for one of others alike."""
    return to_visual(visual_row(reader, visual_id), now or timezone.now())


def visual_row(reader: Reader, visual_id: UUID) -> VisualRecord:
    """Its row. Raises NotFound."""
    row: VisualRecord | None = _visible(reader).filter(id=visual_id).first()
    if row is None:
        raise NotFound(_("There is no such image among yours."))
    return row


def visuals_of(reader: Reader, ids: Iterable[UUID]) -> dict[UUID, Visual]:
    """Those of the images that the reader may see, forgotten ones too."""
    now = timezone.now()
    return {row.id: to_visual(row, now) for row in _visible(reader).filter(id__in=list(ids))}


def image_file(reader: Reader, visual_id: UUID, *, is_small: bool = False) -> ImageFile:
    """The bytes of an image or of its thumbnail. Raises NotFound, StorageFailed."""
    row = visual_row(reader, visual_id)
    name = row.thumbnail if is_small else row.file
    mime = "image/webp" if is_small else row.mime
    return ImageFile(read_image(name), mime, name.rpartition("/")[2][:32])


def list_visuals(
    reader: Reader, filters: VisualFilters, *, cursor: str = "", limit: int = 50
) -> Page[Visual]:
    """The images, newest first, page by page. Raises InvalidInput for a cursor that is none."""
    rows = _filtered(reader, filters)
    total, now = rows.count(), timezone.now()
    if cursor:
        rows = rows.filter(id__lt=_cursor_id(cursor))
    page = list(rows.order_by("-id")[: limit + 1])
    return Page(
        items=tuple(to_visual(row, now) for row in page[:limit]),
        next_cursor=str(page[limit - 1].id) if len(page) > limit else "",
        total=total,
    )


def looks_state() -> str:
    """In a sentence how images are compared by their looks, or why they are not."""
    looks = image_embedder()
    if looks is None:
        return why_no_looks()
    return RANDOM_LOOKS if are_weights_random() else f"looks: {looks.name}."


def are_images_described() -> bool:
    """Whether a model describes images here; without one, words around them and their names tell of them."""
    return vision_model() is not None


def has_images(reader: Reader) -> bool:
    """Whether there is any image that may be recalled."""
    return _visible(reader).filter(expired_at=None).exists()


def visual_stats(reader: Reader) -> VisualStats:
    """Counts, and which channels are on; `notes` say in sentences which are not."""
    rows = _visible(reader)
    live = rows.filter(expired_at=None)
    model, looks, why = vision_model(), image_embedder(), why_no_looks()
    notes = [why] if why else []
    if are_weights_random():
        notes.append(RANDOM_LOOKS)
    if model is None:
        notes.append("Images are not described: VLM_MODEL names no vision model.")
    return VisualStats(
        images=live.count(),
        expired=rows.exclude(expired_at=None).count(),
        pinned=live.filter(is_pinned=True).count(),
        undescribed=live.filter(is_caption_due=True).count(),
        bytes=rows.order_by().values("file").distinct().aggregate(total=Sum("byte_size"))["total"] or 0,
        sessions=rows.order_by().values("session_id").distinct().count(),
        vision_model=model.name if model else "",
        looks_model=looks.name if looks else "",
        is_reading_text=text_reader() is not None,
        notes=tuple(notes),
    )


def words_found(reader: Reader, text: str, *, limit: int) -> TextMatches:
    """Images by the words that are told of them."""
    return text_index().open(reader, Kind.VISUAL).search(asked_terms(text), limit=limit)


def image_limits() -> ImageLimits:
    """The limits as the settings have them."""
    return ImageLimits(max_bytes=settings.MAX_IMAGE_BYTES, max_pixels=settings.MAX_IMAGE_PIXELS)


def _filtered(reader: Reader, filters: VisualFilters) -> QuerySet[VisualRecord]:
    rows = _visible(reader)
    if filters.session_id is not None:
        rows = rows.filter(session_id=filters.session_id)
    if filters.state != "all":
        rows = rows.filter(expired_at__isnull=filters.state == "live")
    if filters.q:
        found = words_found(reader, filters.q, limit=_SEARCHED).items.tolist()
        ids = [entry.uid for entry in entries_of(reader.space_id, found).values()]
        rows = rows.filter(Q(id__in=ids) | Q(name__icontains=filters.q))
    return rows


def _visible(reader: Reader) -> QuerySet[VisualRecord]:
    rows: QuerySet[VisualRecord] = VisualRecord.objects.visible_to(reader.space_id, reader.user_id)
    return rows.exclude(session_id__in=reader.exclude_session_ids) if reader.exclude_session_ids else rows


def _cursor_id(cursor: str) -> UUID:
    try:
        return UUID(cursor)
    except ValueError:
        raise InvalidInput.field(
            "cursor", "Take the cursor from the last page's answer, unchanged."
        ) from None

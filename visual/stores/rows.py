"""Rows of images as values, and as what the indexes hold of them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory.domain.types import IndexItem, Kind
from visual.config import CONFIG
from visual.domain.decay import retention_at
from visual.domain.telling import index_text
from visual.domain.types import Visual
from visual.models import VisualRecord

_SAME = (
    "id",
    "space_id",
    "session_id",
    "seen_at",
    "name",
    "mime",
    "width",
    "height",
    "byte_size",
    "frames",
    "image_hash",
    "caption",
    "scene_type",
    "structured",
    "text_in_image",
    "words_around",
    "importance",
    "is_caption_due",
    "is_pinned",
    "recall_count",
    "last_recalled_at",
    "expired_at",
    "expired_reason",
)


def to_visual(row: VisualRecord, now: datetime) -> Visual:
    """The value of a row, as it stands at that moment."""
    left = retention_at(
        now,
        since=row.remembered_at,
        importance=row.importance,
        recalls=row.recall_count,
        is_pinned=row.is_pinned,
        law=CONFIG.decay,
    )
    return Visual(
        private_to=row.private_to_id,
        colors=tuple(row.colors),
        entities=tuple(row.entities),
        retention=0.0 if row.expired_at else left,
        **{name: getattr(row, name) for name in _SAME},
    )


def visual_item(row: VisualRecord) -> IndexItem:
    """What the indexes know of an image."""
    return IndexItem(
        kind=Kind.VISUAL,
        id=row.id,
        space_id=row.space_id,
        private_to=row.private_to_id,
        session_id=row.session_id,
        position=row.position,
        speaker="",
        text=_text(row),
    )


class VisualSource:
    """The IndexSource of images: those that are recalled."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
        """What is embedded of those that are recalled."""
        rows = VisualRecord.objects.for_space(space_id).filter(id__in=list(ids), expired_at=None)
        return {row.id: _text(row) for row in rows}

    def scan(self, space_id: UUID, *, batch: int) -> Iterator[list[IndexItem]]:
        """Every image of the space that is recalled, in batches."""
        rows = VisualRecord.objects.for_space(space_id).filter(expired_at=None).order_by("id")
        last: UUID | None = None
        while page := list((rows.filter(id__gt=last) if last else rows)[:batch]):
            yield [visual_item(row) for row in page]
            last = page[-1].id


def _text(row: VisualRecord) -> str:
    return index_text(to_visual(row, timezone.now()))

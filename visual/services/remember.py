"""An image becomes a memory: its file, its row, its words in the index; at once, without any model.

Nothing half-stored: files first, then every row and index entry in one transaction, and files
taken back when that fails.
"""

import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from uuid_utils.compat import uuid7

from accounts.errors import TooLarge
from accounts.models import Space
from accounts.registries import wake_on_commit
from memory.domain.secrets import screen
from memory.domain.text import clean_text, normalize
from memory.services.index import index_items
from memory.services.ingest import Hold
from visual.config import RemoteLimits
from visual.domain.pixels import signed
from visual.domain.types import DecodedImage, Upload, Visual
from visual.models import VisualRecord
from visual.providers.decoding import decode_upload
from visual.providers.remote import Deadline, fetch_upload
from visual.selectors import image_limits
from visual.services.files import lock_space, remove_unused
from visual.stores.images import file_name, write_image
from visual.stores.pixels import item_of
from visual.stores.rows import to_visual, visual_item

WAKE_KIND = "visual"
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FORGOTTEN = "forgotten"  # the reason of what faded by itself
Names = Mapping[str, tuple[str, str]]  # by pixel hash: where the file and the thumbnail lie


@dataclass(frozen=True, slots=True)
class ImageScope:
    """To whom, where and with what words images were shown. `now`: when it is remembered."""

    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    seen_at: datetime
    now: datetime
    turn_id: UUID | None = None
    position: int = 0
    words_around: str = ""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The images of a request in its order, and which of them are new to their session."""

    visuals: tuple[Visual, ...]
    added: frozenset[UUID]


def decode_images(uploads: Sequence[Upload], *, field: str = "images") -> list[DecodedImage]:
    """The images as they are kept, fetched where only their address was sent, and decoded one after the
    other. Raises InvalidInput, TooLarge.
    """
    limits, deadline = image_limits(), Deadline(time.monotonic() + RemoteLimits().seconds)
    if len(uploads) > limits.max_images:
        raise TooLarge(f"At most {limits.max_images} images fit one request; send the rest in another.")
    kept = []
    for place, upload in enumerate(uploads):
        pointer = f"{field}/{place}" if len(uploads) > 1 else field
        is_remote = bool(upload.address)
        sent = fetch_upload(upload, limits, pointer=pointer, deadline=deadline) if is_remote else upload
        kept.append(decode_upload(sent, limits, pointer=pointer))
    return kept


def remember_images(
    scope: ImageScope, images: Sequence[DecodedImage], *, hold: Hold | None = None
) -> Remembered:
    """Keep the images; one that its session has already adds nothing, but is recalled again if it had
    faded. `hold` tells to whom they are private as they are written. Raises StorageFailed; then nothing is
    kept.
    """
    # Of several files of the same pixels the first is kept, in its own type.
    distinct = {image.pixel_hash: image for image in reversed(images)}
    names = {key: _names(scope.space_id, image) for key, image in distinct.items()}
    written: list[str] = []
    try:
        written.extend(_write(names, distinct.values()))  # what was written before a failure is known too
        with transaction.atomic():
            if hold is not None:
                scope = replace(scope, private_to=hold())
            lock_space(scope.space_id)
            list(_write(names, distinct.values()))  # what somebody has removed meanwhile
            return _stored(scope, images, names)
    except BaseException:
        remove_unused(scope.space_id, written)
        raise


def _names(space_id: UUID, image: DecodedImage) -> tuple[str, str]:
    return file_name(space_id, image.data), file_name(space_id, image.thumbnail)


def _write(names: Names, images: Iterable[DecodedImage]) -> Iterator[str]:
    """Write what is not there, telling each name once it is."""
    for image in images:
        file, thumbnail = names[image.pixel_hash]
        for name, data in ((file, image.data), (thumbnail, image.thumbnail)):
            if write_image(name, data):
                yield name


def _stored(scope: ImageScope, images: Sequence[DecodedImage], names: Names) -> Remembered:
    known = {row.image_hash: row for row in _of_session(scope)}
    fresh: dict[str, VisualRecord] = {}
    for image in images:
        if image.pixel_hash not in known and image.pixel_hash not in fresh:
            fresh[image.pixel_hash] = _row(scope, image, names[image.pixel_hash])
    VisualRecord.objects.for_space(scope.space_id).bulk_create(fresh.values())
    shown = {image.pixel_hash for image in images}
    again = [row for row in known.values() if row.image_hash in shown and _is_faded(row)]
    for row in again:
        row.expired_at, row.expired_reason, row.remembered_at = None, "", scope.now
        row.save(update_fields=["expired_at", "expired_reason", "remembered_at"])
    index_items([visual_item(row) for row in (*fresh.values(), *again)])
    if fresh:
        wake_on_commit(WAKE_KIND, scope.space_id)
    rows = known | fresh
    return Remembered(
        tuple(to_visual(rows[image.pixel_hash], scope.now) for image in images),
        frozenset(row.id for row in fresh.values()),
    )


def _of_session(scope: ImageScope) -> QuerySet[VisualRecord]:
    rows: QuerySet[VisualRecord] = VisualRecord.objects.for_space(scope.space_id)
    return rows.filter(session_id=scope.session_id)


def _is_faded(row: VisualRecord) -> bool:
    return row.expired_at is not None and row.expired_reason == FORGOTTEN


def _one_line(name: str) -> str:
    """A file's name as it may be shown: no line breaks, nothing that turns its reading round."""
    seen = "".join(each for each in name if each.isspace() or unicodedata.category(each) != "Cc")
    return normalize(_TURNING.sub("", seen))


def _row(scope: ImageScope, image: DecodedImage, names: tuple[str, str]) -> VisualRecord:
    limits, visual_id = image_limits(), uuid7()
    words, name = clean_text(scope.words_around), _one_line(image.name)
    if Space.objects.filter(pk=scope.space_id, is_screening_secrets=True).exists():
        words, name = screen(words), screen(name)
    return VisualRecord(
        id=visual_id,
        space_id=scope.space_id,
        private_to_id=scope.private_to,
        session_id=scope.session_id,
        turn_id=scope.turn_id,
        position=scope.position,
        item=item_of(visual_id),
        name=name[: limits.name_chars],
        image_hash=image.pixel_hash,
        file=names[0],
        thumbnail=names[1],
        mime=image.mime,
        byte_size=len(image.data),
        width=image.width,
        height=image.height,
        frames=image.frames,
        looks=signed(image.looks),
        colors=list(image.colors),
        words_around=words[: limits.context_chars],
        seen_at=scope.seen_at,
        remembered_at=scope.now,
    )

"""What is due of images: a caption by the vision model, their text by OCR, the vector of their looks.

A row that says what is due of it is the queue. A worker claims it under a lease, asks the
models outside any transaction, and writes what it found if the row is still there. What fails
is tried again after a pause that grows; the image is a memory meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Space
from accounts.registries import wake_on_commit
from memory.domain.secrets import screen
from memory.domain.text import clean_text
from memory.domain.types import Kind, Usage
from memory.errors import IndexMismatch, TimeOver
from memory.ports import OnUsage, VectorEntry
from memory.providers.call_scope import current_scope
from memory.registries import may_spend, usage_sinks
from memory.services.index import index_items
from visual.config import CONFIG, CaptionRecipe
from visual.domain.types import Caption
from visual.models import VisualRecord
from visual.providers.registry import image_embedder, text_reader, vision_model
from visual.registries import tell_described
from visual.services.look import Finding, Look
from visual.services.remember import WAKE_KIND
from visual.stores.pixels import pixel_index
from visual.stores.rows import visual_item

Hiding = Callable[[str], str]

_RETRIED = "{failed} of {all} images could not be described now; that is tried again."
_ONE_RETRIED = "The image could not be described now; that is tried again."


def describe_space(space_id: UUID) -> int:
    """Do what is due of the space's images; how many were looked at."""
    done = 0
    while row := _next(space_id):
        with _told(row) as on_usage:
            look = Look(CaptionRecipe.FULL, may_caption=may_spend(space_id), on_usage=on_usage)
            found = look.at(row)
        settle_finding(row, found, is_late=True)
        done += 1
    return done


def describe_now(
    space_id: UUID, ids: Iterable[UUID], recipe: CaptionRecipe, *, on_usage: OnUsage | None = None
) -> tuple[str, ...]:
    """Caption and read images while somebody waits, a few at once, in the time of one call; what
    fails or comes too late is due later. Says in a sentence what degraded.
    """
    wanted = VisualRecord.objects.for_space(space_id).filter(_wants_words(), id__in=list(ids))
    rows = _claimed(space_id, wanted)
    if not rows:
        return ()
    look = Look(recipe, may_caption=may_spend(space_id), is_embedding=False, on_usage=on_usage)
    deadline, scope = monotonic() + recipe.seconds, current_scope()

    def look_at(row: VisualRecord) -> Finding:
        return Finding(failure=TimeOver()) if monotonic() > deadline else scope.run(look.at, row)

    with ThreadPoolExecutor(CONFIG.describing.parallel, thread_name_prefix="caption") as pool:
        findings = list(pool.map(look_at, rows))
    for row, found in zip(rows, findings, strict=True):
        settle_finding(row, found)
    failed = sum(found.failure is not None for found in findings)
    told = _ONE_RETRIED if len(rows) == 1 else _RETRIED.format(failed=failed, all=len(rows))
    return (told,) if failed else ()


def settle_finding(row: VisualRecord, found: Finding, *, is_late: bool = False) -> None:
    """Write what was found, unless the image was deleted meanwhile: then nothing of it is left.

    `is_late`: its turn may have been read without these words by others, who are told.
    """
    if found.vector is not None:
        _store_vector(row, found)
    with transaction.atomic():
        rows = VisualRecord.objects.for_space(row.space_id).select_for_update()
        current: VisualRecord | None = rows.filter(pk=row.pk).first()
        if current is not None:
            _apply(current, found)
            current.save()
            if current.expired_at is None and (found.caption or found.text):
                index_items([visual_item(current)])
                if is_late:
                    tell_described(row.space_id, row.pk)
    if current is None and found.vector is not None:
        pixel_index(found.vector_model, len(found.vector)).delete(row.space_id, Kind.PIXELS, [row.item])


def rebuild_looks(space_id: UUID) -> int:
    """Drop the vectors of the space's looks; workers make them anew. Of how many images.

    Raises ProviderError.
    """
    embedder = image_embedder()
    if embedder is None:
        return 0
    pixel_index(embedder.name, embedder.dimension).drop_space(space_id)
    rows = VisualRecord.objects.for_space(space_id).exclude(vector_model="")
    dropped: int = rows.update(vector_model="", not_before=None)
    wake_on_commit(WAKE_KIND, space_id)
    return dropped


def is_due(now: datetime) -> Q:
    """Of which images something can be done here and now."""
    embedder = image_embedder()
    looks = ~Q(vector_model=embedder.name) if embedder else Q(pk__in=())
    is_over = Q(not_before__isnull=True) | Q(not_before__lte=now)
    return (_wants_words() | looks) & is_over & _is_free(now) & Q(expired_at__isnull=True)


def _due(space_id: UUID) -> QuerySet[VisualRecord]:
    rows: QuerySet[VisualRecord] = VisualRecord.objects.for_space(space_id)
    return rows.filter(is_due(timezone.now())).order_by("id")


def _wants_words() -> Q:
    captions = Q(is_caption_due=True) if vision_model() else Q(pk__in=())
    return captions | (Q(is_reading_due=True) if text_reader() else Q(pk__in=()))


def _is_free(now: datetime) -> Q:
    return Q(lease_until__isnull=True) | Q(lease_until__lt=now)


def _next(space_id: UUID) -> VisualRecord | None:
    """The image that is due first, under a lease of its own: a list of them would outlast it."""
    while row := _due(space_id).first():
        if _claimed(space_id, [row]):
            return row
    return None


def _claimed(space_id: UUID, rows: Iterable[VisualRecord]) -> list[VisualRecord]:
    """Those of the rows that nobody else works at, under a lease."""
    now = timezone.now()
    until = now + timedelta(seconds=CONFIG.describing.lease_seconds)
    all_rows = VisualRecord.objects.for_space(space_id)
    return [row for row in rows if all_rows.filter(_is_free(now), pk=row.pk).update(lease_until=until)]


def _apply(row: VisualRecord, found: Finding) -> None:
    config = CONFIG.describing
    row.lease_until = None
    hide = _hiding(row)
    if found.text is not None:
        text = clean_text(found.text)[: CONFIG.limits.text_chars]
        row.text_in_image, row.is_reading_due = hide(text), False
    if found.caption is not None:
        _apply_caption(row, found.caption, hide)
        row.captioned_by, row.is_caption_due = found.captioned_by[:200], False
    row.vector_model = found.vector_model or row.vector_model
    if found.failure is None:
        row.attempts, row.not_before = 0, None
        return
    pause = min(config.backoff_ceiling_seconds, config.backoff_seconds * 2 ** min(row.attempts, 20))
    row.attempts = min(row.attempts + 1, 1_000)
    row.not_before = timezone.now() + timedelta(seconds=pause)


def _apply_caption(row: VisualRecord, caption: Caption, hide: Hiding) -> None:
    row.caption = hide(caption.text)
    row.scene_type = caption.scene_type.value
    row.entities = [hide(name) for name in caption.entities]
    row.structured = dict(_hidden_pair(name, value, hide) for name, value in caption.structured.items())
    row.text_in_image = row.text_in_image or hide(caption.text_in_image)
    row.importance = caption.importance


def _hidden_pair(name: str, value: str, hide: Hiding) -> tuple[str, str]:
    """Both without secrets; that a value is one is often told by its name alone."""
    shown = hide(name)
    pair, head = hide(f"{shown}: {value}"), f"{shown}: "
    return shown, pair.removeprefix(head) if pair.startswith(head) else hide(value)


def _hiding(row: VisualRecord) -> Hiding:
    """What hides secrets in this image's space; nothing where its owner wants none hidden."""
    is_on = Space.objects.filter(pk=row.space_id, is_screening_secrets=True).exists()
    return screen if is_on else str


def _store_vector(row: VisualRecord, found: Finding) -> None:
    """Into the index of looks; what another model has left there of the space is dropped first."""
    assert found.vector is not None  # noqa: S101 - the caller's promise, for mypy
    index = pixel_index(found.vector_model, len(found.vector))
    entry = VectorEntry(row.item, row.private_to_id, row.session_id, row.position, found.vector)
    try:
        index.upsert(row.space_id, Kind.PIXELS, [entry])
    except IndexMismatch:
        index.drop_space(row.space_id)
        index.upsert(row.space_id, Kind.PIXELS, [entry])


@contextmanager
def _told(row: VisualRecord) -> Iterator[OnUsage]:
    """Collect what calls take, and hand it on at the end, also when one fails."""
    took: list[Usage] = []
    try:
        yield took.append
    finally:
        for tell in usage_sinks():
            tell(row.space_id, row.private_to_id, took)

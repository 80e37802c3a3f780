"""Images for a question: by the words told of them, by their looks, or by another image.

A reader sees what they may; forgotten images are not found. Each image that is found counts
as recalled once, which lets it fade more slowly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import F, QuerySet

from memory.domain.types import Kind, Reader
from memory.errors import IndexMismatch, ProviderError
from memory.ports import OnUsage, Vectors
from memory.providers.registry import embedder
from memory.stores.entries import entries_of
from memory.stores.registry import vector_index
from visual.config import CONFIG, VisualWeights
from visual.domain.asking import asks_for_any
from visual.domain.pixels import likeness, unsigned
from visual.domain.scoring import (
    alike_score,
    caption_score,
    fused_score,
    image_score,
    weighed_score,
)
from visual.domain.telling import is_told_of
from visual.domain.types import DecodedImage, Visual, VisualHit, VisualQuery, VisualRecalled
from visual.models import VisualRecord
from visual.ports import ImageEmbedder
from visual.providers.registry import image_embedder, why_no_looks
from visual.selectors import words_found
from visual.stores.pixels import pixel_index
from visual.stores.rows import to_visual

BY_BITS = "Images are compared by their perceptual hash alone."
WORDS_ONLY = "Images are found by words alone: their vectors are being made anew."
_WHOLE_SESSION = 20_000  # candidates of each channel, where only one session counts


@dataclass(slots=True)
class _Words:
    """How much of the question an image's words hold, and how near their vector is."""

    share: float = 0.0
    cosine: float = 0.0


@dataclass(slots=True)
class _Found:
    """What the channels found: words by id, looks by number."""

    words: dict[UUID, _Words] = field(default_factory=dict)
    looks: dict[int, float] = field(default_factory=dict)
    has_words: bool = True
    is_newest: bool = False
    notes: list[str] = field(default_factory=list)


def recall_visuals(
    reader: Reader, query: VisualQuery, *, now: datetime, on_usage: OnUsage | None = None
) -> VisualRecalled:
    """The images that fit best, at most `top_k`. Failing channels are noted, the others carry."""
    found = _Found()
    limit = _WHOLE_SESSION if query.session_id else CONFIG.weights.candidates
    if query.image is not None:
        _find_alike(found, reader, query.image, limit)
    elif asks_for_any(query.text):
        _find_newest(found, reader, query)
    else:
        _find_words(found, reader, query.text, limit, on_usage)
        _find_looks(found, reader, query.text, limit)
    if not query.is_strict and why_no_looks():  # which degrades no answer of a chat
        found.notes.append(why_no_looks() if query.image is None else BY_BITS)
    hits = _hits(found, reader, query, now)
    _count(reader.space_id, hits, now)
    return VisualRecalled(tuple(hits), tuple(found.notes))


def _find_newest(found: _Found, reader: Reader, query: VisualQuery) -> None:
    """The images that were shown last, where somebody asks to see images and not which."""
    rows = _live(reader).exclude(turn_id__in=[each for each in query.exclude_turn_ids if each])
    here = rows.filter(session_id=query.session_id) if query.session_id else rows
    newest = here.order_by("-seen_at", "-id").values_list("id", flat=True)[: query.top_k]
    found.words, found.is_newest = {each: _Words(share=1.0) for each in newest}, True


def _find_words(found: _Found, reader: Reader, text: str, limit: int, on_usage: OnUsage | None) -> None:
    by_item: dict[int, _Words] = {}
    matches = words_found(reader, text, limit=limit)
    for item, share in zip(matches.items.tolist(), matches.matched_share.tolist(), strict=True):
        by_item[item] = _Words(share=share)
    try:
        (embedding,) = embedder().embed([text], on_usage=on_usage)
        if embedding.vector is not None:
            near = vector_index().open(reader, Kind.VISUAL).search(embedding.vector[None], limit=limit)
            for item, cosine in zip(near.items.tolist(), near.cosines[0].tolist(), strict=True):
                by_item.setdefault(item, _Words()).cosine = cosine
    except IndexMismatch:
        found.notes.append(WORDS_ONLY)
    except ProviderError as error:
        found.notes.append(f"Images are found by words alone: {error.detail}")
    entries = entries_of(reader.space_id, list(by_item))
    ids = {row.uid if isinstance(row.uid, UUID) else UUID(row.uid): item for item, row in entries.items()}
    found.words = {uid: by_item[item] for uid, item in ids.items()}


def _find_looks(found: _Found, reader: Reader, text: str, limit: int) -> None:
    clip = image_embedder()
    if clip is None:
        return
    try:
        found.looks = _near(clip, reader, clip.embed_text(text), limit)
    except ProviderError as error:
        found.notes.append(f"Images are not found by their looks: {error.detail}")
        return
    weights = CONFIG.weights
    found.looks = {item: image_score(cosine, weights) for item, cosine in found.looks.items()}


def _find_alike(found: _Found, reader: Reader, image: DecodedImage, limit: int) -> None:
    """By vectors of looks, and by the bits of looks where an image has no vector yet."""
    found.has_words = False
    found.looks = _alike_by_bits(reader, image, limit)
    clip = image_embedder()
    if clip is None:
        return
    try:
        near = _near(clip, reader, clip.embed_images([image.data])[0], limit)
    except ProviderError as error:
        found.notes.append(f"{BY_BITS} {error.detail}")
        return
    weights = CONFIG.weights
    found.looks |= {item: alike_score(cosine, weights) for item, cosine in near.items()}


def _near(clip: ImageEmbedder, reader: Reader, vector: Vectors, limit: int) -> dict[int, float]:
    index = pixel_index(clip.name, clip.dimension)
    matches = index.open(reader, Kind.PIXELS).search(vector[None], limit=limit)
    return dict(zip(matches.items.tolist(), matches.cosines[0].tolist(), strict=True))


def _alike_by_bits(reader: Reader, image: DecodedImage, limit: int) -> dict[int, float]:
    rows = _live(reader).order_by("-id").values_list("item", "looks")[: CONFIG.weights.most_hashes]
    pairs = list(rows)
    if not pairs:
        return {}
    alike = likeness(image.looks, np.array([unsigned(looks) for _, looks in pairs], np.uint64))
    best = np.argsort(-alike, kind="stable")[:limit]
    return {pairs[place][0]: float(alike[place]) for place in best if alike[place] > 0}


def _hits(found: _Found, reader: Reader, query: VisualQuery, now: datetime) -> list[VisualHit]:
    rows = _live(reader).filter(id__in=list(found.words)) if found.words else []
    known = {row.id: row for row in rows}
    if found.looks:
        known |= {row.id: row for row in _live(reader).filter(item__in=list(found.looks))}
    kept = [row for row in known.values() if _is_asked(row, query)]
    hits = [hit for row in kept if (hit := _hit(row, found, query, now))]
    return sorted(hits, key=lambda hit: (-hit.score, str(hit.visual.id)))[: query.top_k]


def _is_asked(row: VisualRecord, query: VisualQuery) -> bool:
    is_here = query.session_id is None or row.session_id == query.session_id
    return is_here and row.turn_id not in query.exclude_turn_ids


def _hit(row: VisualRecord, found: _Found, query: VisualQuery, now: datetime) -> VisualHit | None:
    weights, words = CONFIG.weights, found.words.get(row.id, _Words())
    looks = found.looks.get(row.item)
    caption = caption_score(words.share, words.cosine, weights) if found.has_words else None
    fused, visual = fused_score(looks, caption, weights), to_visual(row, now)
    if fused < weights.floor or (query.is_strict and not _is_sure(visual, words, looks, weights)):
        return None
    score = weighed_score(fused, row.importance, weights) if found.has_words else fused
    return VisualHit(visual, score, looks, caption, found.is_newest)


def _is_sure(visual: Visual, words: _Words, looks: float | None, weights: VisualWeights) -> bool:
    """That both speak of an image makes a question and the plain words of one no pair."""
    return (
        words.share >= weights.sure_words
        or (words.cosine >= weights.sure_cosine and is_told_of(visual))
        or (looks or 0.0) >= weights.sure_looks
    )


def _live(reader: Reader) -> QuerySet[VisualRecord]:
    rows: QuerySet[VisualRecord] = VisualRecord.objects.visible_to(reader.space_id, reader.user_id)
    return rows.filter(expired_at=None).exclude(session_id__in=reader.exclude_session_ids)


def _count(space_id: UUID, hits: Sequence[VisualHit], now: datetime) -> None:
    ids = [hit.visual.id for hit in hits]
    if ids:
        rows = VisualRecord.objects.for_space(space_id).filter(id__in=ids)
        rows.update(recall_count=F("recall_count") + 1, last_recalled_at=now)

"""Do questions find images? LoCoMo's turns that carry both the `query` their image was looked for
with and its `blip_caption`: the query as the question, its own caption as the answer, among the
captions of its conversation.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from accounts.principals import principal_for
from accounts.services.users import register_user
from evaluation.loaders.files import items_of, read_json, reading
from evaluation.loaders.locomo import SESSION
from evaluation.memories import PASSWORD
from memory.domain.types import Reader
from memory.services.reindex import drain_outbox
from memory.stores.entries import entries_of
from visual.domain.types import Caption, DecodedImage, VisualQuery
from visual.selectors import visual_row, words_found
from visual.services.describe import settle_finding
from visual.services.look import Finding
from visual.services.recall import recall_visuals
from visual.services.remember import ImageScope, remember_images

CUT = 5
NOW = datetime(2026, 7, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Picture:
    """A turn's image: what it was looked for with, its caption, and what was said with it."""

    query: str
    caption: str
    said: str


@dataclass(frozen=True, slots=True)
class Found:
    """How many of so many questions had their caption among the first five."""

    system: str
    hits: int
    questions: int

    @property
    def rate(self) -> float:
        """hit@5."""
        return self.hits / self.questions if self.questions else 0.0


def load_pictures(path: Path) -> list[list[Picture]]:
    """The images of each conversation. Raises BadData."""
    conversations: list[list[Picture]] = []
    for number, sample in enumerate(items_of(path, read_json(path)), start=1):
        with reading(path, f"sample {number}"):
            conversations.append(_pictures(sample["conversation"]))
    return conversations


def _pictures(conversation: dict[str, Any]) -> list[Picture]:
    names = sorted((name for name in conversation if SESSION.fullmatch(name)), key=lambda n: int(n[8:]))
    turns = [turn for name in names for turn in conversation[name]]
    both = [turn for turn in turns if turn.get("query") and turn.get("blip_caption")]
    return [Picture(turn["query"], turn["blip_caption"], turn["text"]) for turn in both]


def measure_pictures(conversations: Sequence[Sequence[Picture]]) -> list[Found]:
    """Plain BM25 over captions, recall over captions, and recall that knows the words around too."""
    hits = {"BM25": 0, "recall by captions": 0, "recall with words around": 0}
    for number, pictures in enumerate(conversations):
        bare, ids = _remember(pictures, name=f"bare-{number}", has_words=False)
        for picture, own in zip(pictures, ids, strict=True):
            hits["BM25"] += own in _by_words(bare, picture.query)
            hits["recall by captions"] += own in _recalled(bare, picture.query)
        whole, ids = _remember(pictures, name=f"whole-{number}", has_words=True)
        for picture, own in zip(pictures, ids, strict=True):
            hits["recall with words around"] += own in _recalled(whole, picture.query)
    total = sum(map(len, conversations))
    return [Found(system, count, total) for system, count in hits.items()]


def _remember(pictures: Sequence[Picture], *, name: str, has_words: bool) -> tuple[Reader, list[UUID]]:
    """Each picture as a captioned image of a space of its own, by the services that keep images."""
    principal = principal_for(register_user(username=name, password=PASSWORD))
    reader, ids, session = Reader(principal.space_id, principal.user_id), [], uuid4()
    for place, picture in enumerate(pictures):
        words = picture.said if has_words else ""
        scope = ImageScope(principal.space_id, None, session, NOW, NOW, None, place, words)
        (visual,) = remember_images(scope, [_stand_in(name, place)]).visuals
        finding = Finding(caption=Caption(picture.caption), captioned_by="blip")
        settle_finding(visual_row(reader, visual.id), finding)
        ids.append(visual.id)
    drain_outbox(principal.space_id)
    return reader, ids


def _stand_in(name: str, place: int) -> DecodedImage:
    """Bytes in the place of an image, which the benchmark does not come with."""
    data = f"{name} {place}".encode()
    digest = hashlib.sha256(data).hexdigest()
    return DecodedImage(data, data + b" small", "image/jpeg", 1, 1, 1, digest, 0, ())


def _by_words(reader: Reader, query: str) -> set[UUID]:
    matches = words_found(reader, query, limit=CUT)
    rows = entries_of(reader.space_id, matches.items.tolist()).values()
    return {row.uid if isinstance(row.uid, UUID) else UUID(row.uid) for row in rows}


def _recalled(reader: Reader, query: str) -> set[UUID]:
    return {hit.visual.id for hit in recall_visuals(reader, VisualQuery(query, top_k=CUT), now=NOW).hits}

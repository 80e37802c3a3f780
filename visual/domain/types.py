"""The values of the visual memory: an upload, an image as it is kept, a caption, a hit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class SceneType(StrEnum):
    """What an image shows, roughly."""

    SCREENSHOT = "screenshot"
    CHART = "chart"
    PHOTO = "photo"
    DOCUMENT = "document"
    UI = "ui"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Upload:
    """An image as it is sent, or the address where it lies. Its name is told, never used for a file."""

    data: bytes = field(repr=False)
    name: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class DecodedImage:
    """An image as it is kept: encoded anew, without what stood beside its pixels.

    `pixel_hash`: 64 hexadecimal digits, of the decoded pixels; `looks`: its perceptual hash, 64 bits;
    `frames`: of the upload, of which the first is kept.
    """

    data: bytes = field(repr=False)
    thumbnail: bytes = field(repr=False)
    mime: str
    width: int
    height: int
    frames: int
    pixel_hash: str
    looks: int
    colors: tuple[str, ...]  # as "#rrggbb", what there is most of first
    name: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """What a vision model says of an image."""

    text: str
    scene_type: SceneType = SceneType.OTHER
    entities: tuple[str, ...] = ()
    structured: Mapping[str, str] = field(default_factory=dict)
    text_in_image: str = ""
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Visual:
    """A remembered image. `retention` in [0, 1] is what it is now."""

    id: UUID
    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    seen_at: datetime
    name: str
    mime: str
    width: int
    height: int
    byte_size: int
    frames: int
    image_hash: str
    colors: tuple[str, ...]
    caption: str
    scene_type: str
    entities: tuple[str, ...]
    structured: Mapping[str, str]
    text_in_image: str
    words_around: str
    importance: float
    is_caption_due: bool
    is_pinned: bool
    recall_count: int
    last_recalled_at: datetime | None
    expired_at: datetime | None
    expired_reason: str
    retention: float


@dataclass(frozen=True, slots=True)
class VisualHit:
    """An image that fits a question. The scores lie in [0, 1]; None where the channel is off."""

    visual: Visual
    score: float
    image_score: float | None
    caption_score: float | None
    is_newest: bool = False  # found because any image was asked for

    @property
    def reason(self) -> str:
        """Why it was found, in a sentence."""
        if self.is_newest:
            return "it is among the newest"
        looks, words = self.image_score or 0.0, self.caption_score or 0.0
        if looks and looks >= words:
            return "it looks like it"
        return "what is told of it fits"


@dataclass(frozen=True, slots=True)
class VisualQuery:
    """A search for images: by words, or by an image."""

    text: str = ""
    image: DecodedImage | None = None
    top_k: int = 5
    session_id: UUID | None = None
    is_strict: bool = False  # whether only what surely fits is a hit: for a chat
    exclude_turn_ids: frozenset[UUID | None] = frozenset()  # whose images the asker sees anyway


@dataclass(frozen=True, slots=True)
class VisualRecalled:
    """What a search for images found, best first; `notes` say what degraded."""

    hits: tuple[VisualHit, ...] = ()
    notes: tuple[str, ...] = ()

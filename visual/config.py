"""Every constant of the visual memory, with unit and origin (docs/algorithms/visual.md)."""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class CaptionRecipe:
    """How an image is shown to a vision model, and how long that may take."""

    name: str
    side: int  # pixels of the longer side
    quality: int  # of the JPEG that is sent
    seconds: float  # of a call, attempts and pauses together
    cached: int  # captions kept, least recently used go first
    output_tokens: int

    FULL: ClassVar["CaptionRecipe"]
    FAST: ClassVar["CaptionRecipe"]

    @classmethod
    def for_effort(cls, effort: str) -> "CaptionRecipe":
        """The recipe of a chat's effort."""
        return cls.FAST if effort == "fast" else cls.FULL


CaptionRecipe.FULL = CaptionRecipe("full", 1_024, 85, 30.0, 128, 1_000)
CaptionRecipe.FAST = CaptionRecipe("fast", 512, 75, 15.0, 256, 200)


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What is decoded at all, and in which form it is kept."""

    max_images: int = 16  # of one request
    max_bytes: int = 10_000_000
    max_pixels: int = 50_000_000
    large_pixels: int = 4_000_000  # from which on two images at once are decoded, whoever sends them
    max_frames: int = 1_000
    jpeg_quality: int = 92  # of photographs, which are kept without what their camera wrote beside them
    webp_quality: int = 90
    thumbnail_side: int = 512
    thumbnail_quality: int = 80
    profile_bytes: int = 16_384  # of a colour profile; larger ones are left out
    name_chars: int = 200
    context_chars: int = 600  # of the words around an image
    text_chars: int = 4_000  # of the text in an image
    colors: int = 3


@dataclass(frozen=True, slots=True)
class RemoteLimits:
    """How images are fetched from addresses, where that is switched on."""

    seconds: float = 20.0  # for all images of a request, redirects included
    redirects: int = 3
    address_chars: int = 2_000


@dataclass(frozen=True, slots=True)
class VisualWeights:
    """How near an image is to a question; cosines of ViT-B/32 lie in a narrow band."""

    image: float = 0.6
    caption: float = 0.4
    least_importance: float = 0.5  # share of the score that an unimportant image keeps
    lowest_cosine: float = 0.15  # of a text and an image that have nothing to do with one another
    highest_cosine: float = 0.35  # of a text that describes the image
    lowest_alike: float = 0.5  # of two images that have nothing to do with one another
    words: float = (
        0.5  # of the caption's score: how much of the question's words it holds; the rest is cosine
    )
    floor: float = 0.15  # what a hit must reach, before its importance counts
    # From which words, cosine or looks alone make it a hit of a chat's question.
    sure_words: float = 0.35
    sure_cosine: float = 0.40
    sure_looks: float = 0.5
    candidates: int = 200  # of each channel
    top_k: int = 5
    most_hashes: int = 100_000  # newest images whose looks are compared bit by bit


@dataclass(frozen=True, slots=True)
class DecayLaw:
    """retention = 0.5^(days / half-life); half-life = (base + span * importance) * (1 + bonus)."""

    base_days: float = 7.0
    importance_days: float = 23.0
    recall_bonus: float = 0.05
    most_bonus: float = 0.30
    least: float = 0.1  # retention under which an image is forgotten
    most_days: float = 90.0


@dataclass(frozen=True, slots=True)
class DescribingConfig:
    """When an image is captioned, read and embedded in the background."""

    lease_seconds: int = 180
    backoff_seconds: int = 60  # after the first failure; doubles with each
    backoff_ceiling_seconds: int = 21_600
    parallel: int = 4  # captions made at once while somebody waits
    forget_batch: int = 500
    orphan_hours: int = 24  # after which a file without a row is removed


@dataclass(frozen=True, slots=True)
class VisualConfig:
    """The visual memory as a whole."""

    limits: ImageLimits = field(default_factory=ImageLimits)
    weights: VisualWeights = field(default_factory=VisualWeights)
    decay: DecayLaw = field(default_factory=DecayLaw)
    describing: DescribingConfig = field(default_factory=DescribingConfig)


CONFIG = VisualConfig()

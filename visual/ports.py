"""What the visual memory needs from the outside, as protocols.

Vendors' exceptions never cross a port: adapters raise accounts.errors.
"""

from collections.abc import Sequence
from typing import Protocol

from memory.ports import OnUsage, Vectors
from visual.config import CaptionRecipe
from visual.domain.types import Caption


class VisionModel(Protocol):
    """An image to what it shows. Thread-safe."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def caption(self, image: bytes, recipe: CaptionRecipe, *, on_usage: OnUsage | None = None) -> Caption:
        """What the image, as it is kept, shows: one call where nothing fails. Raises ProviderError."""
        ...


class ImageEmbedder(Protocol):
    """Images and texts to vectors of one space. Thread-safe; deterministic; keeps order."""

    @property
    def name(self) -> str:
        """The model's name, stored beside every vector."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def embed_images(self, images: Sequence[bytes]) -> Vectors:
        """(n, d) float32 of unit length. Raises ProviderError."""
        ...

    def embed_text(self, text: str) -> Vectors:
        """(d,) float32 of unit length. Raises ProviderError."""
        ...


class TextReader(Protocol):
    """What is written in an image. Thread-safe."""

    def read(self, image: bytes) -> str:
        """The lines in reading order; empty where there is none. Raises ProviderError."""
        ...

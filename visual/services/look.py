"""One image put to the models that are there: no row is read or written."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from accounts.errors import LycheeError
from memory.errors import ProviderError, ProviderUnavailable
from memory.ports import OnUsage, Vectors
from visual.config import CaptionRecipe
from visual.domain.types import Caption
from visual.models import VisualRecord
from visual.providers.decoding import BROKEN
from visual.providers.registry import image_embedder, text_reader, vision_model
from visual.stores.images import read_image

logger = logging.getLogger(__name__)

BUDGET_SPENT = "The day's token budget of this space is used up; images are described later."


@dataclass(slots=True)
class Finding:
    """What came of looking at an image; `failure` where something is to be tried again."""

    caption: Caption | None = None
    captioned_by: str = ""
    text: str | None = None
    vector: Vectors | None = None
    vector_model: str = ""
    failure: LycheeError | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How an image is looked at. Thread-safe; `may_caption`: whether the space may spend tokens."""

    recipe: CaptionRecipe
    may_caption: bool = True
    is_embedding: bool = True
    on_usage: OnUsage | None = None

    def at(self, row: VisualRecord) -> Finding:
        """Ask what is due of this image. A model that fails keeps nothing of the others' from it."""
        found = Finding()
        try:
            data = read_image(row.file)
        except LycheeError as error:
            return Finding(failure=error)
        finders: list[Callable[[Finding, VisualRecord, bytes], None]] = [self._caption, self._read]
        for find in (*finders, self._embed) if self.is_embedding else finders:
            try:
                find(found, row, data)
            except ProviderError as error:
                logger.warning("image %s: %s: %s", row.pk, error.error_code, error.detail)
                found.failure = error
            except BROKEN:  # of a file that was damaged since: the others' turn comes all the same
                logger.warning("image %s cannot be decoded any more", row.pk, exc_info=True)
                found.failure = ProviderError("The image's file is damaged.")
        return found

    def _caption(self, found: Finding, row: VisualRecord, data: bytes) -> None:
        model = vision_model()
        if model is None or not row.is_caption_due:
            return
        if not self.may_caption:
            raise ProviderUnavailable(BUDGET_SPENT)
        found.caption = model.caption(data, self.recipe, on_usage=self.on_usage)
        found.captioned_by = model.name

    def _read(self, found: Finding, row: VisualRecord, data: bytes) -> None:
        reader = text_reader()
        if reader is not None and row.is_reading_due:
            found.text = reader.read(data)

    def _embed(self, found: Finding, row: VisualRecord, data: bytes) -> None:
        embedder = image_embedder()
        if embedder is not None and row.vector_model != embedder.name:
            found.vector, found.vector_model = embedder.embed_images([data])[0], embedder.name

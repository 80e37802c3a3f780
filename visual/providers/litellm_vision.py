"""The VisionModel port over any model that LiteLLM reaches, and its memory of captions."""

import base64
import hashlib
from collections import OrderedDict
from threading import Lock

from memory.domain.replies import Fault, Unreadable
from memory.errors import ReplyFaulty, ReplyRefused, ReplyTruncated
from memory.ports import OnUsage
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient
from visual.config import CaptionRecipe
from visual.domain.captioning import CAPTION_SHAPE, caption_prompt, read_caption
from visual.domain.types import Caption
from visual.providers.decoding import shrunk_jpeg

CAPTION = "caption"  # the purpose of its calls


class LiteLLMVision:
    """Captions images with one configured model. Thread-safe."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._kept = {recipe: _Captions(recipe.cached) for recipe in (CaptionRecipe.FULL, CaptionRecipe.FAST)}

    @property
    def name(self) -> str:
        """The model's name."""
        return self._client.settings.model

    def caption(self, image: bytes, recipe: CaptionRecipe, *, on_usage: OnUsage | None = None) -> Caption:
        """What the image shows: one call, none for an image seen lately. Raises ProviderError.

        The prompt holds nothing but the image, so that a kept caption tells nobody of another.
        """
        key = hashlib.sha256(image).hexdigest()
        kept = self._kept[recipe]
        if (known := kept.get(key)) is not None:
            return known
        small = shrunk_jpeg(image, side=recipe.side, quality=recipe.quality)
        url = f"data:image/jpeg;base64,{base64.b64encode(small).decode()}"
        purpose = Purpose(CAPTION, recipe.seconds, recipe.output_tokens, shape=CAPTION_SHAPE)
        reply = self._client.complete(caption_prompt(recipe, url), purpose, on_usage=on_usage)
        read = read_caption(reply.text, is_cut=reply.is_cut)
        if isinstance(read, Unreadable):
            raise {Fault.REFUSED: ReplyRefused, Fault.CUT: ReplyTruncated}.get(read.fault, ReplyFaulty)()
        kept.put(key, read)
        return read


class _Captions:
    """The captions used last, at most so many. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._captions: OrderedDict[str, Caption] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Caption | None:
        """The caption, which is now the one used last."""
        with self._lock:
            if key not in self._captions:
                return None
            self._captions.move_to_end(key)
            return self._captions[key]

    def put(self, key: str, caption: Caption) -> None:
        """Keep it; the one not used for longest goes."""
        with self._lock:
            self._captions[key] = caption
            self._captions.move_to_end(key)
            if len(self._captions) > self._most:
                self._captions.popitem(last=False)

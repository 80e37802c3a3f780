"""The ImageEmbedder port over open_clip with torch: looks and words in one space of vectors.

Loaded on first use, 3 s and 365 MB before the weights. No weights come in any package: they
lie at a path or on a hub, and where none are named the channel of looks is off.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import find_spec
from io import BytesIO
from threading import Lock
from typing import Any

import numpy as np

from memory.errors import ProviderError
from memory.ports import Vectors

PACKAGES = ("open_clip", "torch", "torchvision")
RANDOM = "random"  # no weights: proves the plumbing, means nothing
_DIMENSIONS = {"ViT-B-32": 512, "ViT-B-16": 512, "ViT-L-14": 768}
_BATCH = 16


class OpenClip:
    """One CLIP model. Thread-safe: torch is called by one thread at a time."""

    def __init__(self, model: str, weights: str) -> None:
        self._model, self._weights = model, weights
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The architecture and where its weights come from."""
        return f"{self._model}/{self._weights.rpartition('/')[2]}"[:128]

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return _DIMENSIONS.get(self._model, 512)

    def embed_images(self, images: Sequence[bytes]) -> Vectors:
        """(n, d) float32 of unit length. Raises ProviderError."""
        from PIL import Image

        torch, model, prepare, _ = self._loaded()
        made = []
        for start in range(0, len(images), _BATCH):
            opened = [Image.open(BytesIO(data)).convert("RGB") for data in images[start : start + _BATCH]]
            with self._lock, torch.inference_mode():
                made.append(model.encode_image(torch.stack([prepare(image) for image in opened])).numpy())
        return _unit(np.concatenate(made)) if made else np.empty((0, self.dimension), np.float32)

    def embed_text(self, text: str) -> Vectors:
        """(d,) float32 of unit length; longer texts are read by their beginning. Raises ProviderError."""
        torch, model, _, tokenize = self._loaded()
        with self._lock, torch.inference_mode():
            made: Vectors = _unit(model.encode_text(tokenize([text])).numpy())[0]
        return made

    def _loaded(self) -> tuple[Any, Any, Any, Any]:
        with self._lock:
            return self._parts

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any, Any]:
        try:
            _define_operators()
            import open_clip
            import torch

            weights = None if self._weights == RANDOM else self._weights
            if weights is None:
                torch.manual_seed(0)  # the same vectors in every process
            model, _, prepare = open_clip.create_model_and_transforms(self._model, pretrained=weights)
            model.eval()
            return torch, model, prepare, open_clip.get_tokenizer(self._model)
        except Exception as error:  # torch, open_clip and a hub raise whatever they like
            raise ProviderError(
                f"{self._model} cannot be loaded from {self._weights}: check CLIP_WEIGHTS."
            ) from error


def why_no_packages() -> str:
    """What is not installed, in a sentence; empty if CLIP can run."""
    if any(find_spec(package) is None for package in PACKAGES):
        return "CLIP is not installed: run `pip install -r requirements/visual.txt`."
    return ""


@cache
def _define_operators() -> Any:
    """Name what torchvision's C++ part would: beside a CPU build it does not load, and no operator of
    it is called here. Once a process; the operators go with what is returned.
    """
    import torch

    library = torch.library.Library("torchvision", "DEF")
    for schema in (
        "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
        "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    ):
        with suppress(RuntimeError):  # it is there
            library.define(schema)
    return library


def _unit(vectors: Any) -> Vectors:
    made = np.asarray(vectors, np.float32)
    return np.asarray(made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12), np.float32)

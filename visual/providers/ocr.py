"""The TextReader port over RapidOCR: its ONNX weights come in the package, 1.1 s an image."""

from functools import cached_property
from importlib.util import find_spec
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from memory.errors import ProviderError

if TYPE_CHECKING:
    from PIL import Image

PACKAGE = "rapidocr"
_SURE = 0.6  # of a line, under which it is left out
_LONGEST = 2_000  # pixels of the longer side, which the package keeps too
_SHORTEST = 6  # pixels of the shorter one, under which nothing can be written
_MOST_RATIO = (
    8  # of the sides: the package enlarges the shorter one to 736 pixels, whatever the longer becomes
)


class RapidReader:
    """Reads what is written in an image. One image at a time."""

    def __init__(self) -> None:
        self._lock = Lock()

    def read(self, image: bytes) -> str:
        """The lines in reading order, those that are read with confidence. Raises ProviderError."""
        import numpy as np
        from PIL import Image

        shown = _readable(Image.open(BytesIO(image)).convert("RGB"))
        if shown is None:
            return ""
        pixels = np.asarray(shown)[:, :, ::-1]
        try:
            with self._lock:
                found = self._engine(pixels)
        except Exception as error:  # onnxruntime and the package's own
            raise ProviderError("The text in an image could not be read.") from error
        lines = zip(found.txts or (), found.scores or (), strict=False)
        return "\n".join(text for text, sure in lines if sure >= _SURE)

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        return RapidOCR(params={"Global.log_level": "error"})


def _readable(image: "Image.Image") -> "Image.Image | None":
    """The image as it is read in seconds: small enough, a strip on a wider ground; None for a mere line."""
    from PIL import ImageOps

    share = min(1.0, _LONGEST / max(image.size))
    width, height = (round(side * share) for side in image.size)
    if min(width, height) < _SHORTEST:
        return None
    shown = image if share == 1.0 else image.resize((width, height), reducing_gap=3.0)
    size = (max(width, height // _MOST_RATIO), max(height, width // _MOST_RATIO))
    return shown if size == shown.size else ImageOps.pad(shown, size, color="white")


def is_installed() -> bool:
    """Whether the package is there."""
    return find_spec(PACKAGE) is not None

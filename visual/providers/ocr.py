"""The TextReader port over RapidOCR: its ONNX weights come in the package, 1.1 s an image."""

from functools import cached_property
from importlib.util import find_spec
from io import BytesIO
from threading import Lock
from typing import Any

from memory.errors import ProviderError

PACKAGE = "rapidocr"
_SURE = 0.6  # of a line, under which it is left out


class RapidReader:
    """Reads what is written in an image. One image at a time."""

    def __init__(self) -> None:
        self._lock = Lock()

    def read(self, image: bytes) -> str:
        """The lines in reading order, those that are read with confidence. Raises ProviderError."""
        import numpy as np
        from PIL import Image

        pixels = np.asarray(Image.open(BytesIO(image)).convert("RGB"))[:, :, ::-1]
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


def is_installed() -> bool:
    """Whether the package is there."""
    return find_spec(PACKAGE) is not None

"""The calibration of each embedder: a small file beside the index it was measured for.

Whoever can read the vectors can read it. A file that is missing or damaged counts as none.
"""

import hashlib
import json
import logging
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.config import EmbedderSpec, SurpriseScale
from memory.domain.cosines import Calibration
from memory.stores.files import locked, replace_file

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CalibrationFiles:
    """One file for each name and dimension."""

    folder: Path

    def read(self, spec: EmbedderSpec) -> Calibration | None:
        """What was last written for the embedder."""
        path = self._path(spec)
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return _calibration(told["values"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            logger.warning("The calibration in %s cannot be read; defaults stand in.", path, exc_info=True)
            return None

    def write(self, spec: EmbedderSpec, calibration: Calibration, *, measured_at: datetime) -> Path:
        """Put the calibration in the place of the one before. Returns the file."""
        told = {**asdict(spec), "measured_at": measured_at.isoformat(), "values": asdict(calibration)}
        path = self._path(spec)
        with locked(path):
            replace_file(path, json.dumps(told, indent=1).encode())
        return path

    def _path(self, spec: EmbedderSpec) -> Path:
        named = hashlib.sha256(f"{spec.name}\n{spec.dimension}".encode()).hexdigest()[:16]
        return self.folder / f"{named}.json"


def _calibration(values: dict[str, Any]) -> Calibration:
    """Raises TypeError, KeyError or ValueError for anything but the numbers of a calibration."""
    scale = {name: float(value) for name, value in values["surprise"].items()}
    rest = {name: float(value) for name, value in values.items() if name != "surprise"}
    if not scale["width"] > 0:
        raise ValueError("a width is no width")
    return Calibration(surprise=SurpriseScale(**scale), **rest)

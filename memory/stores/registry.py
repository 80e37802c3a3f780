"""Which store answers for which port: one instance a process.

LanceDB's build needs AVX2 and kills a process without it, which nothing can
catch: there, and where it is not installed, the exact store takes its place.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from shutil import copytree
from tempfile import TemporaryDirectory
from uuid import uuid4

import numpy as np
from django.conf import settings

from memory.config import LOCAL_EMBEDDER, EmbedderSpec
from memory.domain.cosines import CALIBRATIONS, Calibration
from memory.domain.types import Kind
from memory.ports import TextIndex, TokenStore, VectorIndex
from memory.stores.calibration import CalibrationFiles
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors, VectorTable
from memory.stores.matrix import SHARED, Rows
from memory.stores.postings import Postings
from memory.stores.tokens import TokenFiles
from memory.stores.vectors import LanceTable

_CPU = Path("/proc/cpuinfo")


@cache
def text_index() -> TextIndex:
    """The words of turns and records, in the database."""
    return Postings()


@cache
def vector_index() -> VectorIndex:
    """The vectors, in the store that VECTOR_STORE names if this machine can run it."""
    folder, spec = Path(settings.INDEX_DIR), embedder_spec()
    table: VectorTable
    if settings.VECTOR_STORE == "lancedb" and not why_no_lancedb():
        table = LanceTable(folder / "lance", spec)
    else:
        table = ExactTable(folder / "exact", spec)
    return HotVectors(spec, table)


@cache
def token_store() -> TokenStore:
    """The token vectors for late interaction, in files."""
    return TokenFiles(Path(settings.INDEX_DIR) / "tokens", embedder_spec())


def calibrations() -> CalibrationFiles:
    """What was measured of embedders, beside the index."""
    return CalibrationFiles(Path(settings.INDEX_DIR) / "calibration")


def copy_calibrations(index_dir: Path) -> None:
    """Put what was measured of embedders beside another index."""
    measured = calibrations()
    if measured.folder.is_dir():
        copytree(measured.folder, index_dir / measured.folder.name, dirs_exist_ok=True)


def known_calibration() -> Calibration | None:
    """What was measured of the embedder in use, or comes with it; None if it never was."""
    spec = embedder_spec()
    return calibrations().read(spec) or CALIBRATIONS.get(spec)


def calibration() -> Calibration:
    """What cosines mean to the embedder in use; the defaults stand in where nothing was measured."""
    return known_calibration() or Calibration()


def rehearse_vectors() -> None:
    """Write and read one vector in a folder that is thrown away.

    The first write and the first read of a process load parts of LanceDB that its import does
    not: measured at 3.8 s under load, 2026-11-30.
    """
    spec, space_id = embedder_spec(), uuid4()
    if settings.VECTOR_STORE != "lancedb" or why_no_lancedb():
        return
    one = np.zeros(1, np.int64)
    vectors = np.zeros((1, spec.dimension), np.float32)
    rows = Rows(one, one, one, one.astype(np.int32), np.array([SHARED]), vectors)
    with TemporaryDirectory(dir=settings.DATA_DIR, prefix=".rehearsal-") as folder:
        table = LanceTable(Path(folder), spec)
        table.write(space_id, Kind.TURN, rows)
        table.read(space_id, Kind.TURN, after_seq=-1)
        table.remove(space_id, Kind.TURN, [0])


def embedder_spec() -> EmbedderSpec:
    """The embedder in use, which makes what is stored here."""
    model = settings.EMBEDDING["model"]
    return EmbedderSpec(model, settings.EMBEDDING_DIM or 0) if model else LOCAL_EMBEDDER


def why_no_lancedb() -> str:
    """Why LanceDB cannot be used here, in a sentence; empty if it can."""
    if find_spec("lancedb") is None:
        return "LanceDB is not installed."
    if machine() in ("x86_64", "AMD64") and _CPU.exists() and " avx2" not in _CPU.read_text():
        return "LanceDB needs a processor with AVX2."
    return ""

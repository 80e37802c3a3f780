"""Which store answers for which port: one instance a process.

LanceDB's build needs AVX2 and kills a process without it, which nothing can
catch: there, and where it is not installed, the exact store takes its place.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from platform import machine

from django.conf import settings

from memory.config import LOCAL_EMBEDDER, EmbedderSpec
from memory.ports import TextIndex, TokenStore, VectorIndex
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors, VectorTable
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
    folder, spec = Path(settings.INDEX_DIR), _embedder_spec()
    table: VectorTable
    if settings.VECTOR_STORE == "lancedb" and not why_no_lancedb():
        table = LanceTable(folder / "lance", spec)
    else:
        table = ExactTable(folder / "exact", spec)
    return HotVectors(spec, table)


@cache
def token_store() -> TokenStore:
    """The token vectors for late interaction, in files."""
    return TokenFiles(Path(settings.INDEX_DIR) / "tokens", _embedder_spec())


def _embedder_spec() -> EmbedderSpec:
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

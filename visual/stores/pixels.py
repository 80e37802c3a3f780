"""The vectors of looks: an index like the memory's own, in a folder and table beside it.

Its items are numbers of images, 63 bits of their ids, so that it stands whatever becomes of
the index of words.
"""

from functools import cache
from pathlib import Path
from uuid import UUID

from django.conf import settings

from memory.config import EmbedderSpec
from memory.domain.types import Kind
from memory.ports import VectorIndex
from memory.stores.exact import ExactTable
from memory.stores.hot import HotVectors, VectorTable
from memory.stores.registry import why_no_lancedb
from memory.stores.vectors import LanceTable


@cache
def pixel_index(name: str, dimension: int) -> VectorIndex:
    """The vectors that this model made, in the store that VECTOR_STORE names."""
    folder, spec = Path(settings.INDEX_DIR), EmbedderSpec(name.replace("/", "-"), dimension)
    table: VectorTable
    if settings.VECTOR_STORE == "lancedb" and not why_no_lancedb():
        table = LanceTable(folder / "lance-looks", spec)
    else:
        table = ExactTable(folder / "exact-looks", spec)
    return HotVectors(spec, table, kinds=(Kind.PIXELS,))


def item_of(visual_id: UUID) -> int:
    """An image's number: the 62 random bits of its UUIDv7."""
    return int.from_bytes(visual_id.bytes[8:]) & ((1 << 62) - 1)

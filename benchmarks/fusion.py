"""What fusion costs: 20 new records beside 1,000 and beside 10,000, and 10,000 in full.

Records of fifty people, their vectors drawn around seeded themes so that most lie alone and
some in groups; written straight to rows and index, as if consolidated.
"""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from uuid import UUID, uuid4

import numpy as np
from django.db import transaction
from tqdm import tqdm

from accounts.models import Space
from benchmarks.figures import Figure
from memory.domain.types import Kind, MemoryType
from memory.models import IndexedItem, MemoryRecord
from memory.ports import VectorEntry, Vectors
from memory.services.fuse import fuse_fully, fuse_space
from memory.services.index import record_items
from memory.stores.registry import text_index, vector_index

SMALL, LARGE = 1_000, 10_000
NEW = 20
ROUNDS = 7
BATCH = 1_000
PEOPLE = 50
RECORDS_PER_THEME = 5
NOISE = 0.5  # of a record's vector, beside its theme's: cosine 0.8 within one
DIMENSION = 384
VOCABULARY = 5_000
MONDAY = datetime(2026, 5, 4, tzinfo=UTC)

_RANDOM = np.random.default_rng(20260504)


def run(scratch: Path) -> list[Figure]:
    """Fusion after a consolidation at two sizes, and in full."""
    small, large = (Space.objects.create(slug=f"bench-fusion-{n}", name="fusion").id for n in (SMALL, LARGE))
    _learn(small, SMALL, themes=SMALL // RECORDS_PER_THEME)
    _learn(large, LARGE, themes=LARGE // RECORDS_PER_THEME)
    fuse_space(small)
    started = time.perf_counter()
    fuse_fully(large, lambda stage, done, total: None)
    in_full = time.perf_counter() - started
    beside_small, beside_large = [], []
    for _ in range(ROUNDS):
        beside_small.append(_fuse_new(small, SMALL))
        beside_large.append(_fuse_new(large, LARGE))
    return [
        Figure(
            f"fuse {NEW} new records into {LARGE:,}",
            median(beside_large),
            "ms",
            f"into {SMALL:,}",
            median(beside_small),
            "≤ 2×",
        ),
        Figure(f"fuse {LARGE:,} records in full", in_full, "s", "allowed", 120.0, "≤ 1×"),
    ]


def _fuse_new(space: UUID, size: int) -> float:
    """Milliseconds to fuse some new records about what a space of this size speaks of."""
    _learn(space, NEW, themes=size // RECORDS_PER_THEME)
    started = time.perf_counter()
    fuse_space(space)
    return (time.perf_counter() - started) * 1_000


def _learn(space: UUID, count: int, *, themes: int) -> None:
    for start in tqdm(range(0, count, BATCH), desc="learning", leave=False, disable=count <= BATCH):
        rows = [_row(space, themes) for _ in range(min(BATCH, count - start))]
        MemoryRecord.objects.for_space(space).bulk_create(rows)
        with transaction.atomic():
            ids = text_index().upsert(record_items(rows))
        entries = [
            VectorEntry(ids[Kind.RECORD, row.id], None, row.session_id, 0, vector)
            for row, vector in zip(rows, _vectors(rows), strict=True)
        ]
        seq = vector_index().upsert(space, Kind.RECORD, entries)
        IndexedItem.objects.filter(id__in=[entry.item for entry in entries]).update(seq=seq)


def _row(space: UUID, themes: int) -> MemoryRecord:
    theme = int(_RANDOM.integers(themes))
    words = " ".join(f"word{rank}" for rank in _RANDOM.integers(VOCABULARY, size=8))
    said_at = MONDAY + timedelta(minutes=int(_RANDOM.integers(500_000)))
    return MemoryRecord(
        space_id=space,
        memory_type=MemoryType.FACT,
        semantic_text=f"Person {theme % PEOPLE} told of theme {theme}: {words}.",
        normalized_text=words,
        subject=f"Person {theme % PEOPLE}",
        topics=[f"theme {theme}"],
        said_at=said_at,
        learned_at=said_at,
        content_hash=uuid4().hex,
        session_id=uuid4(),
    )


def _vectors(rows: list[MemoryRecord]) -> Vectors:
    """Unit vectors around the themes of the rows."""
    themes = [int(row.topics[0].split()[1]) for row in rows]
    centres = np.stack([_unit(np.random.default_rng(theme)) for theme in themes])
    noise = np.stack([_unit(_RANDOM) for _ in rows])
    drawn = centres + NOISE * noise
    unit: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _unit(random: np.random.Generator) -> Vectors:
    drawn = random.standard_normal(DIMENSION, np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn)
    return unit

"""What evidence nodes cost: 20 new records hung beside 1,000 and beside 10,000, all of them
rebuilt, and a question's look at names and at the nearest nodes.

Records of fifty people and two thousand topics, written straight to rows.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from uuid import UUID, uuid4

import numpy as np
from django.db import transaction
from tqdm import tqdm

from accounts.models import Space
from benchmarks.figures import Figure
from memory.domain.types import MemoryType, Reader
from memory.models import MemoryRecord
from memory.services.composite_rows import Audience
from memory.services.evidence_rows import hang_records, rebuild_evidence
from memory.services.recall_nodes import by_name, by_vector

SMALL, LARGE = 1_000, 10_000
NEW = 20
ROUNDS = 15
BATCH = 250
PEOPLE, TOPICS, THINGS = 50, 2_000, 5_000
LOOKED_AT = 100
MONDAY = datetime(2026, 5, 4, tzinfo=UTC)

_RANDOM = np.random.default_rng(20260504)


def run(scratch: Path) -> list[Figure]:
    """Writing at two sizes, rebuilding, and reading beside the smaller size."""
    small, large = (
        Space.objects.create(slug=f"bench-evidence-{n}", name="evidence").id for n in (SMALL, LARGE)
    )
    for space, size in ((small, SMALL), (large, LARGE)):
        for _ in tqdm(range(size // BATCH), desc="hanging", leave=False):
            _hang(space, _rows(space, BATCH))
    hung = {space: median(_hang(space, _rows(space, NEW)) for _ in range(ROUNDS)) for space in (small, large)}
    rebuilt_ms = _timed_ms(lambda: rebuild_evidence(large))
    named = {space: median(_ask_names(space) for _ in range(ROUNDS)) for space in (small, large)}
    near = {space: median(_ask_near(space) for _ in range(ROUNDS)) for space in (small, large)}
    beside = f"beside {SMALL:,}"
    return [
        Figure(f"hang {NEW} new records beside {LARGE:,}", hung[large], "ms", beside, hung[small], "≤ 2×"),
        Figure(
            f"rebuild the evidence of {LARGE:,} records", rebuilt_ms / 1_000, "s", "allowed", 120.0, "≤ 1×"
        ),
        Figure(f"nodes by name among {LARGE:,} records", named[large], "ms", beside, named[small], ""),
        Figure(f"nodes by vector among {LARGE:,} records", near[large], "ms", beside, near[small], ""),
    ]


def _ask_names(space: UUID) -> float:
    person, topic = _RANDOM.integers(PEOPLE), _RANDOM.integers(TOPICS)
    text = f"What did Person {person} say about theme {topic} and Thing {_RANDOM.integers(THINGS)}?"
    return _timed_ms(lambda: by_name(Reader(space, uuid4()), text, (f"Person {person}",)))


def _ask_near(space: UUID) -> float:
    records = MemoryRecord.objects.for_space(space).order_by("content_hash")
    ids = list(records.values_list("id", flat=True)[:LOOKED_AT])
    cosines = dict(zip(ids, np.linspace(0.8, 0.3, len(ids)).tolist(), strict=True))
    return _timed_ms(lambda: by_vector(Reader(space, uuid4()), cosines, weakest=0.1))


def _hang(space: UUID, rows: list[MemoryRecord]) -> float:
    MemoryRecord.objects.for_space(space).bulk_create(rows)

    def write() -> None:
        with transaction.atomic():
            hang_records(Audience(space, None), [(row, ()) for row in rows])

    return _timed_ms(write)


def _timed_ms(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1_000


def _rows(space: UUID, count: int) -> list[MemoryRecord]:
    return [_row(space) for _ in range(count)]


def _row(space: UUID) -> MemoryRecord:
    person, topic, thing = (int(_RANDOM.integers(most)) for most in (PEOPLE, TOPICS, THINGS))
    said_at = MONDAY + timedelta(minutes=int(_RANDOM.integers(500_000)))
    return MemoryRecord(
        space_id=space,
        memory_type=MemoryType.FACT,
        semantic_text=f"Person {person} told of theme {topic} and Thing {thing}.",
        normalized_text="",
        subject=f"Person {person}",
        entities=[f"Thing {thing}"],
        topics=[f"theme {topic}", f"theme {(topic + 1) % TOPICS}"],
        said_at=said_at,
        learned_at=said_at,
        content_hash=uuid4().hex,
        session_id=uuid4(),
    )

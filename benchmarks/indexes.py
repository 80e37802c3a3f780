"""What the indexes cost, each figure beside what it is measured against.

A space of 10,000 turns of seeded words and unit vectors; the same with 50 further
spaces of 1,000 beside it.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID, uuid4, uuid5

import numpy as np
from django.db import transaction
from tqdm import tqdm

from accounts.models import Space
from benchmarks.figures import Figure
from memory.domain.types import IndexItem, Kind, Reader
from memory.ports import VectorEntry, Vectors
from memory.services.index import index_items
from memory.stores.registry import text_index, token_store, vector_index

ITEMS = 10_000
OTHER_SPACES = 50
OTHER_ITEMS = 1_000
BATCH = 1_000
ROUNDS = 60
TERMS = 8
VOCABULARY = 20_000
WORDS_PER_ITEM = 15
TOKENS_PER_ITEM = 24
RERANKED = 50
DIMENSION = 384

_RANDOM = np.random.default_rng(20260504)


def run(scratch: Path) -> list[Figure]:
    """Words, vectors and tokens, read and written."""
    space = _make_space("measured")
    vectors = _fill(space, ITEMS)
    reader = Reader(space, uuid4())
    alone = _median_ms(lambda: _search_words(reader))
    written_large = _median_ms(lambda: _write_one(space))
    small = _make_space("small")
    written_small = _median_ms(lambda: _write_one(small))
    for number in tqdm(range(OTHER_SPACES), desc="other spaces", leave=False):
        _fill(_make_space(f"other-{number}"), OTHER_ITEMS)
    beside = _median_ms(lambda: _search_words(reader))
    query = _unit_vectors(1)
    hot = _median_ms(lambda: vector_index().open(reader, Kind.TURN).search(query, limit=ITEMS * 2))
    product = _median_ms(lambda: vectors @ query[0])
    return [
        Figure(
            f"{TERMS} terms over {ITEMS:,} items, {OTHER_SPACES} spaces beside",
            beside,
            "ms",
            "alone",
            alone,
            "",
        ),
        Figure(f"write an item's words at {ITEMS:,}", written_large, "ms", "at 60", written_small, "≤ 1.3×"),
        Figure(f"nearest of {ITEMS:,} vectors, warm", hot, "ms", "the product alone", product, ""),
        _tokens_figure(space),
    ]


def _tokens_figure(space: UUID) -> Figure:
    items = range(1_000)
    tokens = {item: _RANDOM.integers(-127, 127, (TOKENS_PER_ITEM, DIMENSION), np.int8) for item in items}
    token_store().write(space, Kind.TURN, tokens)
    wanted = [int(item) for item in _RANDOM.choice(len(items), RERANKED, replace=False)]
    read = _median_ms(lambda: token_store().read(space, Kind.TURN, wanted))
    copied = _median_ms(lambda: [tokens[item].copy() for item in wanted])
    return Figure(f"read the tokens of {RERANKED} items", read, "ms", "copying them", copied, "")


def _make_space(slug: str) -> UUID:
    return Space.objects.create(slug=f"bench-{slug}", name=slug).id


def _fill(space: UUID, count: int) -> Vectors:
    """Words and vectors of so many turns, 100 a session; returns the vectors."""
    vectors = _unit_vectors(count)
    for start in tqdm(range(0, count, BATCH), desc="filling", leave=False, disable=count <= BATCH):
        items = [_item(space, start + n) for n in range(min(BATCH, count - start))]
        with transaction.atomic():
            ids = text_index().upsert(items)
        entries = [
            VectorEntry(ids[item.kind, item.id], None, item.session_id, item.position, vectors[start + n])
            for n, item in enumerate(items)
        ]
        vector_index().upsert(space, Kind.TURN, entries)
    return vectors


def _item(space: UUID, number: int) -> IndexItem:
    text = " ".join(_words(WORDS_PER_ITEM))
    session = uuid5(space, str(number // 100))
    return IndexItem(Kind.TURN, uuid4(), space, None, session, number % 100, "Maya", text)


def _words(count: int) -> list[str]:
    """Words as often as those of a language: the n-th about 1/n."""
    ranks = np.exp(_RANDOM.uniform(np.log(20), np.log(VOCABULARY), count)).astype(int)
    return [f"word{rank}" for rank in ranks]


def _unit_vectors(count: int) -> Vectors:
    drawn = _RANDOM.standard_normal((count, DIMENSION), np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


def _search_words(reader: Reader) -> None:
    text_index().open(reader, Kind.TURN).search(_words(TERMS), limit=2_000)


def _write_one(space: UUID) -> None:
    with transaction.atomic():
        index_items([_item(space, 0)])


def _median_ms(work: Callable[[], object]) -> float:
    work()
    return statistics.median(_timed(work) for _ in range(ROUNDS))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1_000

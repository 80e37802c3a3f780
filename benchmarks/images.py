"""Images: looks embedded a second on one core, and a search over 100,000 of them beside an exact scan.

CLIP runs with whatever weights CLIP_WEIGHTS names; without any, random ones prove the plumbing.
"""

import os
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from PIL import Image

from accounts.models import Space, User
from benchmarks.figures import Figure
from memory.domain.types import Kind, Reader
from memory.ports import VectorEntry, VectorIndex, VectorMatches, Vectors
from visual.providers.clip import RANDOM, OpenClip, why_no_packages
from visual.stores.pixels import pixel_index

IMAGES = 1_000
VECTORS, DIMENSION = 100_000, 512
BATCH = 5_000
ROUNDS = 15
LIMIT = 200

_RANDOM = np.random.default_rng(20260504)


def run(scratch: Path) -> list[Figure]:
    """Both measures; the first where torch and open_clip are installed."""
    return [*_embedded(), _searched()]


def _embedded() -> list[Figure]:
    if why_no_packages():
        return []
    import torch

    torch.set_num_threads(1)
    weights = os.environ.get("CLIP_WEIGHTS", "") or RANDOM
    clip = OpenClip("ViT-B-32", weights)
    images = [_image() for _ in range(IMAGES)]
    clip.embed_images(images[:16])  # loads the model
    started = time.perf_counter()
    clip.embed_images(images)
    rate = IMAGES / (time.perf_counter() - started)
    name = f"{IMAGES:,} images by CLIP ({weights} weights)"
    return [Figure(name, rate, "/s a core", "0.19 s each", 5.3, "")]


def _searched() -> Figure:
    space = Space.objects.create(slug="bench-images", name="images")
    user = User.objects.create(username="bench-images")
    index = pixel_index("bench", DIMENSION)
    vectors = _unit(_RANDOM.normal(size=(VECTORS, DIMENSION)))
    session = uuid4()
    for start in range(0, VECTORS, BATCH):
        entries = [
            VectorEntry(start + place, None, session, 0, vector)
            for place, vector in enumerate(vectors[start : start + BATCH])
        ]
        index.upsert(space.id, Kind.PIXELS, entries)
    reader = Reader(space.id, user.id)
    queries = _unit(_RANDOM.normal(size=(ROUNDS + 1, DIMENSION)))
    index.open(reader, Kind.PIXELS).search(queries[:1], limit=LIMIT)
    took, exact = [], []
    for query in queries[1:]:
        took.append(_timed(partial(_search, index, reader, query)))
        exact.append(_timed(partial(_exact, vectors, query)))
    index.drop_space(space.id)
    name = f"looks among {VECTORS:,} images of a space"
    return Figure(name, median(took), "ms", "exact scan", median(exact), "≤ 2×")


def _search(index: VectorIndex, reader: Reader, query: Vectors) -> VectorMatches:
    return index.open(reader, Kind.PIXELS).search(query[None], limit=LIMIT)


def _exact(vectors: Vectors, query: Vectors) -> Vectors:
    cosines = vectors @ query
    best = np.argpartition(-cosines, LIMIT)[:LIMIT]
    return np.asarray(best[np.argsort(-cosines[best])])


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1_000


def _image() -> bytes:
    buffer = BytesIO()
    Image.fromarray(_RANDOM.integers(0, 255, (224, 224, 3), np.uint8)).save(buffer, "JPEG")
    return buffer.getvalue()


def _unit(values: npt.NDArray[np.float64]) -> Vectors:
    return np.asarray(values / np.linalg.norm(values, axis=1, keepdims=True), np.float32)

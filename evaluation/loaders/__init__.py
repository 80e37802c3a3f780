"""Benchmarks as dialogues: one module a benchmark, each with `load(path)`."""

from collections.abc import Callable
from pathlib import Path

from evaluation.loaders import locomo
from evaluation.types import Dialogue

Loader = Callable[[Path], list[Dialogue]]

LOADERS: dict[str, Loader] = {"locomo": locomo.load}

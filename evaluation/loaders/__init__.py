"""Benchmarks as dialogues: one module a benchmark, each with `load(path)`, which raises BadData."""

from collections.abc import Callable
from pathlib import Path

from evaluation.loaders import beam, locomo, longmemeval, personamem
from evaluation.types import Dialogue

Loader = Callable[[Path], list[Dialogue]]

LOADERS: dict[str, Loader] = {
    "locomo": locomo.load,
    "longmemeval": longmemeval.load,
    "beam": beam.load,
    "personamem": personamem.load,
}

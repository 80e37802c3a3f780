"""Findings to rows of means, each with its number of questions; and Markdown tables of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evaluation.metrics import MEASURES, interval
from evaluation.types import Ranked

CUTS = (1, 3, 5, 10, 20)  # of turns and of sessions
HEADLINE, SESSION_HEADLINE = "hit@10", "session hit@3"
ALL = "all"

Values = npt.NDArray[np.float64]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Row:
    """The mean of each measure of one system over one group of questions.

    Measures of turns are over those questions that name an answer turn; a group without any
    has measures of sessions only. `low`, `high`: 95 % interval of the `headline` measure.
    """

    system: str
    group: str
    questions: int
    measures: dict[str, float]
    headline: str
    low: float
    high: float


def summarise(ranked: Sequence[Ranked]) -> list[Row]:
    """Rows by system, in the order of systems: over all questions, by category and by dialogue."""
    groupings: tuple[Callable[[Ranked], str], ...] = (
        lambda each: ALL,
        lambda each: f"category {each.category}",
        lambda each: each.dialogue,
    )
    return [
        _row(system, group, members)
        for system in dict.fromkeys(each.system for each in ranked)
        for grouping in groupings
        for group, members in grouped([each for each in ranked if each.system == system], grouping)
    ]


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> list[tuple[str, list[Item]]]:
    """The items by their key, keys in order."""
    return [(name, list(members)) for name, members in groupby(sorted(items, key=key), key=key)]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, its first column to the left and numbers to the right.

    Floats have three digits; None is a dash.
    """
    lines = ["| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def measure_table(title: str, rows: Sequence[tuple[str, Row]], names: Sequence[str]) -> str:
    """A row a label, a column a measure, the interval last."""
    headline = rows[0][1].headline if rows else HEADLINE
    known = [name for name in names if any(name in row.measures for _, row in rows)]
    return table(
        [title, "n", *known, f"95 % of {headline}"],
        [
            [
                label,
                row.questions,
                *(row.measures.get(name) for name in known),
                f"{row.low:.3f}–{row.high:.3f}",
            ]
            for label, row in rows
        ],
    )


def mean_of(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    known = list(values)
    return sum(known) / len(known) if known else None


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _row(system: str, group: str, ranked: Sequence[Ranked]) -> Row:
    values: dict[str, Values] = {}
    with_turns = [each for each in ranked if each.evidence]
    for name, measure in MEASURES.items():
        for k in CUTS:
            if with_turns:
                values[f"{name}@{k}"] = _array(measure(each.turns, each.evidence, k) for each in with_turns)
            values[f"session {name}@{k}"] = _array(
                measure(each.sessions, each.evidence_sessions, k) for each in ranked
            )
    headline = HEADLINE if with_turns else SESSION_HEADLINE
    low, high = interval(values[headline])
    means = {name: float(column.mean()) for name, column in values.items()}
    return Row(system, group, len(ranked), means, headline, low, high)


def _array(values: Iterable[float]) -> Values:
    return np.fromiter(values, np.float64)

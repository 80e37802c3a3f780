"""A calibration to a table and a picture: each number old and new, and the examples beneath."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memory.domain.calibration import THRESHOLDS, Floats, Measured
from memory.domain.cosines import Calibration

COLUMNS = ("number", "old", "new", "at or above")


def calibration_rows(
    before: Calibration, after: Calibration, measured: Measured
) -> Iterator[tuple[str, ...]]:
    """One row a number: its name, old, new, and the share of each kind of pair that reaches the new one."""
    for name in ("offset", "width"):
        yield (
            f"surprise {name}",
            _told(getattr(before.surprise, name)),
            _told(getattr(after.surprise, name)),
            "",
        )
    for each in THRESHOLDS:
        old, new = (getattr(which, each.field) for which in (before, after))
        labels = ("same", "related", "other") if each.kind == "statements" else ("answer", "no answer")
        shares = (
            f"{label} {float(np.mean(group >= new)):.0%}"
            for label, group in zip(labels, measured.pairs(each.kind), strict=True)
        )
        yield each.field.replace("_", " "), _told(old), _told(new), ", ".join(shares)
    yield "nameless together", _told(before.nameless_together), _told(after.nameless_together), ""


def plot_calibration(title: str, after: Calibration, measured: Measured, path: Path) -> None:
    """Three panels: surprises, statements and questions, the numbers as lines across them."""
    figure = Figure(figsize=(8, 8), layout="constrained")
    surprise, statements, questions = figure.subplots(3)
    _draw(surprise, {"goes on": measured.continuing, "another topic": measured.changing})
    _draw(statements, {"same": measured.same, "related": measured.related, "other": measured.other})
    _draw(questions, {"its answer": measured.answered, "another's": measured.unanswered})
    _mark(surprise, after.surprise.offset, "offset")
    for axes, kind in ((statements, "statements"), (questions, "questions")):
        for each in THRESHOLDS:
            if each.kind == kind:
                _mark(axes, getattr(after, each.field), each.field.removesuffix("_cosine"))
    surprise.set(xlabel="surprise of an exchange")
    statements.set(xlabel="cosine of two statements")
    questions.set(xlabel="cosine of a question and a statement")
    figure.suptitle(title)
    figure.savefig(path, dpi=120)


def _draw(axes: Axes, groups: dict[str, Floats]) -> None:
    """The share of each group that lies below a value."""
    for label, values in groups.items():
        axes.ecdf(values, label=f"{label} ({len(values)})")
    axes.set(ylabel="share below", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", frameon=False, fontsize="small")


def _mark(axes: Axes, at: float, name: str) -> None:
    axes.axvline(at, color="black", lw=1)
    axes.text(at, 0.02, name, fontsize="small", rotation=90, ha="right")


def _told(value: float) -> str:
    return f"{value:.2f}"

"""Rankings to tables, JSON and a plot; every figure with its number of questions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluation.metrics import MEASURES, interval
from evaluation.types import Ranked, Rankings

TURN_CUTS = (1, 5, 10, 20)
SESSION_CUTS = (1, 3, 5)
HEADLINE = "hit@10"

Values = npt.NDArray[np.float64]
Grouping = Callable[[Ranked], str]


@dataclass(frozen=True, slots=True)
class Row:
    """The mean of each measure of one system over one group of questions."""

    system: str
    group: str
    questions: int
    measures: dict[str, float]
    low: float  # 95 % interval of the headline measure
    high: float


def summarise(rankings: Rankings) -> list[Row]:
    """Rows by system: over all questions, by category and by dialogue."""
    groupings: tuple[Grouping, ...] = (
        lambda ranked: "all",
        lambda ranked: f"category {ranked.probe.category}",
        lambda ranked: ranked.dialogue,
    )
    return [
        _row(name, group, [each for each in ranked if grouping(each) == group])
        for name, ranked in rankings.items()
        for grouping in groupings
        for group in sorted({grouping(each) for each in ranked})
    ]


def markdown(rows: Sequence[Row], *, command: str) -> str:
    """Two tables for people: systems over all questions, the first system by group."""
    names = [f"{m}@{k}" for m, k in (("hit", 1), ("hit", 5), ("hit", 10), ("recall", 10), ("all", 10))]
    names += ["mrr@10", "ndcg@10", "session hit@3", "session all@5"]
    overall = [row for row in rows if row.group == "all"]
    first = [row for row in rows if row.system == rows[0].system and row.group != "all"]
    parts = [
        f"`{command}`",
        _table("system", [(row.system, row) for row in overall], names),
        f"**{rows[0].system}**, by category and dialogue:",
        _table("questions", [(row.group, row) for row in first], names),
    ]
    return "\n\n".join(parts) + "\n"


def write(rankings: Rankings, rows: Sequence[Row], folder: Path, *, command: str) -> None:
    """Write report.json, report.md, rankings.json and hit-by-k.png into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps([asdict(row) for row in rows], indent=1))
    (folder / "report.md").write_text(markdown(rows, command=command))
    (folder / "rankings.json").write_text(
        json.dumps({n: [_line(r) for r in rs] for n, rs in rankings.items()})
    )
    plot(rankings, folder / "hit-by-k.png")


def plot(rankings: Rankings, path: Path) -> None:
    """Hit rate over the cut k, a line a system."""
    from matplotlib.figure import Figure

    cuts = range(1, 21)
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for name, ranked in rankings.items():
        rates = [
            float(np.mean([MEASURES["hit"](r.turns, r.probe.evidence, k) for r in ranked])) for k in cuts
        ]
        axes.plot(cuts, rates, label=f"{name} ({rates[9]:.3f} at 10)")
    axes.set(xlabel="k turns", ylabel="questions with an answer turn", ylim=(0, 1), xlim=(1, 20))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path, dpi=120)


def _row(system: str, group: str, ranked: Sequence[Ranked]) -> Row:
    measures = {
        f"{prefix}{name}@{k}": _values(ranked, name, k, is_session=bool(prefix))
        for prefix, cuts in (("", TURN_CUTS), ("session ", SESSION_CUTS))
        for name in MEASURES
        for k in cuts
    }
    low, high = interval(measures[HEADLINE])
    means = {name: float(values.mean()) for name, values in measures.items()}
    return Row(system, group, len(ranked), means, low, high)


def _values(ranked: Sequence[Ranked], name: str, k: int, *, is_session: bool) -> Values:
    measure = MEASURES[name]
    return np.array(
        [
            measure(r.sessions, r.evidence_sessions, k)
            if is_session
            else measure(r.turns, r.probe.evidence, k)
            for r in ranked
        ],
        np.float64,
    )


def _table(title: str, rows: Sequence[tuple[str, Row]], names: Sequence[str]) -> str:
    head = ["| " + " | ".join([title, "n", *names, f"95 % of {HEADLINE}"]) + " |"]
    head.append("| --- " + "| ---: " * (len(names) + 2) + "|")
    body = [
        f"| {label} | {row.questions} | "
        + " | ".join(f"{row.measures[name]:.3f}" for name in names)
        + f" | {row.low:.3f}–{row.high:.3f} |"
        for label, row in rows
    ]
    return "\n".join(head + body)


def _line(ranked: Ranked) -> dict[str, object]:
    return {
        "dialogue": ranked.dialogue,
        "question": ranked.probe.text,
        "category": ranked.probe.category,
        "evidence": sorted(ranked.probe.evidence),
        "turns": list(ranked.turns[:50]),
    }

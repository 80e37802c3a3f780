"""Findings to pictures: hit rate over k a line a system, and the headline by category."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from evaluation.metrics import hit_at
from evaluation.tables import ALL, Row
from evaluation.types import Ranked

DEEPEST = 20
_DASHES = ("-", "--", ":")  # a new one whenever the ten colours begin again


def plot_hits(ranked: Sequence[Ranked], path: Path) -> None:
    """Questions with an answer turn (or session, where no turn is named) among the first k."""
    is_by_turn = any(each.evidence for each in ranked)
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    axes = figure.subplots()
    cuts = range(1, DEEPEST + 1)
    styles = cycle([(dash, f"C{colour}") for dash in _DASHES for colour in range(10)])
    for name, (dash, colour) in zip(dict.fromkeys(each.system for each in ranked), styles, strict=False):
        own = [each for each in ranked if each.system == name and (each.evidence or not is_by_turn)]
        rates = [float(np.mean([_hit(each, k) for each in own])) for k in cuts]
        axes.plot(cuts, rates, dash, color=colour, label=f"{name} ({rates[9]:.3f} at 10)")
    unit = "turn" if is_by_turn else "session"
    axes.set(xlabel=f"k {unit}s", ylabel=f"questions with an answer {unit}", ylim=(0, 1), xlim=(1, DEEPEST))
    axes.set_xticks([1, *range(5, DEEPEST + 1, 5)])
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize="small")
    figure.savefig(path, dpi=120)


def plot_groups(rows: Sequence[Row], path: Path) -> None:
    """The first system's headline by category and dialogue, with its interval."""
    own = [row for row in rows if row.system == rows[0].system]
    names = [f"{row.group} ({row.questions})" for row in own]
    values = np.array([row.measures[row.headline] for row in own])
    spans = np.clip([values - [row.low for row in own], [row.high for row in own] - values], 0, None)
    figure = Figure(figsize=(7, 1.2 + 0.32 * len(own)), layout="constrained")
    axes = figure.subplots()
    colours = ["tab:blue" if row.group == ALL else "tab:gray" for row in own]
    axes.barh(names, values, xerr=spans, color=colours, ecolor="black", capsize=2)
    axes.invert_yaxis()
    axes.set(xlim=(0, 1), xlabel=f"{own[0].headline} of {own[0].system}, 95 % interval")
    figure.savefig(path, dpi=120)


def _hit(ranked: Ranked, k: int) -> float:
    if ranked.evidence:
        return hit_at(ranked.turns, ranked.evidence, k)
    return hit_at(ranked.sessions, ranked.evidence_sessions, k)

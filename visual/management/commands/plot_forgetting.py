"""`manage.py plot_forgetting [PATH]`: the law of forgetting as a picture, drawn by the law that runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand
from matplotlib.figure import Figure

from visual.config import CONFIG
from visual.domain.decay import retention

DEFAULT = Path("docs/algorithms/forgetting.png")
IMPORTANCES = (0.0, 0.5, 1.0)
RECALLS = (0, 6)


class Command(BaseCommand):
    """Draw how much is left of images by day, importance and recalls."""

    help = "Draw the forgetting curve of images."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the picture goes."""
        parser.add_argument("path", type=Path, nargs="?", default=DEFAULT)

    def handle(self, *args: Any, **options: Any) -> str:
        """Draw; says where."""
        law = CONFIG.decay
        days = np.linspace(0, law.most_days, 361)
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.subplots()
        for importance in IMPORTANCES:
            for recalls, style in zip(RECALLS, ("-", "--"), strict=True):
                left = [retention(day, importance=importance, recalls=recalls, law=law) for day in days]
                label = f"importance {importance:g}, {recalls} recalls"
                axes.plot(days, left, style, color=f"C{int(2 * importance)}", label=label)
        axes.axhline(law.least, color="0.5", linewidth=0.8)
        axes.annotate(
            "forgotten", (law.most_days, law.least), (0, -10), textcoords="offset points", ha="right"
        )
        axes.set(xlabel="days", ylabel="retention", ylim=(0, 1), xlim=(0, law.most_days))
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize="small")
        figure.savefig(options["path"], dpi=120)
        return f"Drawn to {options['path']}."

"""A measured figure beside its baseline, and the table of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure. `baseline` is in the same unit, from the same run on the same machine."""

    name: str
    value: float
    unit: str
    baseline_name: str
    baseline: float
    target: str

    @property
    def ratio(self) -> float:
        """How many times the baseline."""
        return self.value / self.baseline if self.baseline else float("nan")

    def as_dict(self) -> dict[str, str | float]:
        """For JSON, the ratio included."""
        return {**asdict(self), "ratio": self.ratio}


def render(figures: Sequence[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = ["| measure | value | baseline | ratio | target |", "| --- | ---: | ---: | ---: | --- |"]
    rows += [
        f"| {f.name} | {f.value:.3g} {f.unit} | {f.baseline_name}: {f.baseline:.3g} {f.unit} "
        f"| {f.ratio:.2f} | {f.target} |"
        for f in figures
    ]
    return "\n".join(rows)

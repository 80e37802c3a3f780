"""Plots are files that can be looked at, with and without answer turns."""

from pathlib import Path

import pytest

from evaluation.plots import plot_groups, plot_hits
from evaluation.tables import summarise
from evaluation.types import Ranked
from tests.evaluation.telling import RANKED, ranked

PNG = b"\x89PNG"
CASES = [RANKED, (ranked("D1:1", evidence=""),), (ranked("D1:1"), ranked(evidence="", probe="q2"))]


@pytest.mark.parametrize("given", CASES, ids=["turns", "sessions", "both"])
def test_both_are_drawn(tmp_path: Path, given: tuple[Ranked, ...]):
    plot_hits(given, tmp_path / "hits.png")
    plot_groups(summarise(given), tmp_path / "groups.png")
    for name in ("hits.png", "groups.png"):
        content = (tmp_path / name).read_bytes()
        assert content.startswith(PNG)
        assert len(content) > 5_000

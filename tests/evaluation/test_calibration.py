"""A calibration as a table and as a picture."""

from pathlib import Path

import numpy as np

from evaluation.calibration import COLUMNS, calibration_rows, plot_calibration
from memory.config import SurpriseScale
from memory.domain.calibration import Measured
from memory.domain.cosines import Calibration


def floats(*values: float):
    return np.array(values, np.float32)


MEASURED = Measured(
    continuing=floats(0.1, 0.2),
    changing=floats(0.8, 0.9),
    same=floats(0.9, 0.95),
    related=floats(0.5, 0.9),
    other=floats(0.1),
    answered=floats(0.5, 0.3),
    unanswered=floats(0.1, 0.0),
)


def test_each_number_is_a_row_with_old_new_and_what_reaches_it():
    after = Calibration(surprise=SurpriseScale(0.15, 0.28), duplicate_cosine=0.89)
    rows = {row[0]: row[1:] for row in calibration_rows(Calibration(), after, MEASURED)}
    assert rows["surprise offset"] == ("0.20", "0.15", "")
    assert rows["duplicate cosine"] == ("0.85", "0.89", "same 100%, related 50%, other 0%")
    assert rows["question cosine"] == ("0.34", "0.34", "answer 50%, no answer 0%")
    assert all(len(row) == len(COLUMNS) - 1 for row in rows.values())
    assert len(rows) == 9


def test_the_picture_is_a_png(tmp_path: Path):
    plot_calibration("a model", Calibration(), MEASURED, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")

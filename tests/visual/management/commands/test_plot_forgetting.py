"""The picture of the law of forgetting."""

from pathlib import Path

from django.core.management import call_command
from PIL import Image


def test_the_curve_is_drawn_where_asked(tmp_path: Path, capsys) -> None:
    call_command("plot_forgetting", tmp_path / "curve.png")
    assert "curve.png" in capsys.readouterr().out
    with Image.open(tmp_path / "curve.png") as drawn:
        assert drawn.size == (840, 504)

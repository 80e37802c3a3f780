"""Rankings become rows, tables, files and a plot."""

import json
from pathlib import Path

import pytest

from evaluation.report import markdown, summarise, write
from evaluation.types import Probe, Ranked


def ranked(*turns: str, evidence: str = "D1:1", category: str = "4", dialogue: str = "one") -> Ranked:
    return Ranked(
        dialogue=dialogue,
        probe=Probe("Where?", frozenset({evidence}), category),
        turns=turns,
        sessions=tuple(dict.fromkeys(turn.split(":")[0] for turn in turns)),
        evidence_sessions=frozenset({evidence.split(":", maxsplit=1)[0]}),
    )


RANKINGS = {
    "whole": [ranked("D1:1"), ranked("D1:2", "D1:1", category="2"), ranked("D2:1", dialogue="two")],
    "plain BM25": [ranked(), ranked("D1:1", category="2"), ranked("D1:1", dialogue="two")],
}


def test_rows_are_means_over_all_questions_by_category_and_by_dialogue():
    rows = {(row.system, row.group): row for row in summarise(RANKINGS)}
    assert {group for system, group in rows if system == "whole"} == {
        "all",
        "category 2",
        "category 4",
        "one",
        "two",
    }
    whole = rows["whole", "all"]
    assert whole.questions == 3
    assert whole.measures["hit@1"] == pytest.approx(1 / 3)
    assert whole.measures["hit@10"] == pytest.approx(2 / 3)
    assert whole.measures["session hit@1"] == pytest.approx(2 / 3)
    assert whole.low <= whole.measures["hit@10"] <= whole.high
    assert rows["whole", "category 2"].measures["mrr@10"] == 0.5


def test_the_table_names_the_command_and_every_system():
    text = markdown(summarise(RANKINGS), command="manage.py evaluate x")
    assert text.startswith("`manage.py evaluate x`")
    assert "| whole | 3 | 0.333 |" in text
    assert "| plain BM25 | 3 |" in text
    assert "**whole**, by category and dialogue:" in text


def test_the_folder_holds_rows_rankings_tables_and_a_plot(tmp_path: Path):
    folder = tmp_path / "new" / "folder"
    write(RANKINGS, summarise(RANKINGS), folder, command="x")
    assert json.loads((folder / "report.json").read_text())[0]["system"] == "whole"
    assert json.loads((folder / "rankings.json").read_text())["whole"][1]["turns"] == ["D1:2", "D1:1"]
    assert (folder / "report.md").read_text().startswith("`x`")
    assert (folder / "hit-by-k.png").read_bytes().startswith(b"\x89PNG")

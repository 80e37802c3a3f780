"""Findings become sections, each there only if something was measured."""

import json
from dataclasses import replace
from pathlib import Path

from evaluation.report import figures, markdown, write
from evaluation.types import Answered, Findings, Foreign, InContext, TokenUse
from tests.evaluation.telling import RANKED


def context(setting: str = "as in chat", *, tokens: int = 900, items: int = 8, **changes) -> InContext:
    return replace(InContext(setting, "one", "q1", "4", tokens, items, is_covered=True), **changes)


FOUND = Findings(
    ranked=RANKED,
    contexts=(
        context(),
        context(items=0, tokens=0, is_covered=False),
        context(items=2, is_covered=None, is_answerable=False),
        context("filled", tokens=1_500),
    ),
    foreign=(Foreign("one", "a?", 0), Foreign("one", "b?", 3)),
    tokens=(
        TokenUse("construction", "whole", "one", 3, 1_000, 5, 4_000, 700),
        TokenUse("query", "whole", "one", 4, 1_000, 8, 6_000, 400),
    ),
    answers=(
        Answered("one", "q1", "4", "Kiwi", 1.0, True, 1, 1),
        Answered("one", "q2", "2", "?", None, False, 1, 1),
    ),
)


def text_of(found: Findings) -> str:
    return markdown(found, command="manage.py evaluate x", budget_tokens=1_600)


def test_it_names_the_command_every_system_and_the_test_between_them():
    text = text_of(FOUND)
    assert text.startswith("`manage.py evaluate x`")
    assert "| whole | 3 | 0.333 |" in text
    assert "**whole**, by category and dialogue:" in text
    assert "| against whole |" in text


def test_contexts_are_told_by_setting_with_coverage_of_what_is_known():
    text = text_of(FOUND)
    assert "## Context, at most 1,600 tokens" in text
    assert "| as in chat | 3 | 600.000 | 900 | 3.333 | 2 | 0.500 |" in text
    assert "| filled | 1 | 1500.000 | 1500 | 8.000 | 1 | 1.000 |" in text


def test_the_floor_tells_own_unanswerable_and_foreign_questions_apart():
    floor = figures(FOUND)["floor"]
    assert floor["own, answerable"] == {"questions": 2, "nothing": 0.5, "anything": 0.5}
    assert floor["own, without an answer"] == {"questions": 1, "nothing": 0.0, "anything": 1.0}
    assert floor["of another dialogue"] == {"questions": 2, "nothing": 0.5, "anything": 0.5}


def test_answers_and_tokens_have_their_rows():
    text = text_of(FOUND)
    assert "| all | 2 | 1.000 | 0.500 | 1 |" in text
    assert "| whole | one | 5 | 1000 | 4000 | 700 | 4.000 |" in text
    assert "| one | 4 | 8 | 1500.000 | 100.000 |" in text


def test_what_was_not_measured_has_no_section():
    text = text_of(Findings(ranked=RANKED))
    for title in ("## Context", "## Floor", "## End to end", "## Generative tokens"):
        assert title not in text
    assert "## Retrieval" not in text_of(Findings(contexts=(context(),)))


def test_the_folder_holds_rows_tables_and_plots(tmp_path: Path):
    folder = tmp_path / "new" / "folder"
    write(FOUND, folder, command="x", budget_tokens=1_600)
    content = json.loads((folder / "report.json").read_text())
    assert content["retrieval"][0]["system"] == "whole"
    assert content["contexts"]["filled"]["coverage"] == 1
    assert (folder / "report.md").read_text().startswith("`x`")
    for name in ("hit-by-k.png", "by-group.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")


def test_a_run_without_rankings_draws_nothing(tmp_path: Path):
    write(Findings(contexts=(context(),)), tmp_path, command="x", budget_tokens=1_600)
    assert not list(tmp_path.glob("*.png"))

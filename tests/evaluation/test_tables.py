"""Rows are means over groups; tables hold them with their number of questions."""

import pytest

from evaluation.tables import CUTS, grouped, mean_of, measure_table, summarise, table
from tests.evaluation.telling import RANKED, ranked


def test_rows_are_means_over_all_questions_by_category_and_by_dialogue():
    rows = {(row.system, row.group): row for row in summarise(RANKED)}
    assert {group for system, group in rows if system == "whole"} == {
        *("all", "category 2", "category 4", "one", "two")
    }
    whole = rows["whole", "all"]
    assert whole.questions == 3
    assert whole.measures["hit@1"] == pytest.approx(1 / 3)
    assert whole.measures["hit@10"] == pytest.approx(2 / 3)
    assert whole.measures["session hit@1"] == pytest.approx(2 / 3)
    assert whole.low <= whole.measures[whole.headline] <= whole.high
    assert rows["whole", "category 2"].measures["mrr@10"] == 0.5


def test_systems_keep_their_order_and_every_cut_is_measured():
    rows = summarise(RANKED)
    assert list(dict.fromkeys(row.system for row in rows)) == ["whole", "plain BM25"]
    assert CUTS == (1, 3, 5, 10, 20)
    for name in ("hit", "recall", "all", "mrr", "ndcg"):
        for k in CUTS:
            assert {f"{name}@{k}", f"session {name}@{k}"} <= set(rows[0].measures)


def test_without_answer_turns_only_sessions_are_measured():
    (row, *_) = summarise([ranked("D1:1", evidence="")])
    assert row.headline == "session hit@3"
    assert row.measures["session hit@3"] == 1
    assert "hit@10" not in row.measures


def test_questions_without_answer_turns_do_not_lower_those_of_turns():
    (row, *_) = summarise([ranked("D1:1"), ranked("D1:1", evidence="", probe="q2")])
    assert (row.questions, row.measures["hit@1"]) == (2, 1)


def test_a_table_shows_floats_with_three_digits_and_a_dash_for_nothing():
    assert table(["a", "b"], [["x", 0.5], ["y", None]]).splitlines() == [
        *("| a | b |", "| --- | ---: |", "| x | 0.500 |", "| y | – |")
    ]


def test_a_table_of_measures_leaves_out_what_no_row_has():
    rows = [("x", row) for row in summarise([ranked("D1:1", evidence="")])]
    head = measure_table("system", rows, ["hit@10", "session hit@3"]).splitlines()[0]
    assert head == "| system | n | session hit@3 | 95 % of session hit@3 |"


def test_the_mean_of_nothing_is_nothing_and_groups_come_in_order():
    assert mean_of([]) is None
    assert mean_of([0, 1]) == 0.5
    assert grouped(["bb", "a", "cc"], lambda text: str(len(text))) == [("1", ["a"]), ("2", ["bb", "cc"])]

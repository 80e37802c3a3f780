"""Two systems are compared on the questions both were asked."""

from pathlib import Path

import pytest

from evaluation.cache import Cache, NoRun
from evaluation.compare import against_first, compare, comparison_table, is_hit, read_system
from evaluation.types import Findings
from tests.evaluation.telling import RANKED, ranked


def test_only_common_questions_count_and_by_category():
    first = [ranked("D1:1"), ranked("D1:1", probe="q2", category="2"), ranked("D1:1", probe="q9")]
    second = [ranked("D2:1"), ranked("D1:1", probe="q2", category="2")]
    by_group = {each.group: each for each in compare(first, second)}
    assert list(by_group) == ["all", "category 2", "category 4"]
    everything = by_group["all"]
    assert (everything.questions, everything.test.both, everything.test.only_first) == (2, 1, 1)
    assert everything.test.p_value == 1
    with pytest.raises(NoRun, match="no question in common"):
        compare(first, [ranked("D1:1", dialogue="elsewhere")])


def test_a_hit_is_an_answer_turn_among_ten_or_a_session_among_three():
    ten = [f"D2:{n}" for n in range(10)]
    assert not is_hit(ranked(*ten, "D1:1"))
    assert is_hit(ranked(*ten[:9], "D1:1"))
    assert is_hit(ranked("D2:1", "D3:1", "D1:1", evidence=""))
    assert not is_hit(ranked("D2:1", "D3:1", "D4:1", "D1:1", evidence=""))


def test_folders_and_systems_in_them_are_read_by_name(tmp_path: Path):
    Cache.open(tmp_path, {}).keep("one", Findings(ranked=RANKED))
    assert {each.system for each in read_system(str(tmp_path))} == {"whole"}
    assert {each.system for each in read_system(f"{tmp_path}:plain BM25")} == {"plain BM25"}
    with pytest.raises(NoRun, match="it has whole, plain BM25"):
        read_system(f"{tmp_path}:other")
    with pytest.raises(NoRun, match="no finished dialogue"):
        read_system(str(tmp_path / "none"))


def test_the_table_names_both_and_their_shares():
    first = [ranked("D1:1", probe=f"q{n}") for n in range(4)]
    second = [ranked("D1:1" if n else "D2:1", probe=f"q{n}") for n in range(4)]
    text = comparison_table("a", "b", compare(first, second))
    assert "A: a" in text
    assert "| all | 4 | 1.000 | 0.750 | 1 | 0 | 1 |" in text


def test_within_a_run_each_system_stands_against_the_first():
    text = against_first(RANKED)
    assert text.splitlines()[0].startswith("| against whole |")
    assert "| plain BM25 | 1 | 1 | 1 |" in text

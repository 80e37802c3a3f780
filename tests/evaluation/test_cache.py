"""Findings survive as JSON lines; another command's are not mixed in."""

import json
from pathlib import Path

import pytest

from evaluation.cache import Cache, NoRun, OtherRun, findings_in
from evaluation.types import Answered, Findings, Foreign, InContext, TokenUse
from tests.evaluation.telling import RANKED

FOUND = Findings(
    ranked=RANKED,
    contexts=(InContext("filled", "one", "q1", "4", 900, 8, None, is_answerable=False),),
    foreign=(Foreign("one", "Where?", 0),),
    tokens=(TokenUse("query", "whole", "one", 3, 40, 2, 800, 60),),
    answers=(Answered("one", "q1", "4", "Kiwi.", None, True, 500, 7),),
)


def test_what_is_kept_is_found_again(tmp_path: Path):
    cache = Cache.open(tmp_path / "new", {"sample": 3})
    assert cache.find("one") is None
    cache.keep("one", FOUND)
    assert Cache.open(tmp_path / "new", {"sample": 3}).find("one") == FOUND


def test_another_run_is_refused_with_what_differs(tmp_path: Path):
    Cache.open(tmp_path, {"sample": 3, "recipe": "fast"})
    with pytest.raises(OtherRun, match="another recipe, sample"):
        Cache.open(tmp_path, {"sample": 4, "recipe": "standard"})


def test_an_unfinished_file_counts_for_nothing(tmp_path: Path):
    cache = Cache.open(tmp_path, {})
    cache.keep("one", FOUND)
    path = tmp_path / "dialogues" / "one.jsonl"
    path.rename(path.with_suffix(".part"))
    assert cache.find("one") is None
    with pytest.raises(NoRun, match="no finished dialogue"):
        findings_in(tmp_path)


def test_dialogues_with_odd_names_stay_in_the_folder_and_apart(tmp_path: Path):
    cache = Cache.open(tmp_path, {})
    for name in ("../up", "%2e", "..", "a/b", "a%2fb"):
        cache.keep(name, Findings(foreign=(Foreign(name, "?", 1),)))
    assert len(list((tmp_path / "dialogues").iterdir())) == 5
    assert {each.dialogue for each in findings_in(tmp_path).foreign} == {"../up", "%2e", "..", "a/b", "a%2fb"}


def test_a_damaged_file_is_named(tmp_path: Path):
    cache = Cache.open(tmp_path, {})
    cache.keep("one", FOUND)
    path = tmp_path / "dialogues" / "one.jsonl"
    for line in ("{", json.dumps({"kind": "ranked", "turns": []}), json.dumps({"kind": "other"})):
        path.write_text(line)
        with pytest.raises(NoRun, match=r"one\.jsonl is damaged"):
            cache.find("one")

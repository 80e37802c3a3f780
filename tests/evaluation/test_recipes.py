"""Every ablation is a whole configuration that differs from its base in what it names."""

from dataclasses import replace

import pytest

from evaluation.recipes import ABLATIONS, CHANNELS, RECIPES
from memory.config import IngestConfig, RecallConfig
from memory.domain.types import Effort

BASE = RECIPES["standard"]
TOLD_ANEW = {"eager", "per_exchange", "fixed_window", "summary_records", "no_reference_context"}


def test_there_is_a_recipe_for_each_effort():
    assert {each.effort for each in RECIPES.values()} == set(Effort)
    assert BASE.recall == RecallConfig.STANDARD
    assert BASE.ingest == IngestConfig()


@pytest.mark.parametrize("name", ABLATIONS)
def test_each_changes_something_and_says_whether_memory_is_told_anew(name: str):
    changed = BASE.without(name)
    assert changed.name == name
    assert changed.is_told_anew == (name in TOLD_ANEW)
    assert replace(changed, name=BASE.name, is_told_anew=False) != BASE


@pytest.mark.parametrize("name", sorted(TOLD_ANEW))
def test_those_of_construction_leave_recall_as_it_is(name: str):
    assert BASE.without(name).recall == BASE.recall


def test_they_build_upon_the_recipe_they_are_taken_from():
    quick = RECIPES["fast"].without("no_selection")
    assert quick.effort is Effort.FAST
    assert quick.recall.shortlist == RecallConfig.FAST.shortlist
    assert not quick.recall.question_floor.passes(-1.01, -0.01)
    assert quick.recall.question_floor.passes(-1.0, 0.0)


def test_record_vector_only_leaves_one_channel():
    recall = BASE.without("record_vector_only").recall
    weights = {name: getattr(recall.records, name) for name in recall.records.__dataclass_fields__}
    assert {name for name, weight in weights.items() if weight} == {"dense"}
    assert not recall.are_turns_recalled
    assert not recall.is_reranking


@pytest.mark.parametrize("name", CHANNELS)
def test_each_channel_of_evidence_nodes_can_be_switched_on_alone(name: str):
    recall = BASE.without(f"with_{name}").recall
    assert getattr(recall.evidence, name) > getattr(BASE.recall.evidence, name) == 0
    assert getattr(recall.records, name) > getattr(BASE.recall.records, name) == 0
    others = [other for other in CHANNELS if other != name]
    assert {getattr(recall.evidence, other) for other in others} == {0.0}


def test_an_unknown_name_is_a_key_error():
    with pytest.raises(KeyError):
        BASE.without("nothing")

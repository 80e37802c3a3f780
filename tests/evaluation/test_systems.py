"""Hits become turn keys; a tiny dialogue goes through the real services."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from evaluation.memories import Told, tell
from evaluation.recipes import RECIPES, Recipe
from evaluation.systems import Asking, anew, flatten, rank_by_vectors, rank_by_words, request_for, systems
from evaluation.types import Probe
from tests.evaluation.telling import MAY, dialogue
from tests.memory.talking import record_hit, turn_hit

BASELINES = ["plain BM25", "plain dense"]


class TestFlattening:
    def test_takes_each_hits_own_turns_in_order_once_and_no_neighbours(self):
        first = record_hit("x", said=[("Ann", "one"), ("Ben", "two"), ("Ann", "three")])
        own, near, other = first.evidence
        first = replace(first, evidence=(own, replace(near, is_neighbour=True)))
        second = replace(turn_hit("Ann", "three"), evidence=(other, own))
        assert flatten([first, second]) == [own.turn_id, other.turn_id]

    def test_of_nothing_is_nothing(self):
        assert flatten([]) == []


class TestAsking:
    def test_a_dated_question_is_asked_then_and_others_now(self):
        dated = Probe("Where?", frozenset(), "4", asked_at=MAY)
        year = Asking(later=timedelta(days=365))
        assert Asking().instant(dated) == MAY
        assert year.instant(dated) == MAY + timedelta(days=365)
        assert year.instant() - datetime.now(UTC) > timedelta(days=364)

    def test_the_moment_reaches_the_recall(self, told: Told):
        request = request_for(told, "Where?", RECIPES["standard"], now=MAY, top_k=3)
        assert (request.now, request.top_k, request.question) == (MAY, 3, "Where?")


@pytest.fixture
def told(db: None) -> Told:
    return tell(dialogue(), name="bench-1")


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
def test_every_system_finds_what_only_one_turn_says(told: Told, recipe: Recipe):
    ablations = [recipe.without("no_selection"), recipe.without("dense_only")]
    compared = systems(recipe, ablations, asking=Asking())
    assert list(compared) == [
        *("whole", "records only", "raw turns only", "no_selection", "dense_only"),
        *BASELINES,
    ]
    for name, ask in compared.items():
        assert ask(told, dialogue().probes[2])[0] == "D2:1", name


def test_an_ablation_of_construction_ranks_by_records_alone(told: Told):
    ablation = RECIPES["standard"].without("eager")
    ((name, ask),) = anew(ablation, asking=Asking()).items()
    assert name == "eager, records only"
    assert ask(told, dialogue().probes[0])[0] == "D1:1"


def test_the_baselines_take_the_question_as_it_is_asked(told: Told):
    probe = Probe("Ben", frozenset(), "4")
    assert rank_by_words(told, probe) == [], "nobody says the name"
    assert set(rank_by_vectors(told, probe)) == {"D1:1", "D1:2", "D2:1"}, "every turn has some cosine"
    assert rank_by_vectors(told, Probe("你好吗", frozenset(), "4")) == [], "the embedder cannot read it"

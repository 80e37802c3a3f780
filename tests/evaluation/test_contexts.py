"""A context is looked at as a model would read it."""

from dataclasses import replace

import pytest

from evaluation.contexts import AS_IN_CHAT, FILLED, look, quoted_keys, recall_within
from evaluation.memories import Told, tell
from evaluation.recipes import RECIPES
from evaluation.systems import Asking
from evaluation.types import InContext, Probe
from tests.evaluation.telling import dialogue

RECIPE = RECIPES["standard"]
PARROT = dialogue().probes[0]


@pytest.fixture
def told(db: None) -> Told:
    return tell(dialogue(), name="bench-1")


def looked(told: Told, probe: Probe, budget: int = 1_600) -> dict[str, InContext]:
    found = look(told, "tiny", probe, RECIPE, asking=Asking(), budget_tokens=budget)
    return {each.setting: each for each in found}


def test_an_answer_turn_that_is_quoted_is_covered(told: Told):
    found = looked(told, PARROT)
    assert set(found) == {FILLED, AS_IN_CHAT}
    for each in found.values():
        assert each.is_covered
        assert 0 < each.tokens <= 1_600
        assert each.items >= 1


def test_a_budget_too_small_for_any_item_covers_nothing(told: Told):
    found = looked(told, PARROT, budget=5)[FILLED]
    assert (found.is_covered, found.tokens, found.items) == (False, 0, 0)


def test_coverage_is_unknown_where_no_answer_turn_is_named(told: Told):
    found = looked(told, replace(PARROT, evidence=frozenset(), is_answerable=False))[FILLED]
    assert found.is_covered is None
    assert not found.is_answerable


def test_a_neighbour_counts_only_while_its_text_stands_there(told: Told):
    recalled = recall_within(told, PARROT, RECIPE, asking=Asking(), budget_tokens=1_600, top_k=1)
    assert quoted_keys(told, recalled) == {"D1:1", "D1:2"}, "the turn and the reply to it"
    bare = replace(recalled, context=recalled.context.replace("Ben: Lovely!", ""))
    assert quoted_keys(told, bare) == {"D1:1"}

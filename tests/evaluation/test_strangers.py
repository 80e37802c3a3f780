"""Questions go to the next dialogue without the names of their own people."""

from dataclasses import replace

import pytest

from evaluation.memories import tell
from evaluation.recipes import RECIPES
from evaluation.strangers import put_strange_question, strange_questions
from evaluation.systems import Asking
from evaluation.types import Foreign
from tests.evaluation.telling import dialogue


def test_each_dialogue_gets_the_questions_of_the_one_before_without_names():
    one, two, three = (dialogue(name) for name in ("one", "two", "three"))
    two = replace(two, probes=two.probes[:1])
    asked = strange_questions([one, two, three])
    assert asked["two"][:2] == ("Which pet did adopt?", "Where does work?")
    assert [len(asked[name]) for name in ("one", "two", "three")] == [3, 3, 1]


def test_one_dialogue_alone_gets_none():
    assert strange_questions([dialogue()]) == {}


@pytest.mark.django_db
def test_a_strange_question_finds_nothing_and_a_known_one_something():
    told = tell(dialogue(), name="bench-1")
    recipe = RECIPES["standard"]
    strange = "Which volcano erupted during the expedition to Iceland?"
    assert put_strange_question(told, "tiny", strange, recipe, Asking()) == Foreign("tiny", strange, 0)
    known = put_strange_question(told, "tiny", "Who adopted a parrot called Kiwi?", recipe, Asking())
    assert known.items >= 1

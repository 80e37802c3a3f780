"""A sentence tells of one state of who speaks, or of none."""

import pytest

from memory.domain.fusion.states import Sense, State, doing_of, is_doer_of, is_of_one_tie, state_terms, tie_of
from memory.domain.fusion.tie_forms import DATE, HAVE, WORK
from memory.domain.text import search_terms


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("I works at the hospital as a nurse", State(Sense.HOLDS, WORK, ("hospital",))),
        ("I quit at the hospital", State(Sense.ENDED, WORK, ("hospital",))),
        ("I quit my job as a nurse", State(Sense.ENDED, WORK, ("as", "nurse"))),
        ("I no longer works for Siemens", State(Sense.DENIED, WORK, ("siemens",))),
        ("I has a dog named Biscuit", State(Sense.HOLDS, HAVE, ("dog",), "biscuit")),
        ("our dog Biscuit passed away", State(Sense.ENDED, HAVE, ("dog",), "biscuit")),
        ("I traded in the Volvo for a Skoda", State(Sense.ENDED, HAVE, ("volvo",))),
        ("Jonas and I broke up", State(Sense.ENDED, DATE, (), "jonas")),
        ("我和小李分手了", State(Sense.ENDED, DATE, (), "小李")),
        ("My phone is new", None),
        ("I would have quit my job", None),
        ("I quit my job because " + "of the hours " * 20, None),
    ],
)
def test_a_tie_is_read_with_what_it_is_to(sentence, state):
    assert tie_of(sentence) == state


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("I smokes", State(Sense.HOLDS, "smoke")),
        ("I am no longer a smoker", State(Sense.DENIED, "be", ("smoker",))),
        ("dejé de fumar", State(Sense.ENDED, "fumo")),
        ("我戒烟了", State(Sense.ENDED, "抽", ("烟",))),
        ("我戒了酒", State(Sense.ENDED, "喝", ("酒",))),
        ("我不再吸烟了", State(Sense.DENIED, "抽", ("烟",))),
        ("我戒烟", None),
    ],
)
def test_a_habit_is_read_by_its_verb(sentence, state):
    assert doing_of(sentence) == state


def test_a_smoker_smokes_and_a_runner_runs():
    smoker, runner = (State(Sense.DENIED, "be", (noun,)) for noun in ("smoker", "runner"))
    assert is_doer_of(smoker, State(Sense.HOLDS, "smoke"))
    assert is_doer_of(runner, State(Sense.HOLDS, "run"))
    assert not is_doer_of(smoker, State(Sense.HOLDS, "run"))
    assert not is_doer_of(smoker, State(Sense.HOLDS, "smoke", ("ham",)))


def test_a_name_alone_means_an_animal():
    died = State(Sense.ENDED, HAVE, (), "biscuit")
    assert is_of_one_tie(died, State(Sense.HOLDS, HAVE, ("old", "dog"), "biscuit"))
    assert not is_of_one_tie(died, State(Sense.HOLDS, HAVE, ("boat",), "biscuit"))
    assert not is_of_one_tie(died, State(Sense.HOLDS, HAVE, ("dog",)))


def test_statements_of_one_tie_are_found_without_a_word_in_common():
    broke_up, dating = State(Sense.ENDED, DATE), State(Sense.HOLDS, DATE, (), "jonas")
    assert {"date", "broke"} <= state_terms(broke_up) & state_terms(dating)
    smoker, smokes = State(Sense.DENIED, "be", ("smoker",)), State(Sense.HOLDS, "smoke")
    assert "smoke" in state_terms(smoker)
    assert "smoker" in state_terms(smokes)
    assert "烟" in state_terms(State(Sense.ENDED, "抽", ("烟",)))


def test_a_plan_is_found_by_its_own_words_alone():
    plan = tie_of("The wedding is called off")
    assert plan is not None
    assert state_terms(plan) == frozenset(search_terms("wedding"))

"""Composites by score gap, adequacy by unmatched words, fragments by strength."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.types import Adequacy, Fragment, Judgement
from memory.providers.offline_language.judging import (
    BROAD,
    MOST_RELEVANT,
    USEFUL,
    find_missing,
    judge_composites,
    quote_useful,
)


def fragments(*strengths: float, breadth: int = 2) -> list[Fragment]:
    return [Fragment(f"Text {n}.", strength, breadth) for n, strength in enumerate(strengths)]


class TestComposites:
    @pytest.mark.parametrize(
        ("strengths", "relevant"),
        [
            ((0.8, 0.7, 0.4, 0.35), (0, 1)),
            ((0.4, 0.8, 0.35), (1,)),
            ((0.5,), (0,)),
            ((0.29, 0.1), ()),
            ((), ()),
        ],
    )
    def test_before_the_widest_gap_help(self, strengths, relevant):
        assert judge_composites(fragments(*strengths)) == Judgement(relevant)

    def test_that_stand_for_many_records_are_too_abstract(self):
        listed = [*fragments(0.8, breadth=BROAD), *fragments(0.75, 0.3)]
        assert judge_composites(listed) == Judgement((0, 1), abstract=(0,))

    @given(st.lists(st.floats(0, 1), max_size=20))
    def test_a_stronger_one_never_stays_behind_a_weaker(self, strengths):
        judged = judge_composites(fragments(*strengths))
        assert len(judged.relevant) <= MOST_RELEVANT
        chosen = [strengths[place] for place in judged.relevant]
        others = [s for place, s in enumerate(strengths) if place not in judged.relevant]
        assert not chosen or not others or min(chosen) >= max(others)


class TestAdequacy:
    def test_the_words_that_nothing_holds_are_searched_together(self):
        recalled = [Fragment("Ann: Ann moved to Berlin.")]
        assert find_missing("Which dentist did Ann visit in Berlin with her poodle?", recalled) == Adequacy(
            ("dentist visit poodle",)
        )

    @pytest.mark.parametrize(
        ("question", "texts"),
        [("Where did Ann move?", ["Ann moved."]), ("Where did Ann move?", []), ("", ["Ann moved."])],
    )
    def test_of_all_words_held_or_none_nothing_is_searched(self, question, texts):
        assert find_missing(question, [Fragment(text) for text in texts]) == Adequacy()


def test_useful_fragments_are_quoted_with_their_numbers():
    made = quote_useful([Fragment("Ann sails.", USEFUL), Fragment("Tea.", 0.59), Fragment("A boat.", 0.9)])
    assert made.scores == (USEFUL, 0.59, 0.9)
    assert made.background_context == "Ann sails. [1]\nA boat. [3]"

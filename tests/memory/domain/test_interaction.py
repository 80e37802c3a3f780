"""Late interaction: what answers each word of a question, and what it does to the order."""

from dataclasses import replace
from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import EvidenceWeights
from memory.domain.interaction import (
    INTERACTION,
    SESSION,
    WINDOW,
    best_of_group,
    in_windows,
    interaction_channel,
    join_on_turns,
    token_matches,
)
from memory.domain.selection import Candidate
from memory.domain.types import Kind

QUERY = np.array([[127, 0], [0, 127]], np.int8)
BOTH = np.array([[0, 127], [127, 0], [-127, 0]], np.int8)
FIRST = np.array([[127, 0]], np.int8)
SECOND = np.array([[0, 127]], np.int8)


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def turn(score: float = 0.0, **channels: float) -> Candidate:
    turn_id = uuid4()
    return Candidate(Kind.TURN, turn_id, 0, 0, score, (turn_id,), breakdown=channels)


def record(*on: Candidate, told: float = 0.0) -> Candidate:
    evidence = tuple(each.id for each in on)
    return Candidate(Kind.RECORD, uuid4(), 0, 0, 0, evidence, breakdown={INTERACTION: told})


class TestTokenMatches:
    def test_are_the_best_cosine_of_each_query_token(self):
        assert pytest.approx(np.array([[1, 0], [1, 1]])) == token_matches(QUERY, [FIRST, BOTH]).T

    def test_are_unknown_for_a_text_without_tokens(self):
        found = token_matches(QUERY, [None, QUERY, np.empty((0, 2), np.int8)])
        assert np.isnan(found).all(axis=0).tolist() == [True, False, True]

    def test_of_an_empty_query_have_no_rows(self):
        assert token_matches(np.empty((0, 2), np.int8), [QUERY]).shape == (0, 1)


class TestWindows:
    def test_answer_each_token_by_whichever_text_does_best(self):
        matches = token_matches(QUERY, [FIRST, SECOND, None])
        found = in_windows(matches, [[0], [0, 1], [0, 1, 2], [2], []])
        assert found.T[:3] == pytest.approx(np.array([[1, 0], [1, 1], [1, 1]]))
        assert np.isnan(found.T[3:]).all()

    @given(st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=6))
    def test_never_answer_worse_than_one_of_their_texts(self, near: list[list[int]]):
        matches = np.random.default_rng(1).uniform(-1, 1, (3, 4)).astype(np.float32)
        found = in_windows(matches, near)
        for window, places in enumerate(near):
            assert all((found[:, window] >= matches[:, place]).all() for place in places)


class TestChannel:
    def test_stretches_over_the_unit_interval_and_gives_the_unknown_the_mean(self):
        matches = np.array([[0.5, np.nan, 0.7, 0.6]], np.float32)
        assert interaction_channel(matches, floats(0, 0, 0, 0)).tolist() == pytest.approx([0, 0.5, 1, 0.5])

    def test_judges_the_unknown_by_what_stands_in_where_that_is_more(self):
        matches = np.array([[0.5, np.nan, 0.7]], np.float32)
        assert interaction_channel(matches, floats(1, 0.9, 1)).tolist() == pytest.approx([0, 0.9, 1])

    def test_of_nothing_known_is_what_stands_in(self):
        nothing = np.full((2, 2), np.nan, np.float32)
        assert interaction_channel(nothing, floats(0.25, 0)).tolist() == [0.25, 0]
        assert interaction_channel(np.empty((0, 2), np.float32), floats(0, 0)).tolist() == [0, 0]

    def test_of_a_session_is_that_of_its_best(self):
        assert best_of_group(floats(0.25, 0.5, 0.75), ["a", "b", "a"]).tolist() == [0.75, 0.5, 0.75]


class TestJoining:
    WEIGHTS = EvidenceWeights()

    def order(self, records: list[Candidate], turns: list[Candidate]) -> list[UUID]:
        return [each.id for each in join_on_turns(records, turns, self.WEIGHTS)]

    def test_a_record_lifts_the_turn_it_rests_on_and_comes_before_it(self):
        plain, told = turn(1.0), turn(1.0)
        rests = record(told, told=1.0)
        assert self.order([rests], [plain, told]) == [rests.id, told.id, plain.id]

    def test_a_turn_on_which_no_record_rests_is_worded_by_itself(self):
        filed, unfiled = turn(1.0, **{INTERACTION: 0.9}), turn(1.0, **{INTERACTION: 0.5})
        rests = record(filed, told=0.4)
        assert self.order([rests], [filed, unfiled]) == [unfiled.id, rests.id, filed.id]

    def test_a_record_stands_on_the_best_of_its_turns_which_is_named_first(self):
        weak, strong = turn(0.1), turn(2.0)
        rests = record(weak, strong)
        (first, *_) = join_on_turns([rests], [weak, strong], self.WEIGHTS)
        assert first.evidence == (strong.id, weak.id)

    def test_the_window_and_the_session_count_for_a_turn(self):
        alone = turn(1.0)
        near = turn(1.0, **{WINDOW: 0.5})
        within = turn(1.0, **{SESSION: 0.5})
        assert self.order([], [alone, within, near]) == [near.id, within.id, alone.id]

    def test_a_record_whose_turns_are_not_in_the_running_stands_where_the_last_turn_does(self):
        high, low = turn(2.0), turn(1.0)
        far = record(turn(9.0), told=0.1)
        assert self.order([far], [high, low]) == [high.id, far.id, low.id]

    def test_a_record_of_the_time_that_is_asked_for_stands_on_it_though_its_turn_is_of_another(self):
        then, later = turn(0.5, in_time=1.0), turn(1.0, in_time=0.0)
        own = record(later)
        of_then = replace(own, breakdown={**own.breakdown, "in_time": 1.0})
        assert self.order([own], [then, later]) == [then.id, own.id, later.id]
        assert self.order([of_then], [then, later]) == [of_then.id, then.id, later.id]
        twice = record(then)
        as_its_turn = replace(twice, breakdown={**twice.breakdown, "in_time": 1.0})
        scores = [join_on_turns([each], [then], self.WEIGHTS)[0].score for each in (twice, as_its_turn)]
        assert scores[0] == scores[1], "it does not count twice"
        of_year = replace(own, breakdown={**own.breakdown, "in_time": 0.5})
        assert self.order([of_year], [then, later]) == [then.id, own.id, later.id]

    @given(st.lists(st.floats(-2, 2), max_size=8), st.lists(st.floats(0, 1), max_size=8))
    def test_scores_run_from_one_to_zero_and_nothing_is_lost(self, own: list[float], told: list[float]):
        turns = [turn(score) for score in own]
        records = [record(*turns[place : place + 2], told=value) for place, value in enumerate(told)]
        joined = join_on_turns(records, turns, self.WEIGHTS)
        assert {each.id for each in joined} == {each.id for each in (*turns, *records)}
        scores = [each.score for each in joined]
        assert scores == sorted(scores, reverse=True)
        assert not scores or (scores[0] == 1.0 and scores[-1] >= 0.0)

    @given(st.integers(0, 100), st.integers(0, 100))
    def test_a_record_that_answers_better_never_comes_later(self, first: int, second: int):
        on = turn(1.0)
        better, worse = record(on, told=max(first, second) / 100), record(on, told=min(first, second) / 100)
        order = self.order([worse, better], [on])
        assert first == second or order.index(better.id) <= order.index(worse.id)

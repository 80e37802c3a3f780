"""The border law, term by term and as a whole."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.config import IngestConfig
from memory.domain.segmentation import (
    Exchange,
    SegmentState,
    decide,
    extend,
    group_exchanges,
    is_full,
    is_idle,
    length_pressure,
    make_exchange,
    measure_surprise,
    robust_z,
    split_text,
    split_turns,
    turn_pressure,
)
from memory.domain.types import Role, Turn

CONFIG = IngestConfig()
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SAILING = np.array([1, 0, 0, 0], np.float32)
COOKING = np.array([0, 1, 0, 0], np.float32)


def count_words(text: str) -> int:
    return len(text.split())


def turn(
    index: int, text: str = "hello there", role: Role = Role.USER, speaker: str = "Alice", tokens: int = 0
):
    return Turn(
        id=UUID(int=index),
        space_id=UUID(int=1),
        private_to=None,
        session_id=UUID(int=2),
        session_name="s",
        index=index,
        role=role,
        speaker=speaker,
        text=text,
        said_at=NOON + timedelta(seconds=index),
        tokens=tokens or count_words(text),
    )


def exchange(vector=SAILING, *, tokens=100, at=NOON, terms=("sail",)) -> Exchange:
    return Exchange(tokens=tokens, started_at=at, ended_at=at, vector=vector, terms=frozenset(terms))


def grown(count: int, *, tokens: int = 100, vector=SAILING, terms=("sail",)) -> SegmentState:
    state = SegmentState()
    for _ in range(count):
        one = exchange(vector, tokens=tokens, terms=terms)
        state = extend(state, one, decide(SegmentState(), one, CONFIG), CONFIG)
    return state


class TestPressures:
    @pytest.mark.parametrize(
        ("tokens", "pressure"),
        [(0, -1.3), (699, -1.3), (700, -0.8), (850, -0.4), (1000, 0.45), (1250, 1.175), (1500, 1.9),
         (1750, 2.35), (2000, 3.0), (9000, 3.0)],
    )  # fmt: skip
    def test_length_presses_piecewise(self, tokens, pressure):
        assert length_pressure(tokens, CONFIG) == pytest.approx(pressure)

    @given(st.integers(0, 3000), st.integers(0, 500))
    def test_a_longer_segment_never_presses_less(self, tokens, more):
        assert length_pressure(tokens + more, CONFIG) >= length_pressure(tokens, CONFIG)

    @pytest.mark.parametrize(
        ("exchanges", "pressure"),
        [(1, -0.85), (2, -0.15), (3, 0.15), (4, 0.30), (5, 0.45), (8, 0.9), (20, 1.0)],
    )
    def test_turns_press_up_to_one(self, exchanges, pressure):
        assert turn_pressure(exchanges, CONFIG) == pytest.approx(pressure)


class TestSurprise:
    def test_the_same_topic_surprises_nobody(self):
        assert measure_surprise(grown(3), exchange()) == pytest.approx(0, abs=1e-6)

    def test_an_orthogonal_topic_surprises_wholly(self):
        assert measure_surprise(grown(3), exchange(COOKING)) == pytest.approx(1.0)

    def test_a_return_to_the_last_two_exchanges_surprises_less_than_the_centroid_says(self):
        state = replace(grown(8), vectors=(*[SAILING] * 8, COOKING, COOKING))
        assert measure_surprise(state, exchange(COOKING)) == pytest.approx(0, abs=1e-6)

    def test_without_vectors_there_is_none(self):
        assert measure_surprise(grown(2, vector=None), exchange()) is None
        assert measure_surprise(grown(2), exchange(None)) is None

    def test_the_robust_z_waits_for_five_surprises(self):
        assert robust_z(0.9, [0.1, 0.2, 0.1, 0.2], CONFIG) == 0
        assert robust_z(0.9, [0.1, 0.2, 0.1, 0.2, 0.15], CONFIG) == 4.0

    def test_the_robust_z_is_the_distance_in_deviations(self):
        history = [0.1, 0.2, 0.3, 0.4, 0.5]  # median 0.3, MAD 0.1
        assert robust_z(0.44826, history, CONFIG) == pytest.approx(1.0)
        assert robust_z(-9, history, CONFIG) == -2.0

    def test_only_the_last_surprises_count(self):
        old, new = [0.9] * 64, [0.1, 0.2, 0.3] * 22
        assert robust_z(0.25, old + new, CONFIG) == robust_z(0.25, new, CONFIG)


class TestDecide:
    def test_an_empty_segment_never_closes(self):
        assert not decide(SegmentState(), exchange(tokens=9000), CONFIG).is_boundary

    def test_the_score_is_the_formula(self):
        state = replace(grown(2, tokens=600), surprises=(0.1, 0.2, 0.3, 0.4, 0.5))
        decision = decide(state, exchange(COOKING), CONFIG)
        # surprise 1 -> absolute min(2.5, 0.8 / 0.14), robust 4; the mean cosine falls
        # from 1 to mean(2, 2, 1) / sqrt(5) = 0.745, a drop of 0.255 -> ceiling 2.5.
        length = 0.45 + 1.45 * 200 / 500
        score = 0.65 * 2.5 + 0.45 * 2.5 + 0.90 * length + 0.30 * -0.15
        assert decision.probability == pytest.approx(1 / (1 + math.exp(1.10 - score)))
        assert decision.is_boundary
        assert decision.reason == "topic"
        assert set(decision.parts) == {"surprise", "cohesion", "length", "turns"}

    def test_a_short_segment_on_the_same_topic_stays_open(self):
        decision = decide(grown(3), exchange(), CONFIG)
        assert not decision.is_boundary
        assert decision.reason == ""

    def test_the_target_closes_whatever_the_topic(self):
        assert decide(grown(3, tokens=500), exchange(), CONFIG).reason == "target"

    def test_the_cap_is_never_passed(self):
        assert decide(grown(1, tokens=1400), exchange(tokens=700), CONFIG).reason == "cap"

    def test_ten_idle_minutes_close(self):
        late = exchange(at=NOON + timedelta(minutes=10))
        assert decide(grown(1), late, CONFIG).reason == "idle"
        assert not decide(grown(1), exchange(at=NOON + timedelta(minutes=9)), CONFIG).is_boundary

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_more_surprise_never_makes_a_border_less_likely(self, one, other):
        less, more = sorted((one, other))
        state = grown(3, tokens=300)
        near, far = (exchange(_at(cosine)) for cosine in (1 - less, 1 - more))
        assert decide(state, far, CONFIG).probability >= decide(state, near, CONFIG).probability - 1e-6

    def test_without_vectors_shared_words_hold_a_segment_together(self):
        state = grown(4, tokens=260, vector=None)
        same = decide(state, exchange(None, terms=("sail",)), CONFIG)
        other = decide(state, exchange(None, terms=("bread", "oven")), CONFIG)
        assert same.probability < other.probability
        assert other.is_boundary
        assert not same.is_boundary
        assert other.surprise is None


def _at(cosine: float):
    return np.array([cosine, math.sqrt(max(0.0, 1 - cosine**2)), 0, 0], np.float32)


class TestExtend:
    def test_the_open_segment_grows(self):
        state = grown(2)
        assert (state.tokens, state.exchanges, len(state.vectors)) == (200, 2, 2)

    def test_a_border_starts_anew_but_keeps_the_surprises(self):
        state = replace(grown(5, tokens=350), surprises=(0.1,))
        new = exchange(COOKING)
        decision = decide(state, new, CONFIG)
        after = extend(state, new, decision, CONFIG)
        assert decision.is_boundary
        assert (after.tokens, after.exchanges) == (100, 1)
        assert after.surprises == (0.1, decision.surprise)

    def test_surprises_are_forgotten_beyond_the_history(self):
        state = replace(grown(1), surprises=tuple([0.5] * 64))
        after = extend(state, exchange(), decide(state, exchange(), CONFIG), CONFIG)
        assert len(after.surprises) == 64

    @settings(max_examples=50)
    @given(st.lists(st.tuples(st.integers(1, 2000), st.floats(0, 1)), max_size=40))
    def test_no_segment_of_fitting_exchanges_passes_the_cap(self, arrivals):
        state = SegmentState()
        for tokens, cosine in arrivals:
            one = exchange(_at(cosine), tokens=tokens)
            state = extend(state, one, decide(state, one, CONFIG), CONFIG)
            assert state.tokens <= CONFIG.cap_tokens

    def test_a_window_of_so_many_exchanges_is_full_whatever_its_tokens(self):
        window = replace(CONFIG, max_exchanges=3)
        assert not is_full(grown(2), window)
        assert is_full(grown(3), window)
        assert not is_full(grown(3), CONFIG)

    def test_an_eager_segment_is_full_at_once(self):
        eager = replace(CONFIG, is_eager=True)
        assert is_full(grown(1), eager)
        assert decide(grown(1), exchange(), eager).is_boundary

    def test_full_and_idle_are_asked_without_an_arrival(self):
        assert is_full(grown(3, tokens=500), CONFIG)
        assert not is_full(grown(1), CONFIG)
        assert is_idle(grown(1), NOON + timedelta(minutes=11), CONFIG)
        assert not is_idle(SegmentState(), NOON, CONFIG)


class TestExchanges:
    def test_an_answer_and_its_tools_belong_to_the_question(self):
        roles = (Role.USER, Role.TOOL, Role.ASSISTANT, Role.USER, Role.ASSISTANT)
        turns = [turn(i, role=role) for i, role in enumerate(roles)]
        assert [len(e) for e in group_exchanges(turns)] == [3, 2]

    def test_between_people_a_turn_and_its_reply_are_one(self):
        turns = [turn(i, speaker=("Ann", "Bob")[i % 2]) for i in range(5)]
        assert [len(e) for e in group_exchanges(turns)] == [2, 2, 1]

    def test_a_person_who_goes_on_speaks_anew(self):
        assert [len(e) for e in group_exchanges([turn(0), turn(1)])] == [1, 1]

    def test_what_precedes_the_first_person_waits_for_them(self):
        assert [len(e) for e in group_exchanges([turn(0, role=Role.SYSTEM), turn(1)])] == [2]

    def test_no_turns_make_no_exchange(self):
        assert group_exchanges([]) == []

    def test_an_exchange_is_the_mean_of_its_turns(self):
        one = make_exchange(
            [turn(0, "Sailing boats", tokens=5), turn(1, "cooking", tokens=7)], [SAILING, COOKING]
        )
        assert one.tokens == 12
        assert one.vector == pytest.approx(np.array([1, 1, 0, 0]) / math.sqrt(2))
        assert "boat" in one.terms
        assert (one.started_at, one.ended_at) == (NOON, NOON + timedelta(seconds=1))

    def test_turns_without_vectors_make_an_exchange_without_one(self):
        assert make_exchange([turn(0)], [None]).vector is None


class TestSplitting:
    def test_a_fitting_text_stays_whole(self):
        assert split_text("One. Two.", count_words, limit_tokens=5) == ["One. Two."]

    def test_an_oversized_text_is_cut_at_sentences(self):
        text = "One two three. Four five six. Seven eight."
        assert split_text(text, count_words, limit_tokens=6) == [
            "One two three. Four five six.",
            "Seven eight.",
        ]

    @settings(max_examples=60)
    @given(st.text(alphabet="ab .!\n。字", max_size=300), st.integers(1, 9))
    def test_pieces_fit_and_lose_no_letter(self, text, limit):
        pieces = split_text(text, len, limit_tokens=limit)
        assert all(len(piece) <= limit for piece in pieces)
        assert "".join("".join(pieces).split()) == "".join(text.split())

    def test_pieces_of_a_turn_keep_its_index_and_id(self):
        long = turn(7, "One two three. Four five six. Seven eight nine.")
        runs = split_turns([turn(6, "hi"), long], count_words, limit_tokens=4)
        assert [[t.index for t in run] for run in runs] == [[6, 7], [7], [7]]
        assert {t.id for run in runs for t in run} == {UUID(int=6), UUID(int=7)}

    def test_a_letter_that_no_limit_can_fit_stays(self):
        assert split_text("a", lambda _: 5, limit_tokens=1) == ["a"]

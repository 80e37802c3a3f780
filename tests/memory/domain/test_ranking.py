"""Channels into one order: by hand, and for any columns."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import RecordWeights, TurnWeights
from memory.domain.ranking import (
    Candidates,
    Scored,
    extend,
    length_share,
    merge_channels,
    score_records,
    score_turns,
    take,
    weigh,
)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def candidates(
    *, sessions: list[int], positions: list[int], cosines: list[float], bm25: list[float]
) -> Candidates:
    count = len(sessions)
    return Candidates(
        np.arange(count, dtype=np.int64),
        ints(*sessions),
        ints(*positions),
        floats(*cosines),
        floats(*bm25),
        np.zeros(count, np.float32),
    )


@pytest.mark.parametrize(
    ("score", "weights"), [(score_turns, TurnWeights()), (score_records, RecordWeights())]
)
def test_what_awaits_its_vector_counts_by_its_words(score, weights) -> None:
    told = candidates(sessions=[1, 2], positions=[0, 0], cosines=[0.0, 0.4], bm25=[3.0, 0.0])
    told = replace(told, matched_share=floats(1.0, 0.0))
    assert score(told, weights).channels["dense"].tolist() == [0.0, 1.0]
    waiting = score(replace(told, awaiting=ints(0)), weights)
    assert waiting.channels["dense"].tolist() == [1.0, 1.0]
    assert waiting.best(1).tolist() == [0]


@st.composite
def any_candidates(draw: st.DrawFn) -> Candidates:
    count = draw(st.integers(0, 25))
    unit = st.floats(-1, 1, width=32)
    places = sorted(
        draw(
            st.lists(
                st.tuples(st.integers(0, 3), st.integers(0, 40)),
                min_size=count,
                max_size=count,
                unique=True,
            )
        )
    )
    return candidates(
        sessions=[session for session, _ in places],
        positions=[position for _, position in places],
        cosines=draw(st.lists(unit, min_size=count, max_size=count)),
        bm25=draw(st.lists(st.floats(0, 30, width=32), min_size=count, max_size=count)),
    )


class TestMergingChannels:
    def test_puts_what_either_index_found_side_by_side_in_conversation_order(self):
        merged = merge_channels(
            (ints(7, 3, 9), ints(1, 1, 0), ints(5, 4, 0)),
            floats(0.5, 0.25),
            (ints(9, 3), floats(2.0, 1.0), floats(1.0, 0.5)),
        )
        assert merged.items.tolist() == [9, 3, 7]
        assert merged.positions.tolist() == [0, 4, 5]
        assert merged.cosines.tolist() == [0, 0.25, 0.5]
        assert merged.bm25.tolist() == [2, 1, 0]
        assert merged.matched_share.tolist() == [1, 0.5, 0]

    def test_of_nothing_is_nothing(self):
        empty = ints()
        merged = merge_channels((empty, empty, empty), floats(), (empty, floats(), floats()))
        assert len(merged) == 0
        assert score_turns(merged, TurnWeights()).best(10).tolist() == []
        assert score_records(merged, RecordWeights()).total.tolist() == []


class TestScoringTurns:
    def test_lifts_the_answer_that_follows_a_matching_question(self):
        scored = score_turns(
            candidates(
                sessions=[0, 0, 1],
                positions=[0, 1, 7],
                cosines=[0.1, 0.1, 0.1],
                bm25=[4.0, 0.0, 0.0],
            ),
            TurnWeights(),
        )
        assert scored.channels["previous_bm25"].tolist() == [0, 1, 0]
        assert scored.total[1] > scored.total[2]

    def test_knows_no_neighbour_across_a_session_or_a_gap(self):
        scored = score_turns(
            candidates(sessions=[0, 1, 1], positions=[0, 1, 3], cosines=[1, 0, 0], bm25=[1, 0, 0]),
            TurnWeights(),
        )
        for name in ("previous_bm25", "neighbour_dense"):
            assert scored.channels[name].tolist() == [0, 0, 0]

    def test_lifts_every_turn_of_the_session_that_speaks_of_it(self):
        scored = score_turns(
            candidates(
                sessions=[0, 0, 1, 1],
                positions=[0, 9, 0, 9],
                cosines=[0.2] * 4,
                bm25=[3.0, 0.0, 1.0, 0.0],
            ),
            TurnWeights(),
        )
        by_session = scored.channels["session_bm25"]
        assert by_session[1] == pytest.approx(1)
        assert by_session[3] == pytest.approx(1 / 3)
        assert scored.total[1] > scored.total[3]

    def test_takes_the_mean_of_a_sessions_three_best(self):
        scored = score_turns(
            candidates(
                sessions=[0, 0, 0, 0, 1],
                positions=[0, 2, 4, 6, 0],
                cosines=[1.0, 0.5, 0.25, 0.25, 1.0],
                bm25=[0.0] * 5,
            ),
            TurnWeights(),
        )
        assert scored.channels["session_dense"].tolist() == pytest.approx([7 / 12] * 4 + [1 / 3])

    @given(any_candidates())
    def test_keeps_every_channel_in_the_unit_interval(self, found):
        for name, values in score_turns(found, TurnWeights()).channels.items():
            assert ((values >= 0) & (values <= 1 + 1e-5)).all(), name

    @given(any_candidates(), st.randoms(use_true_random=False))
    def test_does_not_depend_on_the_order_in_which_the_indexes_answer(self, found, random):
        places = list(range(len(found)))
        random.shuffle(places)
        hits = np.flatnonzero(found.bm25)
        merged = merge_channels(
            (
                np.concatenate([found.items[places], found.items[hits]]),
                np.concatenate([found.sessions[places], found.sessions[hits]]),
                np.concatenate([found.positions[places], found.positions[hits]]),
            ),
            found.cosines[places],
            (found.items[hits], found.bm25[hits], found.matched_share[hits]),
        )
        expected = score_turns(found, TurnWeights())
        assert np.allclose(score_turns(merged, TurnWeights()).total, expected.total, atol=1e-5)

    @given(any_candidates())
    def test_never_ranks_an_item_lower_for_a_better_cosine(self, found):
        if not len(found) or found.cosines.max() <= 0:
            return
        before = score_turns(found, TurnWeights()).total
        place = int(np.argmin(before))
        better = found.cosines.copy()
        better[place] = found.cosines.max()
        raised = Candidates(
            found.items, found.sessions, found.positions, better, found.bm25, found.matched_share
        )
        assert score_turns(raised, TurnWeights()).total[place] >= before[place] - 1e-5


class TestScoringRecords:
    def test_counts_meaning_words_and_the_session(self):
        scored = score_records(
            candidates(sessions=[0, 0, 1], positions=[0, 1, 0], cosines=[0.8, 0.4, 0.4], bm25=[2.0, 0, 0]),
            RecordWeights(),
        )
        assert scored.best(3).tolist() == [0, 1, 2]
        assert scored.channels["session_bm25"].tolist() == [1, 1, 0]


class TestScores:
    def test_best_are_in_order_and_of_equals_the_earlier_first(self):
        scored = Scored(floats(1, 3, 2, 3, 0), {})
        assert scored.best(3).tolist() == [1, 3, 2]
        assert scored.best(99).tolist() == [1, 3, 2, 0, 4]

    def test_extending_adds_named_channels_under_their_weights(self):
        weights = RecordWeights(subject=0.5)
        scored = extend(weigh({"dense": floats(1, 0)}, weights), {"subject": floats(0, 1)}, weights)
        assert scored.total.tolist() == [1, 0.5]
        assert list(scored.channels) == ["dense", "subject"]

    def test_taking_reorders_every_column(self):
        taken = take(Scored(floats(1, 2, 3), {"dense": floats(4, 5, 6)}), np.array([2, 0]))
        assert taken.total.tolist() == [3, 1]
        assert taken.channels["dense"].tolist() == [6, 4]


def test_length_share_saturates():
    assert length_share([0, 4, 20, 900], full=20).tolist() == pytest.approx([0, 0.5287, 1, 1], abs=1e-3)

"""The window: what stays, what gives way first, and that it never passes the budget."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.types import Role, Turn
from sessions_app.config import WindowConfig
from sessions_app.domain.window import cut_window, excerpt

SPACE, SESSION = uuid4(), uuid4()
CONFIG = WindowConfig(max_tokens=300, output_reserve_tokens=60, recall_reserve_tokens=40, min_recent_turns=3)
assert CONFIG.budget_tokens == 200


def count(text: str) -> int:
    return len(text.split())


def make(*sizes: int, roles: str = "") -> list[Turn]:
    """Turns of so many tokens: a word each, and 4 for the turn."""
    names = {"u": Role.USER, "a": Role.ASSISTANT, "s": Role.SYSTEM}
    return [
        Turn(
            id=uuid4(),
            space_id=SPACE,
            private_to=None,
            session_id=SESSION,
            session_name="plans",
            index=i,
            role=names[roles[i]] if roles else Role.USER,
            speaker="Alice",
            text=" ".join(f"w{i}.{j}" for j in range(size - 4)),
            said_at=datetime(2026, 3, 1, tzinfo=UTC),
            tokens=size,
        )
        for i, size in enumerate(sizes)
    ]


def window(turns: list[Turn], config: WindowConfig = CONFIG):
    return cut_window(
        turns,
        session_turns=len(turns),
        session_tokens=sum(turn.tokens for turn in turns),
        config=config,
        count=count,
    )


def test_a_session_within_the_budget_is_whole():
    turns = make(50, 50, 50, 50)
    cut = window(turns)
    assert cut.recent == tuple(turns)
    assert (cut.tokens, cut.session_tokens, cut.left_out, cut.note) == (200, 200, 0, "")
    assert cut.pressure == 1.0


def test_the_newest_turns_that_fit_stay_byte_for_byte():
    turns = make(50, 60, 60, 70, 20)
    cut = window(turns)
    assert cut.recent == tuple(turns[2:])
    assert cut.left_out == 2
    assert "2 oldest turns" in cut.note
    assert cut.pressure == 1.3


def test_no_older_turn_slips_in_behind_one_that_did_not_fit():
    turns = make(5, 150, 60, 20)
    assert window(turns).recent == tuple(turns[2:])


def test_system_texts_and_the_question_stay_whatever_their_age():
    turns = make(40, 90, 90, 60, 50, roles="suuau")
    assert window(turns).recent == (turns[0], turns[3], turns[4])


def test_an_oversized_recent_turn_is_excerpted_head_and_tail():
    turns = make(20, 1_000, 30, 20)
    cut = window(turns)
    first, *rest = cut.recent
    assert tuple(rest) == tuple(turns[2:])
    assert first.id == turns[1].id
    assert first.text.startswith("w1.0 ")
    assert first.text.endswith("w1.995")
    assert "characters left out" in first.text
    assert cut.tokens <= 200
    assert cut.left_out == 1
    assert "shortened" in cut.note


def test_an_oversized_turn_that_is_not_recent_just_stays_out():
    turns = make(1_000, 20, 20, 20, 20)
    assert window(turns).recent == tuple(turns[1:])


def test_a_question_larger_than_the_budget_is_excerpted():
    turns = make(20, 1_000)
    cut = window(turns)
    assert cut.recent[-1].id == turns[1].id
    assert cut.recent[-1].tokens <= 200
    assert "shortened" in cut.note


def test_a_system_text_larger_than_the_budget_leaves_room_for_the_question():
    turns = make(5_000, 30, 40, roles="sau")
    cut = window(turns)
    assert cut.recent[-1] == turns[2]
    assert cut.recent[0].id == turns[0].id
    assert cut.tokens <= 200


def test_an_excerpt_that_cannot_fit_is_none():
    (turn,) = make(1_000)
    assert excerpt(turn, allowed_tokens=10, count=count, config=CONFIG) is None


def test_turns_left_out_are_counted_over_the_whole_session():
    turns = make(50, 50)
    cut = cut_window(turns, session_turns=9_000, session_tokens=400_000, config=CONFIG, count=count)
    assert cut.left_out == 8_998
    assert cut.session_tokens == 400_000


def test_a_text_without_spaces_is_excerpted_too():
    (turn,) = make(1_000)
    run = replace(turn, text="x" * 4_000, tokens=1_004)
    cut = excerpt(run, allowed_tokens=100, count=lambda text: len(text) // 4, config=CONFIG)
    assert cut is not None
    assert cut.tokens <= 100
    assert cut.text.startswith("xxx")


@pytest.mark.parametrize("min_recent", [0, 3, 8])
@given(sizes=st.lists(st.integers(5, 400), min_size=1, max_size=12))
def test_the_window_never_passes_the_budget_and_keeps_order(min_recent, sizes):
    config = replace(CONFIG, min_recent_turns=min_recent)
    turns = make(*sizes)
    cut = window(turns, config)
    assert cut.tokens <= config.budget_tokens
    assert [turn.index for turn in cut.recent] == sorted({turn.index for turn in cut.recent})
    assert cut.recent[-1].id == turns[-1].id
    assert cut.left_out == len(turns) - len(cut.recent)
    indexes = [turn.index for turn in cut.recent]
    assert indexes == list(range(indexes[0], len(turns)))  # contiguous up to the question

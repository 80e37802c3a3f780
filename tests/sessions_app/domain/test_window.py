"""The window: what stays, what gives way first, and that it never passes the budget."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.prompts import has_several_people, spoken_text
from memory.domain.summaries import Summary
from memory.domain.types import Role, Turn
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Anchor
from sessions_app.domain.window import cut_window, excerpt

SPACE, SESSION = uuid4(), uuid4()
CONFIG = WindowConfig(max_tokens=400, min_recent_turns=3)  # its reserves take half
assert CONFIG.budget_tokens == 200


def count(text: str) -> int:
    return len(text.split())


def make(*sizes: int, roles: str = "") -> list[Turn]:
    """Turns of so many tokens: a word each, and 4 for the turn."""
    names = {"u": Role.USER, "a": Role.ASSISTANT, "s": Role.SYSTEM, "t": Role.TOOL}
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


def window(turns: list[Turn], config: WindowConfig = CONFIG, **more):
    return cut_window(
        turns,
        session_turns=len(turns),
        session_tokens=sum(turn.tokens for turn in turns),
        config=config,
        count=count,
        **more,
    )


def anchor(tokens: int = 30, *, end: int = 9, covered: int = 400) -> Anchor:
    """A summary of the nine turns before those that are given."""
    return Anchor(
        id=uuid4(),
        first_turn=0,
        end_turn=end,
        summary=Summary(facts=("Rose sails.",)),
        tokens=tokens,
        covered_tokens=covered,
        covered_turns=end,
        made_by="offline",
        made_at=datetime(2026, 3, 1, tzinfo=UTC),
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
    assert "2 turns at its beginning were left out." in cut.note
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


def summarised(turns: list[Turn], made: Anchor, *, is_asked: bool = True):
    """The window of turns that come after those that the summary stands for."""
    later = [replace(turn, index=turn.index + made.end_turn) for turn in turns]
    return cut_window(
        later,
        session_turns=len(later),
        session_tokens=sum(turn.tokens for turn in later) + made.covered_tokens,
        config=CONFIG,
        count=count,
        anchor=made,
        is_asked=is_asked,
    )


def test_a_summary_stands_before_the_turns_and_takes_its_tokens():
    made = anchor(30)
    cut = summarised(make(50, 50, 40), made)
    assert cut.summaries == (made,)
    assert [turn.index for turn in cut.recent] == [9, 10, 11]
    assert (cut.tokens, cut.summary_tokens, cut.used_tokens, cut.session_tokens) == (170, 30, 170, 540)
    assert (cut.pressure, cut.left_out, cut.summarised_turns, cut.note) == (0.85, 0, 9, "")


def test_turns_between_the_summary_and_those_that_fit_are_left_out_and_said_to_be():
    cut = summarised(make(100, 90, 60), anchor(30))
    assert [turn.index for turn in cut.recent] == [10, 11]
    assert (cut.left_out, cut.tokens) == (1, 180)
    assert "1 turn after its summary was left out." in cut.note


def test_a_summary_that_does_not_fit_beside_the_question_gives_way():
    cut = summarised(make(190), anchor(30))
    assert cut.summaries == ()
    assert (cut.left_out, cut.summary_tokens) == (9, 0)
    assert "9 turns at its beginning were left out." in cut.note


def test_between_questions_the_last_turn_is_one_like_others():
    assert window(make(50, 140, 50), is_asked=False).left_out == 1
    (shortened,) = window(make(20, 1_000), is_asked=False).recent
    assert "characters left out" in shortened.text
    assert window([], is_asked=False).recent == ()


@pytest.mark.parametrize(
    ("used", "level"), [(139, ""), (140, "warn"), (179, "warn"), (180, "block"), (500, "block")]
)
def test_the_lines_are_at_seven_and_nine_tenths(used, level):
    cut = window(make(used), replace(CONFIG, min_recent_turns=0))
    assert cut.level == level
    assert (cut.warn_tokens, cut.block_tokens) == (140, 180)


def test_the_reserves_take_at_most_half_and_shrink_alike():
    whole, small = WindowConfig(), WindowConfig(max_tokens=8_000)
    assert (whole.budget_tokens, whole.recall_tokens) == (115_500, 2_000)
    assert (small.budget_tokens, small.recall_tokens) == (4_000, 640)
    assert WindowConfig(max_tokens=0).budget_tokens == 1


def taken(turns: Sequence[Turn]) -> int:
    """What the turns take in a prompt, by its own words."""
    is_shared = has_several_people(turns)
    return sum(count(spoken_text(turn, is_shared=is_shared)) + 4 for turn in turns)


@given(sizes=st.lists(st.integers(5, 60), min_size=1, max_size=40), broken=st.booleans())
def test_the_fences_of_tools_results_count_too(sizes, broken):
    turns = make(*sizes, 10, roles="t" * len(sizes) + "u")
    if broken:
        turns = [replace(turn, text=turn.text.replace(" ", "\n")) for turn in turns]
    cut = window(turns)
    assert taken(cut.recent) <= cut.tokens <= CONFIG.budget_tokens


def test_the_names_of_several_people_count_too():
    turns = make(*[5] * 30, 10)
    names = ("Ann of the very long house by the sea", "Bo of the small one")
    turns = [replace(turn, speaker=names[turn.index % 2]) for turn in turns]
    cut = window(turns)
    assert cut.left_out > 0
    assert taken(cut.recent[:-1]) + 10 <= cut.tokens <= CONFIG.budget_tokens


def test_an_oversized_tools_result_is_excerpted_within_its_fence():
    turns = make(1_000, 10, roles="tu")
    cut = window(turns)
    assert "characters left out" in cut.recent[0].text
    assert taken(cut.recent) <= cut.tokens <= CONFIG.budget_tokens


@given(
    sizes=st.lists(st.integers(5, 400), min_size=1, max_size=12),
    own=st.integers(1, 60),
    roles=st.text(st.sampled_from("uas"), min_size=12, max_size=12),
)
def test_with_a_summary_too_it_keeps_the_budget_and_counts_every_turn(sizes, own, roles):
    turns = make(*sizes, roles=roles[: len(sizes) - 1] + "u")
    cut = summarised(turns, anchor(own))
    assert cut.tokens <= CONFIG.budget_tokens
    assert cut.tokens == cut.summary_tokens + sum(turn.tokens for turn in cut.recent)
    assert cut.left_out + len(cut.recent) + cut.summarised_turns == len(turns) + 9
    originals = {turn.id: turn.text for turn in turns}
    assert all(turn.text == originals[turn.id] or "left out" in turn.text for turn in cut.recent)


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

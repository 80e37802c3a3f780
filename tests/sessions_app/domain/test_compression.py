"""When to summarise, and which turns: lines, hysteresis, what stays, what one call reaches."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.types import Role
from sessions_app.config import WindowConfig
from sessions_app.domain.compression import (
    Attempt,
    Size,
    TurnRange,
    choose_range,
    is_due,
    readable,
    verbatim_from,
)
from tests.sessions_app.domain.test_window import count, make

# A budget of 1,000: warn at 700, block at 900, a step of 100, 300 stay verbatim.
CONFIG = WindowConfig(max_tokens=2_000, min_recent_turns=2, header_tokens=0)
assert (CONFIG.budget_tokens, CONFIG.warn_tokens, CONFIG.block_tokens, CONFIG.step_tokens) == (
    1_000,
    700,
    900,
    100,
)
ROLES = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL}


def sizes(*tokens: int, roles: str = "") -> list[Size]:
    names = roles or ("ua" * len(tokens))[: len(tokens)]
    return [Size(index, ROLES[names[index]], size) for index, size in enumerate(tokens)]


def border(turns: list[Size], config: WindowConfig = CONFIG) -> int:
    return verbatim_from(reversed(turns), end=len(turns), config=config)


def chosen(turns: list[Size], *, first: int = 0, config: WindowConfig = CONFIG) -> TurnRange | None:
    rest = [size for size in turns if size.index >= first]
    return choose_range(rest, first=first, verbatim=border(rest, config), config=config)


@pytest.mark.parametrize(("used", "due"), [(699, False), (700, True), (5_000, True)])
def test_the_first_one_is_due_at_the_line(used, due):
    assert is_due(used, used, None, line=CONFIG.warn_tokens, config=CONFIG) is due


@pytest.mark.parametrize(("said", "due"), [(99, False), (100, True)])
def test_the_next_one_waits_until_a_tenth_of_the_budget_was_said(said, due):
    last = Attempt(2_000, is_capped=False)
    assert is_due(950, 2_000 + said, last, line=CONFIG.block_tokens, config=CONFIG) is due


def test_what_one_call_did_not_reach_is_taken_up_at_once():
    assert is_due(950, 2_000, Attempt(2_000, is_capped=True), line=CONFIG.warn_tokens, config=CONFIG)
    assert not is_due(650, 2_000, Attempt(2_000, is_capped=True), line=CONFIG.warn_tokens, config=CONFIG)


def test_the_newest_three_tenths_of_the_budget_stay_verbatim():
    assert border(sizes(*[50] * 20)) == 14


def test_the_newest_turns_and_the_question_stay_however_long_they_are():
    assert border(sizes(*[400] * 6)) == 3


def test_an_exchange_is_not_parted_where_its_beginning_is_near():
    turns = sizes(*[50] * 20, roles="ua" * 6 + "utta" + "uaua")
    assert border(turns) == 12  # the user's turn before the tools
    assert border(sizes(*[50] * 20, roles="ua" * 5 + "u" + "t" * 8 + "a")) == 14


def test_a_short_session_stays_whole():
    assert border(sizes(10, 10, 10)) == 0
    assert border([]) == 0
    assert chosen(sizes(10, 10, 10)) is None


def test_everything_older_is_summarised():
    assert chosen(sizes(*[50] * 20)) == TurnRange(0, 14, is_capped=False)


def test_a_later_one_goes_on_where_the_first_one_ended():
    assert chosen(sizes(*[50] * 30), first=14) == TurnRange(14, 24, is_capped=False)


def test_it_is_not_worth_a_call_to_free_less_than_a_tenth():
    assert chosen(sizes(90, *[50] * 6)) is None
    assert chosen(sizes(50, 50, *[50] * 6)) is not None


def test_one_call_summarises_so_many_and_says_that_there_are_more():
    assert chosen(sizes(*[50] * 100)) == TurnRange(0, 16, is_capped=True)


def test_headers_of_short_turns_count():
    config = replace(CONFIG, header_tokens=35)
    assert chosen(sizes(*[5] * 500), config=config) == TurnRange(0, 20, is_capped=True)


def test_one_turn_longer_than_a_call_is_taken_alone():
    assert chosen(sizes(5_000, *[50] * 20)) == TurnRange(0, 1, is_capped=True)


def test_a_tool_s_long_result_counts_as_what_is_shown_of_it():
    config = replace(CONFIG, tool_tokens=60)
    assert chosen(sizes(700, 700, *[50] * 8, roles="tt" + "ua" * 4), config=config) == TurnRange(
        0, 4, is_capped=False
    )


def test_a_call_reads_turns_as_they_are_and_long_ones_cut_with_a_mark():
    whole, long = make(50, 3_000)
    tool = replace(make(900)[0], role=Role.TOOL)
    shown = readable((whole, long, tool), count=count, config=replace(CONFIG, tool_tokens=100))
    assert shown[0] is whole
    assert [turn.tokens <= most for turn, most in zip(shown[1:], (800, 100), strict=True)] == [True, True]
    assert all("characters left out" in turn.text for turn in shown[1:])
    assert [turn.id for turn in shown] == [whole.id, long.id, tool.id]


turns_of = st.lists(st.tuples(st.integers(5, 400), st.sampled_from("uat")), min_size=1, max_size=60)


@given(turns_of, st.integers(0, 8))
def test_what_is_chosen_is_a_prefix_that_leaves_the_newest(listed, at_least):
    config = replace(CONFIG, min_recent_turns=at_least, header_tokens=10, tool_tokens=80)
    turns = sizes(*[size for size, _ in listed], roles="".join(role for _, role in listed))
    found = chosen(turns, config=config)
    if found is None:
        return
    assert 0 == found.first < found.end <= len(turns) - min(len(turns), at_least + 1)
    freed = sum(size.tokens for size in turns[: found.end])
    assert found.is_capped or freed >= config.step_tokens
    shown = [
        min(size.tokens, 80 if size.role is Role.TOOL else 800) + 10
        for size in turns[found.first : found.end]
    ]
    assert sum(shown) <= 800 or found.end == 1


@given(st.lists(st.integers(5, 200), max_size=300))
def test_compressions_are_at_most_one_for_each_tenth_of_the_budget_that_was_said(said):
    """A session grows turn by turn; each compression leaves three tenths and a summary."""
    used = total = calls = 0
    last: Attempt | None = None
    for tokens in said:
        used, total = used + tokens, total + tokens
        if is_due(used, total, last, line=CONFIG.warn_tokens, config=CONFIG):
            calls, last, used = calls + 1, Attempt(total, is_capped=False), used // 2
    assert calls <= max(1, total / CONFIG.step_tokens)

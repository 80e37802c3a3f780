"""What a model refuses is left out for a while; what was only suspected can be cleared."""

import pytest

from memory.providers.left_out import LeftOut


class Hand:
    """A clock that is set by hand."""

    time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def left_out(hand: Hand) -> LeftOut:
    return LeftOut(60.0, hand)


def test_nothing_is_left_out_at_first(left_out: LeftOut) -> None:
    assert "top_p" not in left_out


@pytest.mark.parametrize("how", ["refuse", "suspect"])
def test_what_is_refused_is_left_out_until_the_time_is_over(left_out: LeftOut, hand: Hand, how: str) -> None:
    getattr(left_out, how)("top_p")
    assert "top_p" in left_out
    assert "temperature" not in left_out
    hand.time += 59.9
    assert "top_p" in left_out
    hand.time += 0.1
    assert "top_p" not in left_out


def test_a_suspicion_is_cleared_and_what_was_named_is_not(left_out: LeftOut) -> None:
    left_out.suspect("response_format")
    left_out.clear("response_format")
    assert "response_format" not in left_out
    left_out.suspect("response_format")
    left_out.refuse("response_format")
    left_out.clear("response_format")
    assert "response_format" in left_out


def test_clearing_what_nobody_suspects_changes_nothing(left_out: LeftOut) -> None:
    left_out.clear("top_p")
    assert "top_p" not in left_out

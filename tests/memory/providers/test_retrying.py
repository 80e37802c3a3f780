"""When a call is tried again."""

from datetime import UTC, datetime

import pytest

from memory.config import ModelConfig
from memory.providers.retrying import Clockwork, pause_seconds, retry_after_seconds

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
CONFIG = ModelConfig(backoff_seconds=0.5, backoff_ceiling_seconds=3)


def pause(attempt: int, *, dice: float = 1.0, retry_after: float | None = None) -> float:
    return pause_seconds(
        attempt, config=CONFIG, clockwork=Clockwork(random=lambda: dice), retry_after=retry_after
    )


def test_the_longest_pause_doubles_up_to_a_ceiling() -> None:
    assert [pause(attempt) for attempt in (1, 2, 3, 4, 5)] == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_the_whole_pause_is_left_to_chance() -> None:
    assert pause(3, dice=0.0) == 0.0
    assert pause(3, dice=0.25) == 0.5


def test_what_the_provider_asks_for_is_never_undercut() -> None:
    assert pause(1, dice=0.0, retry_after=7) == 7
    assert pause(1, dice=1.0, retry_after=7) == pytest.approx(7.7)
    assert pause(1, retry_after=0) == 0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2", 2),
        ("0", 0),
        ("1.5", 1.5),
        ("-3", 0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", 30),
        ("soon", None),
        ("", None),
        (None, None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_retry_after_is_read_in_both_forms(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header, now=NOW) == seconds

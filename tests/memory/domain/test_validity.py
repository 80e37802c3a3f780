"""One rule of what is shown: now, as of an instant, and by what was known at one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.validity import Lifespan, is_recalled

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
PLAIN = Lifespan(said_at=MONDAY, learned_at=MONDAY)


def on(day: float) -> datetime:
    return MONDAY + timedelta(days=day)


def shown(
    span: Lifespan, *, now: float = 30, as_of: float | None = None, known_at: float | None = None
) -> bool:
    return is_recalled(
        span,
        now=on(now),
        as_of=None if as_of is None else on(as_of),
        known_at=None if known_at is None else on(known_at),
    )


PARIS = replace(PLAIN, valid_to=on(5), superseded_at=on(7))  # Berlin since day 5, learned on day 7
LEASE = replace(PARIS, stated_valid_to=on(20))  # it was said that it would end on day 20


@pytest.mark.parametrize(
    ("span", "instants", "expected"),
    [
        (PLAIN, {}, True),
        (PLAIN, {"as_of": -1}, False),
        (PLAIN, {"as_of": 0}, True),
        (PLAIN, {"known_at": -1}, False),
        (PLAIN, {"known_at": 0}, True),
        (replace(PLAIN, expired_at=on(3)), {}, False),
        (replace(PLAIN, expired_at=on(3)), {"known_at": 3}, False),
        (replace(PLAIN, expired_at=on(3)), {"known_at": 2.9}, True),
        (replace(PLAIN, valid_to=on(3)), {}, True),
        (replace(PLAIN, valid_to=on(3)), {"as_of": 3}, False),
        (replace(PLAIN, valid_from=on(-9)), {"as_of": -9}, True),
        (replace(PLAIN, valid_to=on(-2)), {"as_of": -3}, True),
        (replace(PLAIN, valid_to=on(3), is_event=True), {"as_of": 9}, True),
        (PARIS, {}, False),
        (PARIS, {"now": 4}, True),
        (PARIS, {"as_of": 4.9}, True),
        (PARIS, {"as_of": 5}, False),
        (PARIS, {"known_at": 6}, True),
        (PARIS, {"known_at": 7}, False),
        (PARIS, {"as_of": 6, "known_at": 6}, True),
        (PARIS, {"as_of": 6, "known_at": 7}, False),
        (PARIS, {"as_of": 4, "known_at": 7}, True),
        (LEASE, {"as_of": 6, "known_at": 6}, True),
        (LEASE, {"as_of": 20, "known_at": 6}, False),
        (replace(PARIS, is_event=True), {"as_of": 9}, False),
    ],
)
def test_what_an_instant_shows(span, instants, expected):
    assert shown(span, **instants) is expected


@given(st.integers(-5, 40))
def test_what_holds_now_is_what_holds_as_of_now(day):
    if day >= 0:
        assert shown(PARIS, now=day) == shown(PARIS, as_of=day)


@given(st.integers(0, 40), st.integers(0, 40))
def test_of_two_values_exactly_one_holds_at_any_time(day, known):
    berlin = Lifespan(said_at=on(7), learned_at=on(7), valid_from=on(5))
    both = [shown(PARIS, as_of=day, known_at=known), shown(berlin, as_of=day, known_at=known)]
    assert sum(both) == 1

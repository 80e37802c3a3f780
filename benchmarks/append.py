"""What appending a turn costs at turn 10 and at turn 10,000, in one session each.

The two sessions are appended to in alternation, so that drift hits both alike.
"""

import statistics
import time
from pathlib import Path

from tqdm import tqdm

from accounts.principals import Principal, principal_for
from accounts.services.users import register_user
from benchmarks.figures import Figure
from memory.domain.types import Role
from sessions_app.models import Session
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import NewTurn, append_turns

LONG_TURNS = 10_000
BATCH_TURNS = 500
ROUNDS = 60
TEXT = "The collector in the north hall reported a drop of {} degrees after the valve was closed."


def run(scratch: Path) -> list[Figure]:
    """Median of one append to a short and to a long session."""
    principal = principal_for(register_user(username="append-bench", password="long enough for a bench 1"))  # noqa: S106
    long_session = open_session(principal, "long")
    for start in tqdm(range(0, LONG_TURNS, BATCH_TURNS), desc="filling", unit="batch", leave=False):
        append_turns(principal, long_session, [_turn(start + i) for i in range(BATCH_TURNS)])
    short_ms, long_ms = [], []
    for round_number in tqdm(range(ROUNDS), desc="appending", leave=False):
        short_session = open_session(principal, f"short-{round_number}")
        append_turns(principal, short_session, [_turn(i) for i in range(10)])
        short_ms.append(_append_ms(principal, short_session, round_number))
        long_ms.append(_append_ms(principal, long_session, round_number))
    return [
        Figure(
            name=f"append a turn at turn {LONG_TURNS:,} (median)",
            value=statistics.median(long_ms),
            unit="ms",
            baseline_name="at turn 10",
            baseline=statistics.median(short_ms),
            target="≤ 1.3×",
        )
    ]


def _append_ms(principal: Principal, session: Session, number: int) -> float:
    started = time.perf_counter()
    append_turns(principal, session, [_turn(number)])
    return (time.perf_counter() - started) * 1_000


def _turn(number: int) -> NewTurn:
    return NewTurn(role=Role.USER, content=TEXT.format(number))

"""A conversation of 2,000 turns in a window of 8,000 tokens, asked after each tenth turn.

Through the pipeline that every door uses, by rules; jobs are carried out as a worker would.
"""

import asyncio
import statistics
import time
from pathlib import Path

from django.test import override_settings
from django.utils import timezone
from tqdm import tqdm

from accounts.models import Job
from accounts.principals import Principal, principal_for
from accounts.services.jobs import run_job
from accounts.services.users import register_user
from benchmarks.figures import Figure
from memory.domain.types import Effort, Role
from sessions_app.config import COMPRESS
from sessions_app.domain.types import ChatRequest, Done, Window
from sessions_app.pipeline import answer
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import NewTurn, append_turns
from sessions_app.services.window import current_window

TURNS = 2_000
TOLD = 8  # of each ten turns; the others are a question and its answer
WINDOW_TOKENS = 8_000
ROUNDS = 20
TEXT = "The locker number {n} at the station by the river belongs to Fellow{n}, who painted it in colour {n}."


def run(scratch: Path) -> list[Figure]:
    """The fullest window, the calls it took, and what cutting and compressing cost."""
    with override_settings(WM_MAX_TOKENS=WINDOW_TOKENS):
        return _measure()


def _measure() -> list[Figure]:
    principal = principal_for(register_user(username="window-bench", password="long enough for a bench 1"))  # noqa: S106
    windows: list[Window] = []
    job_ms: list[float] = []
    for first in tqdm(range(0, TURNS, TOLD + 2), desc="talking", leave=False):
        _tell(principal, "long", first, TOLD)
        windows.append(asyncio.run(_ask(principal)))
        job_ms += _work(principal)
    _tell(principal, "short", 0, 40)
    budget, total = windows[-1].budget_tokens, windows[-1].session_tokens
    fullest, left_out = max(each.tokens for each in windows), max(each.left_out for each in windows)
    cut_ms, short_ms = _cut_ms(principal, "long"), _cut_ms(principal, "short")
    median, slowest = statistics.median(job_ms), max(job_ms)
    return [
        Figure(f"fullest window of {TURNS:,} turns", fullest, "tokens", "budget", budget, "≤ 1×"),
        Figure("its compressions", len(job_ms), "", "tenths of the budget said", 10 * total / budget, "≤ 1×"),
        Figure("turns left out of a window", left_out, "", "all turns", TURNS, "0"),
        Figure("cut the window (median)", cut_ms, "ms", "of 40 turns", short_ms, "≤ 3×"),
        Figure("compress by rules (median)", median, "ms", "slowest", slowest, ""),
    ]


def _tell(principal: Principal, session: str, first: int, count: int) -> None:
    turns = [NewTurn(role=Role.USER, content=TEXT.format(n=n)) for n in range(first, first + count)]
    append_turns(principal, open_session(principal, session), turns)


def _work(principal: Principal) -> list[float]:
    """Carry out the compression jobs, as a worker would; how long each took."""
    took = []
    jobs = Job.objects.for_space(principal.space_id).filter(kind=COMPRESS, state=Job.State.QUEUED)
    while job := jobs.first():
        started = time.perf_counter()
        run_job(job.id)
        took.append((time.perf_counter() - started) * 1_000)
    return took


def _cut_ms(principal: Principal, name: str) -> float:
    session, took = open_session(principal, name), []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        current_window(session)
        took.append((time.perf_counter() - started) * 1_000)
    return statistics.median(took)


async def _ask(principal: Principal) -> Window:
    request = ChatRequest(
        space_id=principal.space_id,
        user_id=principal.user_id,
        speaker=principal.speaker,
        time_zone=principal.time_zone,
        session="long",
        text="Whose locker is it?",
        now=timezone.now(),
        effort=Effort.FAST,
    )
    done = [event async for event in answer(request)][-1]
    if not isinstance(done, Done):
        raise TypeError(f"The question was not answered: {done}")
    return done.window

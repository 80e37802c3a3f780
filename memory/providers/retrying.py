"""When to call again: full jitter, what the provider asks for, and a deadline over all.

Clock, sleep and chance come in from outside, so that tests wait for nothing.
"""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from memory.config import ModelConfig


@dataclass(frozen=True, slots=True)
class Clockwork:
    """The clock, the sleep and the dice of retries."""

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random


def pause_seconds(
    attempt: int, *, config: ModelConfig, clockwork: Clockwork, retry_after: float | None = None
) -> float:
    """How long to wait after the given attempt (from 1).

    What the provider asks for, plus up to a tenth against herds; else uniform in
    [0, backoff * 2^(attempt - 1)], at most the ceiling.
    """
    if retry_after is not None:
        return retry_after * (1 + 0.1 * clockwork.random())
    most: float = min(config.backoff_ceiling_seconds, config.backoff_seconds * 2 ** (attempt - 1))
    return clockwork.random() * most


def retry_after_seconds(header: str | None, *, now: datetime) -> float | None:
    """Seconds of a `Retry-After` header in either form; None when it says nothing sensible."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            at = parsedate_to_datetime(header)
        except (ValueError, TypeError):
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None

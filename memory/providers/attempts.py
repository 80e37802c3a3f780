"""One call to a model, tried until it works, cannot work, or its time is up.

Attempts run inside permits, pauses outside them, so that whoever waits for a provider
that asks for patience holds up nobody else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from memory.config import ModelConfig
from memory.domain.reply_schemas import ReplyShape
from memory.errors import OutOfTime, ProviderError
from memory.providers.model_loop import ModelLoop
from memory.providers.retrying import Clockwork, pause_seconds

Result = TypeVar("Result")
Attempt = Callable[[], Awaitable[Result]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for, and the bounds that go with it."""

    name: str
    seconds: float
    output_tokens: int = 0
    is_background: bool = False
    shape: ReplyShape | None = None  # what the reply should be, where the model can be held to it


@dataclass(frozen=True, slots=True)
class Attempts:
    """How calls to one place are tried. `translate` turns a vendor's exception into ours."""

    loop: ModelLoop
    origin: str
    config: ModelConfig
    clockwork: Clockwork
    translate: Callable[[Exception], ProviderError]

    async def run(
        self, attempt: Attempt[Result], purpose: Purpose, *, may_retry: Callable[[], bool] = lambda: True
    ) -> Result:
        """The result of the first attempt that succeeds. Raises the last attempt's ProviderError."""
        deadline = self.clockwork.monotonic() + purpose.seconds
        number = 0
        while True:
            number += 1
            outcome = await self._try(attempt, purpose, seconds=deadline - self.clockwork.monotonic())
            if not isinstance(outcome, ProviderError):
                return outcome
            log.warning(
                "model call failed: purpose=%s origin=%s attempt=%d kind=%s",
                purpose.name,
                self.origin,
                number,
                type(outcome).__name__,
            )
            pause = self._pause(number, outcome, left=deadline - self.clockwork.monotonic())
            if pause is None or not may_retry():
                raise outcome
            await self.clockwork.sleep(pause)

    def _pause(self, number: int, error: ProviderError, *, left: float) -> float | None:
        """Seconds until the next attempt, or None when there is to be none."""
        if number >= self.config.attempts or not error.is_retryable or isinstance(error, OutOfTime):
            return None
        pause = pause_seconds(
            number, config=self.config, clockwork=self.clockwork, retry_after=error.retry_after
        )
        return pause if pause + self.config.least_attempt_seconds < left else None

    async def _try(
        self, attempt: Attempt[Result], purpose: Purpose, *, seconds: float
    ) -> Result | ProviderError:
        """One attempt; a failure as a value, so that no vendor's text hangs on it as its cause."""
        try:
            async with asyncio.timeout(seconds):
                return await self.loop.run(
                    self.origin, attempt, config=self.config, is_background=purpose.is_background
                )
        except ProviderError as error:
            return error
        except TimeoutError:
            return OutOfTime(f"{self.origin} did not answer in time.")
        except Exception as error:  # whatever a vendor's library may raise is translated here
            return self.translate(error)

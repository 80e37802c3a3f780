"""A rest for a model that fails again and again: nobody waits for what will fail anyway.

After so many failed calls in a row calls are refused at once; one at a time is then let
through, with a single attempt, to find out whether the model is back. What asks for patience
has it from the first failure on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from memory.config import ModelConfig
from memory.errors import ProviderError, ProviderUnavailable, TimeOver


@dataclass(slots=True)
class Breaker:
    """The failures in a row of one model, and until when it rests. Threads may share it."""

    config: ModelConfig
    monotonic: Callable[[], float]
    failures: int = 0  # calls in a row, each with all its attempts
    _rests_until: float = 0.0
    _asked_until: float = 0.0  # by a Retry-After, whatever other calls bring
    _lock: Lock = field(default_factory=Lock)

    @property
    def is_open(self) -> bool:
        """Whether the model rests, a probe apart."""
        return self.failures >= self.config.breaker_failures

    def admit(self, origin: str) -> bool:
        """Let a call through; True if it is a probe. Raises ProviderUnavailable while the model rests.

        A probe that takes long is joined by another after each rest.
        """
        with self._lock:
            now = self.monotonic()
            until = max(self._asked_until, self._rests_until if self.is_open else 0.0)
            if now < until:
                why = f"failed {self.failures} times in a row" if self.is_open else "asked for patience"
                raise ProviderUnavailable(
                    f"{origin} {why} and is not asked for a moment.",
                    retry_after=math.ceil(until - now),
                )
            if self.is_open:
                self._rests_until = now + self.config.breaker_rest_seconds
            return self.is_open

    def settle(self, error: ProviderError | None) -> None:
        """Note how an admitted call ended. An answer that is a refusal is a sign of life."""
        with self._lock:
            if isinstance(error, TimeOver):
                return
            if not isinstance(error, ProviderUnavailable):
                self.failures = 0
                return
            now = self.monotonic()
            self.failures += 1
            self._rests_until = now + self.config.breaker_rest_seconds
            asked = min(error.retry_after or 0, self.config.breaker_rest_ceiling_seconds)
            self._asked_until = max(self._asked_until, now + asked)

    def withdraw(self, *, is_probe: bool) -> None:
        """An admitted call was left before it ended: another may probe at once."""
        if is_probe:
            with self._lock:
                self._rests_until = self.monotonic()

"""A model that takes its time, and knows what it was asked when the asker was killed."""

import random
import threading
import time
from dataclasses import dataclass

from tests.model_server import ModelRequest, ModelServer, Step

# Seconds before the first byte, by purpose; drawn anew for each request.
_DELAYS = {"plan": (0.05, 0.5), "encode": (0.2, 1.2), "repair": (0.2, 1.2), "answer": (0.05, 0.5)}
_GAP = (0.01, 0.06)  # between the pieces of a stream
PHASES = ("plan", "encode", "answer", "stream")


@dataclass(frozen=True, slots=True)
class Call:
    """One call under way: what for, and when it begins to speak (monotonic seconds)."""

    purpose: str
    speaks_at: float

    def phase(self, now: float) -> str:
        """An answer's waiting and its streaming are two."""
        return "stream" if self.purpose == "answer" and now >= self.speaks_at else self.purpose


class SlowModel(ModelServer):
    """Waits before each reply and between the pieces of a stream, until it is `hurried`."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.is_hurried = False
        self._rng = random.Random(seed)
        self._calls: dict[int, Call] = {}  # by the thread that answers

    def take(self, request: ModelRequest) -> Step:
        """Keep the request and draw its pace."""
        with self._changed:
            step = Step() if self.is_hurried else pace(self._rng, request.purpose)
            self._calls[threading.get_ident()] = Call(request.purpose, time.monotonic() + step.delay)
            super().take(request)
            return step

    def count_stream(self, change: int) -> None:
        """A reply that ended, or whose reader went away, is no longer under way."""
        if change < 0:
            with self._changed:
                self._calls.pop(threading.get_ident(), None)
        super().count_stream(change)

    def under_way(self) -> list[Call]:
        """The calls that are being answered now."""
        with self._changed:
            return list(self._calls.values())

    def phases(self) -> list[str]:
        """What the askers are waiting for now, sorted."""
        now = time.monotonic()
        return sorted(call.phase(now) for call in self.under_way())

    def await_phase(self, phase: str, *, seconds: float) -> None:
        """Wait until a call has come that is in this phase, or will be."""
        purpose = "answer" if phase == "stream" else phase

        def is_asked(_: ModelServer) -> bool:
            return any(call.purpose == purpose for call in self._calls.values())

        self.wait_for(is_asked, seconds=seconds)

    def instant_in(self, phase: str, rng: random.Random) -> float:
        """Seconds from now to a random instant of this phase of the newest call for it."""
        now = time.monotonic()
        purpose = "answer" if phase == "stream" else phase
        asked = [call.speaks_at - now for call in self.under_way() if call.purpose == purpose]
        until = max(asked, default=0.0)
        if phase == "stream":
            return max(0.0, until) + rng.uniform(0.0, 0.25)
        return rng.uniform(0.0, 0.9) * max(0.0, until)


def pace(rng: random.Random, purpose: str) -> Step:
    """A reply that takes its time."""
    low, high = _DELAYS.get(purpose, (0.0, 0.0))
    return Step(delay=rng.uniform(low, high), gap=rng.uniform(*_GAP))

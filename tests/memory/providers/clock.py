"""A clock whose sleeps are over at once."""

import asyncio
import time


class FakeClock:
    """Real time plus what was slept; the pauses are kept."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.advance = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.advance

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.advance += seconds
        await asyncio.sleep(0)

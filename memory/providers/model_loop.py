"""One event loop in a thread of its own, in which every call to a model runs.

There a call can be cancelled at once, whatever it waits for, and permits are fair; people
come before background work. The callers are ordinary threads.
"""

import asyncio
import atexit
import os
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from threading import Lock, Thread
from typing import Any, TypeVar

from memory.config import ModelConfig

Result = TypeVar("Result")

_making = Lock()
_END_SECONDS = 1.0  # for what is under way when the process ends


class ModelLoop:
    """The loop's thread, and the permits of each place that is called."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._places: dict[tuple[str, int, int], _Place] = {}
        self._thread = Thread(target=self._loop.run_forever, name="model-calls", daemon=True)
        self._thread.start()
        atexit.register(self._end)

    def submit(self, work: Coroutine[object, object, Result]) -> "Future[Result]":
        """Start the work; cancelling the future cancels it there."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _end(self) -> None:
        """Cancel whatever is under way: a vendor's own tasks would be complained of when they vanish."""
        if not self._thread.is_alive():  # in a forked child
            return
        with suppress(TimeoutError):
            self.submit(self._cancel_all()).result(_END_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_SECONDS)

    async def _cancel_all(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def run(
        self,
        origin: str,
        attempt: Callable[[], Awaitable[Result]],
        *,
        config: ModelConfig,
        is_background: bool,
    ) -> Result:
        """What the attempt gives, made while one of the origin's permits is held.

        Background work has but a part of them. Where somebody waits and none is left, it gives way: it is
        broken off, and begun anew when there is a permit again. To be used inside the loop. Waits without a
        limit: the caller holds the deadline.
        """
        place = self._place(origin, config)
        return await (place.run_behind(attempt) if is_background else place.run(attempt))

    def _place(self, origin: str, config: ModelConfig) -> "_Place":
        key = (origin, config.permits, config.background_permits)
        if key not in self._places:
            self._places[key] = _Place(*key[1:])
        return self._places[key]


class _GaveWay(Exception):
    """Background work was broken off, so that somebody need not wait."""


class _Place:
    """The permits of one origin, and the background work that holds some of them."""

    def __init__(self, permits: int, background_permits: int) -> None:
        self.permits = asyncio.Semaphore(permits)
        self.background = asyncio.Semaphore(background_permits)
        self.waiting = 0
        self.giving_way: list[asyncio.Future[Any]] = []

    async def run(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        if self.permits.locked() and self.giving_way:
            self.giving_way.pop().cancel()  # the newest, which has lost least
        self.waiting += 1
        try:
            await self.permits.acquire()
        finally:
            self.waiting -= 1
        try:
            return await attempt()
        finally:
            self.permits.release()

    async def run_behind(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        while True:
            with suppress(_GaveWay):
                async with self.background, self.permits:
                    if not self.waiting:
                        return await self._yielding(attempt)

    async def _yielding(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        work, caller = asyncio.ensure_future(attempt()), asyncio.current_task()
        self.giving_way.append(work)
        try:
            return await work
        except asyncio.CancelledError:
            if work in self.giving_way or (caller and caller.cancelling()):
                raise
            raise _GaveWay from None
        finally:
            if work in self.giving_way:
                self.giving_way.remove(work)


def model_loop() -> ModelLoop:
    """The process's loop, made when it is first needed. Thread-safe."""
    with _making:
        return _made()


@cache
def _made() -> ModelLoop:
    return ModelLoop()


# A thread does not survive a fork: the child makes its own.
os.register_at_fork(after_in_child=_made.cache_clear)

"""One event loop in a thread of its own, in which every call to a model runs.

There a call can be cancelled at once, whatever it waits for, and permits are fair. The
callers are ordinary threads.
"""

import asyncio
import atexit
import os
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache
from threading import Lock, Thread
from typing import TypeVar

from memory.config import ModelConfig

Result = TypeVar("Result")

_making = Lock()
_END_SECONDS = 1.0  # for what is under way when the process ends


class ModelLoop:
    """The loop's thread, and the permits of each place that is called."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._permits: dict[tuple[str, str, int], asyncio.Semaphore] = {}
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

    @asynccontextmanager
    async def permit(self, origin: str, *, config: ModelConfig, is_background: bool) -> AsyncIterator[None]:
        """Hold one of the origin's permits; background work has but a part of them.

        To be used inside the loop. Waits without a limit: the caller holds the deadline.
        """
        async with AsyncExitStack() as held:
            if is_background:
                await held.enter_async_context(
                    self._semaphore(origin, "background", config.background_permits)
                )
            await held.enter_async_context(self._semaphore(origin, "all", config.permits))
            yield

    def _semaphore(self, origin: str, kind: str, permits: int) -> asyncio.Semaphore:
        return self._permits.setdefault((origin, kind, permits), asyncio.Semaphore(permits))


def model_loop() -> ModelLoop:
    """The process's loop, made when it is first needed. Thread-safe."""
    with _making:
        return _made()


@cache
def _made() -> ModelLoop:
    return ModelLoop()


# A thread does not survive a fork: the child makes its own.
os.register_at_fork(after_in_child=_made.cache_clear)

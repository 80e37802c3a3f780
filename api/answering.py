"""One answer in the making: the pipeline in a task of its own, its events in a queue.

Every door that streams reads from here, so that waiting with a keep-alive, cancelling
and failing are the same behind SSE, JSON and the websocket.
"""

import asyncio
import contextvars
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Self

from sessions_app.domain.types import ChatEvent, ChatRequest
from sessions_app.pipeline import answer


class Finished(Exception):
    """There are no more events."""


class Answering:
    """The events of one request, in order. Cancelling stops the model."""

    def __init__(self, request: ChatRequest) -> None:
        self._events: asyncio.Queue[ChatEvent | None] = asyncio.Queue()
        # An empty context: the answer outlives the view that asked for it, and must not
        # inherit the view's thread, which ends with it.
        self._task = asyncio.create_task(self._run(request), context=contextvars.Context())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.cancel()

    async def next(self, *, within_seconds: float | None = None) -> ChatEvent:
        """The next event. Raises TimeoutError when none came in time, Finished after the
        last, and what the pipeline raised.
        """
        async with asyncio.timeout(within_seconds):
            event = await self._events.get()
        if event is not None:
            return event
        self._events.put_nowait(None)  # whoever asks again is told again
        await self._task
        raise Finished

    async def cancel(self) -> None:
        """Stop, and wait until the pipeline has put everything in order."""
        self._task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self._task

    async def _run(self, request: ChatRequest) -> None:
        try:
            async with aclosing(answer(request)) as events:
                async for event in events:
                    self._events.put_nowait(event)
        finally:
            self._events.put_nowait(None)

"""`python -m benchmarks.watched serve …`: the application with a watchdog in its event loop.

What `manage.py` does, but the ASGI application answers one more path, WATCH_PATH, with what
the watchdog measured. `python -m benchmarks.watched` alone watches a loop that does nothing
until its standard input ends: the baseline of the machine at that time.
"""

import asyncio
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

WATCH_PATH = "/benchmark-watchdog"
BEAT_SECONDS = 0.005
SUSPICIOUS_SECONDS = 0.025  # from so late on the culprit's stack is looked at
_FRAMES = 12  # of a stack
_WAITING = frozenset({"wait", "_worker", "select", "poll", "accept", "_stacks", "run_forever"})

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


@dataclass
class Watchdog:
    """How late a task of the loop woke, how long the loop's thread ran meanwhile, and what it did."""

    lags: list[float] = field(default_factory=list)  # seconds
    busy: list[float] = field(default_factory=list)  # CPU seconds of the loop's thread, beside each lag
    worst: tuple[float, float, str] = (0.0, 0.0, "")  # lag, busy, stack
    _last: float = 0.0
    _stack: str = ""

    async def watch(self) -> None:
        """Beat for ever."""
        loop_thread = threading.get_ident()
        self._last = time.perf_counter()
        threading.Thread(target=self._look, args=(loop_thread,), name="watchdog", daemon=True).start()
        while True:
            before, cpu = time.perf_counter(), time.thread_time()
            await asyncio.sleep(BEAT_SECONDS)
            self._last = time.perf_counter()
            lag, busy = max(0.0, self._last - before - BEAT_SECONDS), time.thread_time() - cpu
            self.lags.append(lag)
            self.busy.append(busy)
            if lag > self.worst[0]:
                self.worst = (lag, busy, self._stack)
            self._stack = ""

    def as_dict(self) -> dict[str, Any]:
        """Milliseconds, the longest last; and forget them."""
        lags, busy, self.lags, self.busy = self.lags, self.busy, [], []
        worst, self.worst = self.worst, (0.0, 0.0, "")
        return {
            "beats": len(lags),
            "lag_ms": sorted(lag * 1000 for lag in lags),
            "busy_ms": sorted(each * 1000 for each in busy),
            "worst": {"lag_ms": worst[0] * 1000, "busy_ms": worst[1] * 1000, "stack": worst[2]},
        }

    def _look(self, loop_thread: int) -> None:
        """Keep the stack of a loop that is late."""
        while True:
            time.sleep(BEAT_SECONDS)
            if time.perf_counter() - self._last > BEAT_SECONDS + SUSPICIOUS_SECONDS and not self._stack:
                self._stack = _stacks(loop_thread)


def _stacks(loop_thread: int) -> str:
    """What the loop's thread does, and the innermost calls of the others that may hold the interpreter."""
    frames = sys._current_frames()  # noqa: SLF001 (there is no other way)
    loop = traceback.format_stack(frames.pop(loop_thread, None))[-_FRAMES:]
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    others = [
        f"{names.get(ident, ident)}: {frame.f_code.co_qualname} {frame.f_code.co_filename}:{frame.f_lineno}\n"
        for ident, frame in frames.items()
        if frame.f_code.co_name not in _WAITING
    ]
    return "".join([*loop, "others:\n", *others])


class Watched:
    """An ASGI application beside a watchdog that the first request starts."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.watchdog = Watchdog()
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer the watchdog's path, pass on the rest."""
        if self._task is None:
            self._task = asyncio.create_task(self.watchdog.watch())
        if scope.get("path") != WATCH_PATH:
            await self.application(scope, receive, send)
            return
        body = json.dumps(self.watchdog.as_dict()).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _idle() -> None:
    watchdog = Watchdog()
    task = asyncio.create_task(watchdog.watch())
    await asyncio.to_thread(sys.stdin.read)
    task.cancel()
    sys.stdout.write(json.dumps(watchdog.as_dict()))


def main() -> None:
    """Serve like `manage.py`, or idle."""
    if not sys.argv[1:]:
        asyncio.run(_idle())
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")
    from django.core.management import execute_from_command_line

    from lychee_site import asgi

    asgi.application = Watched(asgi.application)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

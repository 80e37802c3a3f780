"""A scope around calls to models: whoever waits for them may leave, or have only so long.

It is entered in the thread that calls and left from any other. What runs inside needs no
further argument, so that recall and encoding stay ordinary functions.
"""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from memory.errors import CallLeft, TimeOver

P = ParamSpec("P")
T = TypeVar("T")

_entered: ContextVar["CallScope | None"] = ContextVar("call_scope", default=None)


class CallScope:
    """The calls made inside it. `seconds` bounds all of them together; None: no bound."""

    def __init__(
        self, *, seconds: float | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._monotonic = monotonic
        self._deadline = math.inf if seconds is None else monotonic() + seconds
        self._calls: set[Future[Any]] = set()
        self._is_left = False
        self._lock = Lock()

    @property
    def seconds_left(self) -> float:
        """Until the deadline; infinite where there is none."""
        return self._deadline - self._monotonic()

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function inside the scope. Raises CallLeft once the scope was left."""
        token = _entered.set(self)
        try:
            return function(*args, **kwargs)
        finally:
            _entered.reset(token)

    def leave(self) -> None:
        """End every call under way, and let none begin; from any thread."""
        with self._lock:
            self._is_left, calls = True, list(self._calls)
        for call in calls:
            call.cancel()

    def check(self) -> None:
        """Raises CallLeft when nobody waits any more, TimeOver when the time is up."""
        if self._is_left:
            raise CallLeft
        if self.seconds_left <= 0:
            raise TimeOver

    @contextmanager
    def holding(self, call: "Future[T]") -> Iterator[None]:
        """Let `leave` end this call while the block waits for it."""
        with self._lock:
            self._calls.add(call)
            is_left = self._is_left
        if is_left:
            call.cancel()
        try:
            yield
        finally:
            with self._lock:
                self._calls.discard(call)


def current_scope() -> CallScope:
    """The scope that this thread is in, or one without bounds."""
    return _entered.get() or CallScope()

"""The parameters that a model refuses, and calls leave out: for a while, as models and servers change.

A refusal that names none may have any cause: what was only suspected is cleared by a call that is
refused without it too.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock


@dataclass(slots=True)
class LeftOut:
    """What one model refuses, until when. Threads may share it."""

    seconds: float
    monotonic: Callable[[], float]
    _until: dict[str, float] = field(default_factory=dict)
    _suspected: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def __contains__(self, parameter: str) -> bool:
        """Whether calls go without it now."""
        with self._lock:
            return self.monotonic() < self._until.get(parameter, 0.0)

    def refuse(self, parameter: str) -> None:
        """The model named it."""
        self._leave_out(parameter, is_suspected=False)

    def suspect(self, parameter: str) -> None:
        """The model refused a call that had it, without a word of why."""
        self._leave_out(parameter, is_suspected=True)

    def clear(self, parameter: str) -> None:
        """A call without it was refused alike: where it was only suspected it may be sent again."""
        with self._lock:
            if parameter in self._suspected:
                self._until.pop(parameter, None)

    def _leave_out(self, parameter: str, *, is_suspected: bool) -> None:
        with self._lock:
            self._until[parameter] = self.monotonic() + self.seconds
            (self._suspected.add if is_suspected else self._suspected.discard)(parameter)

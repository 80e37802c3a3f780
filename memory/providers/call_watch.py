"""A call to a model, as its health and its breaker see it."""

from collections.abc import Iterator
from contextlib import contextmanager

from memory.errors import ProviderError
from memory.providers.breaker import Breaker
from memory.providers.model_health import ModelHealth


class CallWatch:
    """One call, as the model's health and breaker see it. Raises ProviderUnavailable at once
    while the model rests.
    """

    def __init__(self, health: ModelHealth, breaker: Breaker) -> None:
        self._health, self._breaker = health, breaker
        self.is_probe = breaker.admit(health.origin or health.model)

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """A block after which the call is only under way: it shows no health by succeeding."""
        try:
            yield
        except ProviderError as error:
            self._note(error)
            raise

    @contextmanager
    def whole(self) -> Iterator[None]:
        """The rest of the call. One that is cancelled says nothing of the model."""
        try:
            yield
        except ProviderError as error:
            self._note(error)
            raise
        except BaseException:
            self._breaker.withdraw(is_probe=self.is_probe)
            raise
        self._note(None)

    def _note(self, error: ProviderError | None) -> None:
        self._health.note(error)
        self._breaker.settle(error)

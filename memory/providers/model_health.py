"""How a model has been doing in this process: its last failure, and whether it answered since.

For people on call, and for deciding whether it is time to do work again that had to be done
without the model.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.errors import ProviderError, ProviderRefused, ProviderUnavailable


@dataclass(slots=True)
class ModelHealth:
    """One model's last call, and its last failure as our own sentence. Threads may share it."""

    model: str
    is_failing: bool = False
    failed_at: datetime | None = None
    failure: str = ""

    @contextmanager
    def watched(self, *, is_whole: bool = True) -> Iterator[None]:
        """Note how the block ends; one that is not a `is_whole` call shows no health by succeeding.

        A model that declines a text, or says nothing usable, is there all the same.
        """
        try:
            yield
        except (ProviderUnavailable, ProviderRefused) as error:
            self.failure, self.failed_at = error.detail, datetime.now(UTC)
            self.is_failing = True
            raise
        except ProviderError:
            self.is_failing = False
            raise
        if is_whole:
            self.is_failing = False

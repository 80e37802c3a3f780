"""How a model has been doing in this process: its last failure, and whether it answered since.

For people on call, and for deciding whether it is time to do work again that had to be done
without the model. What other processes know is in the row that memory.services.model_status
keeps.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from memory.errors import ProviderError, ProviderRefused, ProviderUnavailable, TimeOver


@dataclass(slots=True)
class ModelHealth:
    """One model's last call, and its last failure as our own sentence. Threads may share it.

    `noted_at`: when a call last ended here; None before the first.
    """

    model: str
    origin: str = ""
    is_failing: bool = False
    failing_since: datetime | None = None
    failed_at: datetime | None = None
    failure: str = ""
    noted_at: datetime | None = None

    def note(self, error: ProviderError | None) -> None:
        """Note how a call ended.

        A model that declines a text, or says nothing usable, is there all the same; that the
        time of somebody's work was up says nothing.
        """
        if isinstance(error, TimeOver):
            return
        now = datetime.now(UTC)
        if isinstance(error, ProviderUnavailable | ProviderRefused):
            self.failing_since = self.failing_since if self.is_failing else now
            self.failure, self.failed_at, self.is_failing = error.detail, now, True
        else:
            self.is_failing, self.failing_since = False, None
        self.noted_at = now

"""The working-memory gauge: how much of its token budget a session uses."""

from dataclasses import dataclass

from sessions_app.config import WindowConfig
from sessions_app.models import Session


@dataclass(frozen=True, slots=True)
class Gauge:
    """Tokens in use against the budget; `warn` and `block` are percents of it."""

    used: int
    budget: int
    warn: int
    block: int

    @property
    def percent(self) -> int:
        """The share in use; above 100 when older turns no longer fit."""
        return round(100 * self.used / self.budget)

    @property
    def shown(self) -> int:
        """The length of the bar: a session that holds anything shows something."""
        return min(100, max(self.percent, 2 if self.used else 0))

    @property
    def low(self) -> int:
        """The warning mark, in tokens."""
        return self.budget * self.warn // 100

    @property
    def high(self) -> int:
        """The block mark, in tokens."""
        return self.budget * self.block // 100

    @property
    def level(self) -> str:
        """`block`, `warn` or nothing: the marks that have been passed."""
        if self.percent >= self.block:
            return "block"
        return "warn" if self.percent >= self.warn else ""


def gauge_of(session: Session | None, config: WindowConfig) -> Gauge:
    """The gauge of a session; of none it is empty."""
    return Gauge(
        used=session.token_total if session else 0,
        budget=config.budget_tokens,
        warn=round(100 * config.warn_ratio),
        block=round(100 * config.block_ratio),
    )

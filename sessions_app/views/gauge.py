"""The working-memory gauge: what of its token budget a conversation uses, and for what."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from sessions_app.config import WindowConfig
from sessions_app.domain.types import Anchor, Window

SECTION_NAMES = {
    "goals": _("Goals"),
    "decisions": _("Decisions"),
    "facts": _("Facts"),
    "open_points": _("Open points"),
    "tool_results": _("Results of tools"),
}


@dataclass(frozen=True, slots=True)
class Gauge:
    """A window against its budget; `warn` and `block` are percents of it."""

    window: Window
    warn: int
    block: int

    @property
    def percent(self) -> int:
        """The share in use; above 100 when turns that are not summarised no longer fit."""
        return round(100 * self.window.pressure)

    @property
    def summary_width(self) -> float:
        """The part of the bar that summaries take, in percents: what there is can be seen."""
        return _width(self.window.summary_tokens, self.window)

    @property
    def verbatim_tokens(self) -> int:
        """What the turns take that the model sees as they were said."""
        return self.window.tokens - self.window.summary_tokens

    @property
    def verbatim_width(self) -> float:
        """The part of the bar that those turns take."""
        return min(_width(self.verbatim_tokens, self.window), 100 - self.summary_width)

    @property
    def level(self) -> str:
        """`block`, `warn` or nothing: the marks that have been passed."""
        return self.window.level

    @property
    def sections(self) -> list[tuple[Anchor, list[tuple[str, tuple[str, ...]]]]]:
        """Each summary with its entries under the names that people read."""
        return [
            (
                anchor,
                [(str(SECTION_NAMES[name]), entries) for name, entries in anchor.summary.sections.items()],
            )
            for anchor in self.window.summaries
        ]


def gauge_of(window: Window | None, config: WindowConfig) -> Gauge:
    """The gauge of a conversation's window; of none it is empty."""
    empty = Window((), 0, 0, 0, config.budget_tokens, 0.0, 0)
    marks = (round(100 * config.warn_ratio), round(100 * config.block_ratio))
    return Gauge(window or empty, *marks)


def _width(tokens: int, window: Window) -> float:
    share = 100 * tokens / window.budget_tokens
    return round(min(100.0, max(share, 2.0 if tokens else 0.0)), 1)

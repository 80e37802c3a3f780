"""What a record's instants say of it: whether it was known then, and true then.

One rule for every way of asking: now, `as_of` an instant (when it was true), `known_at`
an instant (when we knew). All ranges are half-open.
"""

from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Lifespan:
    """A record's instants, aware UTC.

    A superseded one ends, by what is known since `superseded_at`, where the newer value
    begins; before, it ended at `stated_valid_to`. `is_event`: it stays true ever after.
    """

    said_at: datetime
    learned_at: datetime
    expired_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_at: datetime | None = None
    stated_valid_to: datetime | None = None
    is_event: bool = False

    @property
    def stated_end(self) -> datetime | None:
        """The end that was told, whatever came after."""
        return self.valid_to if self.superseded_at is None else self.stated_valid_to

    def without_successor(self) -> "Lifespan":
        """As it would be had no newer value come."""
        return replace(self, valid_to=self.stated_end, superseded_at=None)

    def has_begun(self, instant: datetime) -> bool:
        """Whether it held by then: since it was said, if nothing tells since when.

        What had ended when it was said held before, nobody knows since when.
        """
        if self.valid_from is not None:
            return self.valid_from <= instant
        return self.said_at <= instant or (self.stated_end is not None and self.stated_end <= self.said_at)


def is_recalled(
    span: Lifespan, *, now: datetime, as_of: datetime | None = None, known_at: datetime | None = None
) -> bool:
    """Whether a recall at `now` shows the record.

    Without `as_of` all that is known is shown but what a newer value has superseded by then.
    """
    if not _is_known(span, known_at):
        return False
    is_superseded = span.superseded_at is not None and (known_at is None or span.superseded_at <= known_at)
    end = span.valid_to if is_superseded else span.stated_end
    if as_of is None:
        return not is_superseded or end is None or (known_at or now) < end
    if not span.has_begun(as_of):
        return False
    return end is None or as_of < end or (span.is_event and not is_superseded)


def _is_known(span: Lifespan, known_at: datetime | None) -> bool:
    if known_at is None:
        return span.expired_at is None
    return span.learned_at <= known_at and (span.expired_at is None or known_at < span.expired_at)

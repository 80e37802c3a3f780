"""Recalls and what came of them, on the wire."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.paging import Page
from api.schemas.wire import RequestBody
from memory.domain.feedback import Outcome

if TYPE_CHECKING:
    from memory.models import RetrievalLog, UsageCount


class FeedbackIn(RequestBody):
    """What came of it; `open` takes a judgement back."""

    outcome: Outcome


class LogOut(Schema):
    """One recall: what was asked, planned, found, kept, and what came of it."""

    log_id: UUID
    session_id: UUID | None
    query: str
    effort: str
    plan: dict[str, Any]
    hits: list[dict[str, Any]] = Field(description="Best first; what was erased since has no text.")
    kept_ids: list[str] = Field(description="What the answer rests on.")
    response_excerpt: str
    notes: list[str]
    timings_ms: dict[str, float]
    outcome: str
    judged_by: str = Field(description="rules, model, user or curator; empty while open.")
    judged_at: datetime | None
    created_at: datetime

    @classmethod
    def of(cls, log: "RetrievalLog") -> "LogOut":
        """From a stored log."""
        same = {name: getattr(log, name) for name in cls.model_fields if name != "log_id"}
        return cls(log_id=log.id, **same)


class LogList(Schema):
    """A page of recalls, newest first; `total` counts every one that matches."""

    items: list[LogOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: "Page[RetrievalLog]") -> "LogList":
        """From a page of the selector."""
        return cls(
            items=[LogOut.of(log) for log in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )


class UsageOut(Schema):
    """How a record fares: recalls that handed it over, answers that rest on it, what came of them."""

    retrievals: int
    kept: int
    success: int
    fail: int
    last_used_at: datetime | None

    @classmethod
    def of(cls, count: "UsageCount") -> "UsageOut":
        """From its counters."""
        return cls(**{name: getattr(count, name) for name in cls.model_fields})


class RatedOut(Schema):
    """A record as it was rated, and how it fares now."""

    record_id: UUID
    outcome: Outcome
    usage: UsageOut

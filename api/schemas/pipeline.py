"""What is under way in a space, and whether the server is well, on the wire."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ninja import Schema

from sessions_app.selectors import SpaceStatus

if TYPE_CHECKING:
    from accounts.models import Job

_STATUSES = {"queued": "pending", "running": "pending", "done": "done", "failed": "failed"}


class PipelineStatus(Schema):
    """True counts of what you may see."""

    sessions: int
    turns: int
    tokens: int
    records: int
    skills: int
    draft_skills: int
    open_segments: int
    waiting_segments: int
    failed_segments: int
    fallback_segments: int
    running_jobs: int
    waiting_jobs: int
    failed_jobs: int
    unindexed: int

    @classmethod
    def of(cls, status: SpaceStatus) -> "PipelineStatus":
        """From the selector's counts."""
        return cls.model_validate(status)


class LastConsolidation(Schema):
    """`none`, `pending`, `done`, `skipped`, `partial` (another job goes on), or `failed` with the reason."""

    status: str
    job_id: UUID | None = None
    finished_at: datetime | None = None
    result: dict[str, Any] = {}
    error: str = ""

    @classmethod
    def of(cls, job: "Job | None") -> "LastConsolidation":
        """From the newest job, if there is one."""
        if job is None:
            return cls(status="none")
        status = _STATUSES[job.state]
        return cls(
            status=job.result.get("status", status) if status == "done" else status,
            job_id=job.id,
            finished_at=job.finished_at,
            result=job.result,
            error=job.error,
        )


class Health(Schema):
    """The server answers."""

    status: str
    version: str


class Part(Schema):
    """A part the server needs: `ok`, `degraded`, `warming` or `failed`, and how to mend it."""

    name: str
    status: str
    detail: str = ""


class Readiness(Schema):
    """`ready`, `warming` for some seconds after a start, or `not_ready` where a part has failed."""

    status: str
    parts: list[Part]

"""Filing a session on the wire, and the jobs that do it."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from api.schemas.wire import Clean, Flag, Instant, RequestBody, SessionName

if TYPE_CHECKING:
    from accounts.models import Job


class FilingOptions(RequestBody):
    """How a session is to be filed."""

    retrieved_context: Annotated[str, Field(max_length=1_000_000), Clean] | None = Field(
        None, description="Recalled text: what only repeats it is not stored again."
    )
    background: Flag = True
    force_ingest: Flag = Field(default=False, description="Also what looks like nothing new.")
    skip_skills: Flag = Field(default=False, description="Learn no skills from it.")
    flush_session: Flag = Field(default=True, description="Also the segment that is still open.")
    session_date: Instant | None = None


class FilingRequest(FilingOptions):
    """A session to file now."""

    session_id: SessionName


class Filed(Schema):
    """`started` with a job to ask for, or `done`/`skipped` with counts: done is searchable;
    `partial`: the time of one job was up, `next_job_id` goes on.
    """

    status: str
    job_id: UUID
    entities_added: int = 0
    skills_added: int = 0
    skill_versions: int = 0
    facts_added: int = 0
    seen_again: int = 0
    segments: int = 0
    segments_skipped: int = 0
    segments_left: int = 0
    next_job_id: UUID | None = None
    steps: list[dict[str, Any]] = []

    @classmethod
    def of(cls, job: "Job") -> "Filed":
        """From a job as it stands: an unfinished one has `started`."""
        if job.state != "done":
            return cls(status="started", job_id=job.id)
        result: dict[str, Any] = job.result
        return cls(
            status=result.get("status", "done"),
            job_id=job.id,
            entities_added=result.get("entities_added", 0),
            skills_added=result.get("skills_added", 0),
            skill_versions=result.get("skill_versions", 0),
            facts_added=result.get("records_added", 0),
            seen_again=result.get("seen_again", 0),
            segments=result.get("segments", 0),
            segments_skipped=result.get("skipped", 0),
            segments_left=result.get("left", 0),
            next_job_id=result.get("next_job_id"),
            steps=result.get("steps", []),
        )


class JobOut(Schema):
    """Queued work: `queued`, `running`, `done` with its result or `failed` with a reason."""

    job_id: UUID
    kind: str
    state: str
    attempts: int
    result: dict[str, Any]
    error: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @classmethod
    def of(cls, job: "Job") -> "JobOut":
        """From a job."""
        return cls(
            job_id=job.id,
            kind=job.kind,
            state=job.state,
            attempts=job.attempts,
            result=job.result,
            error=job.error,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
        )

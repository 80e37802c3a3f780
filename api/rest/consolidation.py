"""`/memory/consolidate` and `/jobs/{id}`: turns into lasting memory, now or in the background."""

import time
from typing import TYPE_CHECKING
from uuid import UUID

from ninja import Router, Status

from accounts.principals import Principal
from accounts.selectors import get_job
from accounts.services.jobs import retry_visible_job, run_job
from api.auth import SIGNED_IN, SignedIn
from api.schemas.consolidation import Filed, FilingOptions, FilingRequest, JobOut
from api.schemas.wire import SessionName
from memory.errors import ProviderError
from memory.services.reindex import await_vectors
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import find_session

if TYPE_CHECKING:
    from accounts.models import Job

WAIT_SECONDS = 120.0
INDEX_SECONDS = 10.0
_LOOK_SECONDS = 0.05

router = Router(tags=["consolidation"], auth=SIGNED_IN)
jobs_router = Router(tags=["jobs"], auth=SIGNED_IN)


@router.post("/consolidate", response={200: Filed, 202: Filed}, summary="Remember a session now")
def consolidate(request: SignedIn, payload: FilingRequest) -> Status[Filed]:
    """202 and a job; with `background: false` the counts, once everything is searchable."""
    return _consolidate(request.auth, payload.session_id, payload)


@router.post(
    "/consolidate/{path:session_id}",
    response={200: Filed, 202: Filed},
    summary="Remember the session of this address now",
)
def consolidate_session(
    request: SignedIn, session_id: SessionName, payload: FilingOptions | None = None
) -> Status[Filed]:
    """The same; the body may be left out."""
    return _consolidate(request.auth, session_id, payload or FilingOptions.model_validate({}))


@jobs_router.get("/{uuid:job_id}", response=JobOut, summary="Ask for a job")
def job(request: SignedIn, job_id: UUID) -> JobOut:
    """`queued`, `running`, `done` with its result, or `failed` with the reason."""
    return JobOut.of(get_job(request.auth, job_id))


@jobs_router.post("/{uuid:job_id}/retry", response={202: JobOut}, summary="Try a failed job again")
def retry(request: SignedIn, job_id: UUID) -> Status[JobOut]:
    """The job that does its work once more. 409 for one that has not failed."""
    return Status(202, JobOut.of(retry_visible_job(request.auth, job_id)))


def _consolidate(principal: Principal, name: str, options: FilingOptions) -> Status[Filed]:
    queued = request_consolidation(
        principal,
        find_session(principal, name),
        flush=options.flush_session,
        retrieved_context=options.retrieved_context or "",
        force=options.force_ingest,
        session_date=options.session_date,
        skip_skills=options.skip_skills,
    )
    if options.background:
        return Status(202, Filed.of(queued))
    filed = Filed.of(_wait_for(principal, queued.id))
    return Status(202 if filed.status == "started" else 200, filed)


def _wait_for(principal: Principal, job_id: UUID) -> "Job":
    """The job once it has ended, run here if no worker has it yet, or as it stands after
    WAIT_SECONDS. Raises ProviderError where it failed.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    job = run_job(job_id)
    while job.state in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)
        job = run_job(job_id)
    if job.state == "failed":
        raise ProviderError(job.error, code="consolidation_failed")
    await_vectors(principal.space_id, within_seconds=INDEX_SECONDS)
    return job

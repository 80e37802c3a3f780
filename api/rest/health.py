"""`/health`, `/livez`, `/readyz`: for load balancers and people on call."""

import logging
from collections.abc import Callable

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from kombu.exceptions import OperationalError
from ninja import Router, Status

from api.schemas.pipeline import Health, Part, Readiness
from memory.checks import check_embedder_packages, check_stored_vectors
from memory.selectors import model_states

logger = logging.getLogger(__name__)

PING_SECONDS = 1.0
OK, DEGRADED, FAILED = "ok", "degraded", "failed"
Finding = tuple[str, str]  # a status, and what to do where it is not OK

router = Router(tags=["health"])


@router.api_operation(["HEAD"], "/health", response=Health, include_in_schema=False)
@router.get("/health", response=Health, summary="Is it there")
def health(request: HttpRequest) -> Health:
    """The server answers, in this version."""
    return Health(status="ok", version=settings.VERSION)


@router.api_operation(["HEAD"], "/livez", response=Health, include_in_schema=False)
@router.get("/livez", response=Health, summary="Is it alive")
def livez(request: HttpRequest) -> Health:
    """The same; asks nothing of anything else."""
    return Health(status="ok", version=settings.VERSION)


@router.api_operation(["HEAD"], "/readyz", response={200: Readiness, 503: Readiness}, include_in_schema=False)
@router.get("/readyz", response={200: Readiness, 503: Readiness}, summary="Is it ready")
def readyz(request: HttpRequest) -> Status[Readiness]:
    """Database, index, worker and models, one by one; 503 where one of them is not well."""
    parts = [Part(name=name, status=status, detail=detail) for name, (status, detail) in _probe()]
    is_ready = all(part.status != FAILED for part in parts)
    return Status(
        200 if is_ready else 503, Readiness(status="ready" if is_ready else "not_ready", parts=parts)
    )


def _probe() -> list[tuple[str, Finding]]:
    return [(name, probe()) for name, probe in PROBES.items()]


def _database() -> Finding:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("The database does not answer")
        return FAILED, "The database does not answer; look at its log and at DATABASE_URL."
    return OK, ""


def _index() -> Finding:
    """Vectors of another embedder are a degraded index: recall by words still works."""
    found = [*check_embedder_packages(None), *check_stored_vectors(None)]
    if not found:
        return OK, ""
    status = FAILED if any(message.is_serious() for message in found) else DEGRADED
    return status, " ".join(f"{message.msg} {message.hint}" for message in found)


def _worker() -> Finding:
    try:
        answers = current_app.control.ping(timeout=PING_SECONDS, limit=1)
    except OperationalError:
        logger.exception("The broker does not answer")
        return FAILED, "The broker does not answer; look at REDIS_URL."
    if not answers:
        return FAILED, "No worker answers; start `serve`, or a Celery worker beside it."
    return OK, ""


def _models() -> Finding:
    """A model that fails is stood in for by rules, so nothing is out of order for long."""
    try:
        states = model_states()
    except DatabaseError:
        return DEGRADED, "Not known while the database does not answer."
    failing = [state for state in states if state.is_failing]
    if failing:
        told = [
            f"{state.model} has not answered since {state.failing_since:%Y-%m-%d %H:%M} UTC: {state.failure}"
            for state in failing
        ]
        return DEGRADED, " ".join(told)
    return OK, " ".join(f"{state.task}: {state.model}." for state in states)


PROBES: dict[str, Callable[[], Finding]] = {
    "database": _database,
    "index": _index,
    "worker": _worker,
    "models": _models,
}

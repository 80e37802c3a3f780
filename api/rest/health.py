"""`/health`, `/livez`, `/readyz`: for load balancers and people on call."""

import errno
import logging
import threading
from collections.abc import Callable
from time import monotonic

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from kombu.exceptions import OperationalError
from ninja import Router, Status

from accounts.services.probes import write_to_database, write_to_folder
from api.schemas.pipeline import Health, Part, Readiness
from memory.checks import check_embedder_packages, check_stored_vectors
from memory.selectors import model_states
from memory.services.warming import is_warming
from visual.selectors import looks_state

logger = logging.getLogger(__name__)

PING_SECONDS = 1.0
PACE_SECONDS = 5.0  # for which a part that was found well counts as such; balancers ask every second
OK, DEGRADED, WARMING, FAILED = "ok", "degraded", "warming", "failed"
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
    """Part by part; 503 where one of them is not well, or while the server still warms up."""
    parts = [Part(name=name, status=status, detail=detail) for name, (status, detail) in _probe()]
    states = {part.status for part in parts}
    status = "not_ready" if FAILED in states else "warming" if WARMING in states else "ready"
    return Status(200 if status == "ready" else 503, Readiness(status=status, parts=parts))


def _probe() -> list[tuple[str, Finding]]:
    return [(name, probe()) for name, probe in PROBES.items()]


def _database() -> Finding:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("The database does not answer")
        return FAILED, "The database does not answer; look at its log and at DATABASE_URL."
    try:
        write_to_database()
    except DatabaseError:
        logger.exception("The database stores nothing")
        return FAILED, "The database answers and stores nothing; look whether its disk is full or read-only."
    return OK, ""


def _folder() -> Finding:
    """Indexes and, by default, the database lie in it."""
    try:
        write_to_folder(settings.DATA_DIR)
    except OSError as error:
        logger.exception("The data folder cannot be written")
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return FAILED, "The disk of the data folder is full; make room. What is stored can still be read."
        return FAILED, "The data folder cannot be written; look at LYCHEE_DATA_DIR and its permissions."
    return OK, ""


def _warm_up() -> Finding:
    if is_warming():
        return WARMING, "Models and vector store are being loaded; a question now would wait for them."
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


def _images() -> Finding:
    """Without CLIP images are found by words alone: nothing is out of order, and it is said."""
    return OK, looks_state()


class Paced:
    """A probe that costs a commit, a sync or a message: anybody may ask, as often as they like.

    Only what is well is remembered: a failure and its end are told at once.
    """

    def __init__(self, probe: Callable[[], Finding]) -> None:
        self._probe = probe
        self._well_until = 0.0
        self._lock = threading.Lock()

    def __call__(self) -> Finding:
        """The finding, at most PACE_SECONDS old."""
        with self._lock:
            if monotonic() < self._well_until:
                return OK, ""
            finding = self._probe()
            self._well_until = monotonic() + PACE_SECONDS if finding[0] == OK else 0.0
            return finding


PROBES: dict[str, Callable[[], Finding]] = {
    "database": Paced(_database),
    "folder": Paced(_folder),
    "index": Paced(_index),
    "worker": Paced(_worker),
    "models": _models,
    "images": _images,
    "warm_up": _warm_up,
}

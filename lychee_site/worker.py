"""A Celery worker and a scheduler in threads of this process: the embedded default.

The broker is in memory, so queued messages die with the process; rows are the truth and
the sweep finds them after a restart.
"""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from celery.beat import EmbeddedService
from celery.worker import WorkController
from django.conf import settings

from lychee_site.celery import app
from memory.tasks import sweep_outboxes
from sessions_app.tasks import release_claims, sweep

logger = logging.getLogger(__name__)

CONCURRENCY = 4  # threads; encoding and embedding share the processor anyway
STOP_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class EmbeddedWorker:
    """What was started: `stop()` ends both threads, letting running tasks finish."""

    controller: WorkController
    scheduler: threading.Thread
    thread: threading.Thread

    def stop(self) -> None:
        """End the scheduler, then the worker."""
        self.scheduler.stop()  # type: ignore[attr-defined]
        self.controller.stop()
        self.thread.join(STOP_SECONDS)
        if self.thread.is_alive():
            logger.warning("the worker still has a task in hand; its lease will run out")


def start_embedded_worker() -> EmbeddedWorker:
    """Start both in this process.

    Without Redis it is the only one on its data folder: the claims that a killed one left are
    released, and what it left queued is taken up at once.
    """
    app.set_default()  # else pool threads may see another current app and run nothing
    controller = app.WorkController(
        hostname=f"lychee-{os.getpid()}@{socket.gethostname()}",  # several may share a machine
        pool="threads",
        concurrency=CONCURRENCY,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    thread = threading.Thread(target=controller.start, name="worker", daemon=True)
    thread.start()
    scheduler = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
    scheduler.start()
    if not settings.REDIS_URL:  # else other processes may be at work
        release_claims()
    sweep.delay()
    sweep_outboxes.delay()
    return EmbeddedWorker(controller, scheduler, thread)


@contextmanager
def embedded_worker() -> Iterator[EmbeddedWorker]:
    """A worker and a scheduler for as long as the block lasts."""
    worker = start_embedded_worker()
    try:
        yield worker
    finally:
        worker.stop()

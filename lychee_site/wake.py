"""What happens when a service has queued work: the fitting task is sent to the broker.

A broker that does not answer never fails the write that has just been committed; the
periodic sweep finds the rows.
"""

import logging
from collections.abc import Mapping
from uuid import UUID

from celery import Task
from kombu.exceptions import OperationalError

from accounts.registries import set_wake
from memory.tasks import drain_space, fuse_records, title_composites
from sessions_app.tasks import run_space_jobs
from visual.tasks import describe_images

logger = logging.getLogger(__name__)

_TASKS: Mapping[str, Task] = {
    "index": drain_space,
    "fuse": fuse_records,
    "title": title_composites,
    "job": run_space_jobs,
    "visual": describe_images,
}


def wake(kind: str, space_id: UUID) -> None:
    """Send the task that works off this kind of queue in this space."""
    try:
        # Two tries within a second: whoever wrote waits for this call.
        _TASKS[kind].apply_async((str(space_id),), retry=True, retry_policy={"max_retries": 1})
    except OperationalError:
        logger.warning("the broker does not answer; the sweep will find the %s of space %s", kind, space_id)


def install() -> None:
    """Let services wake workers from now on."""
    set_wake(wake)

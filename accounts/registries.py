"""Where higher apps leave what lower ones need; filled in `AppConfig.ready()`.

`wake(kind, space_id)` is called by services after a commit that queued work;
lychee_site sets it to a Celery task. Job kinds are callables by name.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction

Wake = Callable[[str, UUID], None]
JobRunner = Callable[[UUID], dict[str, Any]]

_wake: list[Wake] = []
_job_kinds: dict[str, JobRunner] = {}


def set_wake(hook: Wake | None) -> None:
    """Set what is called when work was queued; None removes it."""
    _wake[:] = [hook] if hook else []


def wake_on_commit(kind: str, space_id: UUID) -> None:
    """Call the hook once the running transaction has committed."""

    def call() -> None:
        for hook in _wake:
            hook(kind, space_id)

    transaction.on_commit(call, robust=True)


def register_job_kind(kind: str, runner: JobRunner) -> None:
    """Name the function that carries out a job of this kind; it gets the job's id
    and returns its result.
    """
    _job_kinds[kind] = runner


def job_runner(kind: str) -> JobRunner:
    """The function for this kind. Raises KeyError for an unknown one."""
    return _job_kinds[kind]

"""How models are doing, told to other processes: what this one knows becomes a row.

Called after work that called models, in its transaction; a row is written when it changes
what people would read, so that a model that works costs one query.
"""

from datetime import datetime, timedelta

from memory.models import ModelStatus
from memory.providers.model_health import ModelHealth
from memory.providers.registry import model_healths

_REFRESHED = timedelta(minutes=1)  # the time of a failure that goes on is renewed this often


def publish_model_status() -> None:
    """Write what the last call of each configured model showed, where no later call is known."""
    healths = {task: health for task, health in model_healths().items() if health.noted_at}
    rows = {row.task: row for row in ModelStatus.objects.filter(task__in=healths)} if healths else {}
    for task, health in healths.items():
        known = rows.get(task)
        if known is not None and _place(known) != _place(health):
            known = None  # what is known of another model says nothing
        if health.noted_at and _is_news(known, health, health.noted_at):
            _write(task, known, health, health.noted_at)


def _is_news(known: ModelStatus | None, health: ModelHealth, noted_at: datetime) -> bool:
    if known is None:
        return True
    if known.noted_at >= noted_at:
        return False
    if known.is_failing != health.is_failing:
        return True
    is_long_ago = noted_at - known.noted_at > _REFRESHED
    return health.is_failing and (known.failure != health.failure[:300] or is_long_ago)


def _write(task: str, known: ModelStatus | None, health: ModelHealth, noted_at: datetime) -> None:
    """What another process saw begin goes on; its last failure stays to be read."""
    model, origin = _place(health)
    since = known.failing_since if known and known.is_failing else health.failing_since
    ModelStatus.objects.update_or_create(
        task=task,
        defaults={
            "model": model,
            "origin": origin,
            "is_failing": health.is_failing,
            "failing_since": since if health.is_failing else None,
            "failed_at": health.failed_at or (known.failed_at if known else None),
            "failure": health.failure[:300] or (known.failure if known else ""),
            "noted_at": noted_at,
        },
    )


def _place(known: ModelStatus | ModelHealth) -> tuple[str, str]:
    """Which model, and where it is called."""
    return known.model[:200], known.origin[:255]

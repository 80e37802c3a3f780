"""The audit trail's one way in, and how it forgets what was erased."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.models import AuditEvent

Changes = Mapping[str, tuple[object, object]]  # by field: the value before and after


def record_audit(  # noqa: PLR0913 - a line of the trail
    *,
    action: str,
    object_type: str,
    object_id: UUID,
    space_id: UUID | None,
    user_id: UUID | None,
    fields: tuple[str, ...] = (),
    changes: Changes | None = None,
    version: int | None = None,
    digest: str = "",
) -> None:
    """Write one line of the audit trail, in the caller's transaction.

    `changes` are kept as JSON: instants as ISO 8601, ids as text; they name the `fields` too.
    """
    kept = {name: [_plain(before), _plain(after)] for name, (before, after) in (changes or {}).items()}
    AuditEvent.objects.create(
        action=action,
        object_type=object_type,
        object_id=object_id,
        space_id=space_id,
        user_id=user_id,
        fields=list(fields or kept),
        changes=kept,
        version=version,
        digest=digest,
    )


def forget_values(space_id: UUID, object_id: UUID) -> int:
    """Take an object's values out of the trail; who did what and when stays. How many lines."""
    lines = AuditEvent.objects.filter(space_id=space_id, object_id=object_id)
    return lines.exclude(changes={}).update(changes={})


def _plain(value: object) -> Any:
    """The value as JSON holds it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value

"""The audit trail's one way in."""

from uuid import UUID

from accounts.models import AuditEvent


def record_audit(
    *,
    action: str,
    object_type: str,
    object_id: UUID,
    space_id: UUID | None,
    user_id: UUID | None,
    fields: tuple[str, ...] = (),
) -> None:
    """Write one line of the audit trail, in the caller's transaction."""
    AuditEvent.objects.create(
        action=action,
        object_type=object_type,
        object_id=object_id,
        space_id=space_id,
        user_id=user_id,
        fields=list(fields),
    )

"""What the visual memory needs of the app above it, left here in its `AppConfig.ready()`."""

from collections.abc import Callable
from uuid import UUID

Described = Callable[[UUID, UUID], None]

_described: list[Described] = []


def set_described(hook: Described | None) -> None:
    """Say who is told, in the transaction, of an image of a space that was described in the
    background: it may have read it undescribed. None: nobody.
    """
    _described[:] = [hook] if hook else []


def tell_described(space_id: UUID, visual_id: UUID) -> None:
    """Tell that an image says more than it did, in the caller's transaction."""
    for hook in _described:
        hook(space_id, visual_id)

"""What the visual memory needs of the app above it, left here in its `AppConfig.ready()`."""

from collections.abc import Callable
from uuid import UUID

MaySpend = Callable[[UUID], bool]

Described = Callable[[UUID, UUID], None]

_may_spend: list[MaySpend] = []
_described: list[Described] = []


def set_may_spend(hook: MaySpend | None) -> None:
    """Say who knows whether a space may call models today; None: it always may."""
    _may_spend[:] = [hook] if hook else []


def may_spend(space_id: UUID) -> bool:
    """Whether the space may call models today."""
    return all(hook(space_id) for hook in _may_spend)


def set_described(hook: Described | None) -> None:
    """Say who is told, in the transaction, of an image of a space that was described in the
    background: it may have read it undescribed. None: nobody.
    """
    _described[:] = [hook] if hook else []


def tell_described(space_id: UUID, visual_id: UUID) -> None:
    """Tell that an image says more than it did, in the caller's transaction."""
    for hook in _described:
        hook(space_id, visual_id)

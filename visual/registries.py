"""What the visual memory needs of the app above it, left here in its `AppConfig.ready()`."""

from collections.abc import Callable
from uuid import UUID

MaySpend = Callable[[UUID], bool]

_may_spend: list[MaySpend] = []


def set_may_spend(hook: MaySpend | None) -> None:
    """Say who knows whether a space may call models today; None: it always may."""
    _may_spend[:] = [hook] if hook else []


def may_spend(space_id: UUID) -> bool:
    """Whether the space may call models today."""
    return all(hook(space_id) for hook in _may_spend)

"""What came of a recall, written onto its log once the answer stands."""

from collections.abc import Sequence
from uuid import UUID

from memory.config import RecallConfig
from memory.models import RetrievalLog


def close_log(log_id: UUID, space_id: UUID, *, kept_ids: Sequence[UUID], excerpt: str) -> None:
    """Note which items the answer rests on and how it began; unknown logs are ignored.

    In the caller's transaction. `excerpt` is cut to `RecallConfig.excerpt_chars`.
    """
    RetrievalLog.objects.for_space(space_id).filter(pk=log_id).update(
        kept_ids=[str(item) for item in kept_ids],
        response_excerpt=excerpt[: RecallConfig.STANDARD.excerpt_chars],
    )

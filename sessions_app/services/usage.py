"""Tokens: what each call took, as rows, and whether a space may spend more today.

Past its daily budget a space is answered by the offline engine; nothing is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone

from memory.domain.types import Usage
from memory.ports import LanguageModel
from memory.providers.registry import language_model, offline_language, vision_client
from memory.services.model_status import publish_model_status
from sessions_app.models import UsageEntry

BUDGET_SPENT: Final = "The day's token budget of this space is used up; rules stand in for the model."


@dataclass(frozen=True, slots=True)
class Allowance:
    """The language model that a space may use now; `notes` say why it is not the one in use."""

    language: LanguageModel
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UsageScope:
    """Whose and what for a call was."""

    space_id: UUID
    private_to_id: UUID | None = None
    session_id: UUID | None = None
    turn_id: UUID | None = None
    segment_id: UUID | None = None


def allowance_of(space_id: UUID) -> Allowance:
    """The model in use, or the offline engine once the day's budget is spent."""
    if is_budget_spent(space_id):
        return Allowance(offline_language(), (BUDGET_SPENT,))
    return Allowance(language_model())


def may_spend(space_id: UUID) -> bool:
    """Whether models may be called for the space in the background."""
    return not is_budget_spent(space_id)


def is_budget_spent(space_id: UUID) -> bool:
    """Whether the space has used today (UTC) what it may; private sessions count too."""
    budget: int = settings.DAILY_TOKEN_BUDGET
    if not budget or (language_model() is offline_language() and vision_client() is None):
        return False
    today = UsageEntry.objects.for_space(space_id).filter(day=timezone.now().date())
    spent = today.aggregate(tokens=Sum(F("input_tokens") + F("output_tokens")))["tokens"]
    return (spent or 0) >= budget


def record_usage(scope: UsageScope, usages: Sequence[Usage]) -> None:
    """Write a row for each call, and how the models are doing, in the caller's transaction.

    To be called also where every call failed and there is nothing to count.
    """
    publish_model_status()
    day = timezone.now().date()
    UsageEntry.objects.for_space(scope.space_id).bulk_create(
        UsageEntry(
            space_id=scope.space_id,
            private_to_id=scope.private_to_id,
            session_id=scope.session_id,
            turn_id=scope.turn_id,
            segment_id=scope.segment_id,
            purpose=usage.purpose,
            model=usage.model[:200],
            day=day,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
            is_estimated=usage.is_estimated,
        )
        for usage in usages
    )


def record_embedding(space_id: UUID, private_to_id: UUID | None, usages: Sequence[Usage]) -> None:
    """Write what embedding for the indexes took: nobody asked for it, a write caused it."""
    record_usage(UsageScope(space_id, private_to_id), usages)

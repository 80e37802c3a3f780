"""The usage prior: how items fared before, as a small and visible term of their score."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memory.domain.feedback import usage_prior
from memory.domain.selection import Candidate
from memory.domain.types import Kind
from memory.models import UsageCount
from memory.services.recall_plan import Asked

USAGE = "usage"  # the channel's name in a breakdown


def with_usage(asked: Asked, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with what usage says for them, best first; ties stay as they are.

    The term is a share of the best score, so that it weighs the same on every scale: at most
    ±`RecallConfig.usage_weight` of it. Turns have no counters.
    """
    weight = asked.config.usage_weight
    ids = [each.id for each in candidates if each.kind is not Kind.TURN]
    if not weight or not ids:
        return list(candidates)
    told = _outcomes(asked.request.reader.space_id, ids)
    if not told:
        return list(candidates)
    scale = max(abs(each.score) for each in candidates)
    ranked = [_with_prior(each, told, weight * scale) for each in candidates]
    return sorted(ranked, key=lambda each: -each.score)


def _with_prior(candidate: Candidate, told: dict[UUID, tuple[int, int]], weight: float) -> Candidate:
    if candidate.id not in told:
        return candidate
    success, fail = told[candidate.id]
    prior = usage_prior(success, fail, weight=weight)
    return replace(candidate, score=candidate.score + prior, breakdown={**candidate.breakdown, USAGE: prior})


def _outcomes(space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, tuple[int, int]]:
    """Successes and failures of those of the items that have any."""
    counts = UsageCount.objects.for_space(space_id).filter(item_id__in=ids).exclude(success=0, fail=0)
    return {item: (success, fail) for item, success, fail in counts.values_list("item_id", "success", "fail")}

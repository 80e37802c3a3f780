"""One recall to its log row: what was asked, planned, found and left out."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from memory.domain.secrets import screen
from memory.domain.types import Dropped, Evidence, Hit, Plan, Recalled, RecallRequest
from memory.models import RetrievalLog

TEXT_CHARS = 300  # of each item, so that a log stays readable once the item is gone


def write_log(request: RecallRequest, recalled: Recalled) -> UUID:
    """Write the row; it is the asker's own, whatever it found."""
    row = RetrievalLog.objects.for_space(request.reader.space_id).create(
        space_id=request.reader.space_id,
        private_to_id=request.reader.user_id,
        user_id=request.reader.user_id,
        session_id=request.session_id,
        query=screen(request.question),
        effort=request.effort.value,
        plan=_plan(recalled.plan),
        hits=[_hit(hit) for hit in recalled.hits],
        dropped=[_dropped(each) for each in recalled.dropped],
        notes=list(recalled.notes),
        timings_ms={name: round(taken, 2) for name, taken in recalled.timings_ms.items()},
    )
    return UUID(str(row.id))


def add_to_log(log_id: UUID, space_id: UUID, items: Sequence[Mapping[str, Any]]) -> None:
    """Note what other memories found for the same question, after the records; unknown logs are ignored.

    `items` have at least `kind`, `id`, `text` and `score`.
    """
    logs = RetrievalLog.objects.for_space(space_id)
    with transaction.atomic():
        log = logs.select_for_update().filter(pk=log_id).first()
        if log is not None:
            added = [{**item, "text": str(item["text"])[:TEXT_CHARS]} for item in items]
            logs.filter(pk=log_id).update(hits=[*log.hits, *added])


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "mode": plan.mode,
        "question_type": plan.question_type,
        "names": list(plan.names),
        "is_small_talk": plan.is_small_talk,
        "origin": plan.origin,
        "action": {
            "tentative": screen(plan.action.tentative_action),
            "constraints": [screen(each) for each in plan.action.known_constraints],
            "failure": screen(plan.action.failure_signal),
            "missing": [screen(each) for each in plan.action.missing_slots],
            "tools": list(plan.action.available_tools),
            "last_tool": plan.action.last_tool,
            "last_result": screen(plan.action.last_result),
        },
        "routes": [
            {
                "goal": screen(route.goal),
                "queries": [screen(query) for query in route.queries],
                "constraints": list(route.constraints),
                "time_range": [route.time_range.start.isoformat(), route.time_range.end.isoformat()]
                if route.time_range
                else None,
            }
            for route in plan.routes
        ],
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "kind": hit.kind.value,
        "id": str(hit.id),
        "memory_type": hit.memory_type,
        "subject": hit.subject,
        "text": hit.text[:TEXT_CHARS],
        "said_at": hit.said_at.isoformat(),
        "score": round(hit.score, 4),
        "rank_score": round(hit.rank_score, 5),
        "breakdown": {name: round(value, 4) for name, value in hit.breakdown.items()},
        "turns": [_turn(each) for each in hit.evidence if not each.is_neighbour],
        "reason": hit.reason,
    }


def _turn(each: Evidence) -> dict[str, Any]:
    return {
        "turn_id": str(each.turn_id),
        "session_id": str(each.session_id),
        "session": each.session_name,
        "index": each.index,
        "speaker": each.speaker,
    }


def _dropped(each: Dropped) -> dict[str, Any]:
    return {
        "kind": each.kind.value,
        "id": str(each.id),
        "score": round(each.score, 4),
        "reason": each.reason,
    }

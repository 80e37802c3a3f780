"""A recalled item on the wire: what it says, where it came from, why it was recalled."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema

from memory.domain.types import Evidence, Hit, Kind, LostTurn, Recalled, Temporal


class TemporalOut(Schema):
    """When it was true, and what moment the text speaks of; half-open."""

    t_ref: datetime | None
    t_valid_from: datetime | None
    t_valid_to: datetime | None

    @classmethod
    def of(cls, temporal: Temporal) -> "TemporalOut":
        """From the domain's value."""
        return cls(t_ref=temporal.ref, t_valid_from=temporal.valid_from, t_valid_to=temporal.valid_to)


class Provenance(Schema):
    """One recalled item. Turn indexes count from 0 in `source_session`; only composites have a `title`.

    Once that conversation was deleted its name is empty, and the indexes tell where it said so.
    """

    record_id: UUID
    source: str
    semantic_source_type: str
    memory_type: str
    title: str
    score: float
    score_breakdown: dict[str, float]
    semantic_text: str
    display_text: str
    temporal: TemporalOut
    entities: list[str]
    source_session: str
    source_session_id: UUID | None
    source_role: str
    said_at: datetime
    evidence_turn_range: list[int]
    evidence_turns: list[int]
    matched_routes: list[int]
    reason: str

    @classmethod
    def of(cls, hit: Hit) -> "Provenance":
        """From a hit; `evidence_turns` keeps its order, most relevant first."""
        first = hit.evidence[0] if hit.evidence else None
        session_id, turns = _places(hit)
        source = source_of(hit.kind)
        return cls(
            record_id=hit.id,
            source=source,
            semantic_source_type=source,
            memory_type=hit.memory_type,
            title=hit.title,
            score=hit.score,
            score_breakdown=dict(hit.breakdown),
            semantic_text=hit.text,
            display_text=_display_text(hit, first),
            temporal=TemporalOut.of(hit.temporal),
            entities=list(hit.entities),
            source_session=first.session_name if first else "",
            source_session_id=session_id,
            source_role=hit.source_role,
            said_at=hit.said_at,
            evidence_turn_range=sorted(turns),
            evidence_turns=turns,
            matched_routes=list(hit.matched_routes),
            reason=hit.reason,
        )


class DroppedItem(Schema):
    """An item that was found and left out."""

    record_id: UUID
    source: str
    semantic_text: str
    score: float
    reason: str


def source_of(kind: Kind) -> str:
    """The name of a kind on the wire: composite, record or episode."""
    return "episode" if kind is Kind.TURN else kind.value


def provenance_of(recalled: Recalled) -> list[Provenance]:
    """Every kept item, best first."""
    return [Provenance.of(hit) for hit in recalled.hits]


def dropped_of(recalled: Recalled) -> list[DroppedItem]:
    """Every item left out, with the reason."""
    return [
        DroppedItem(
            record_id=item.id,
            source=source_of(item.kind),
            semantic_text=item.text,
            score=item.score,
            reason=item.reason,
        )
        for item in recalled.dropped
    ]


def fragments_of(recalled: Recalled) -> str:
    """The recalled texts alone: handed back to consolidate they are not stored again."""
    return "\n".join(hit.text for hit in recalled.hits)


def status_of(recalled: Recalled) -> str:
    """`partial` where something degraded, `offline` where rules stood in for a model, else `ok`."""
    if recalled.is_degraded:
        return "partial"
    return "offline" if recalled.plan.origin == "offline" else "ok"


def trace_of(recalled: Recalled) -> Mapping[str, Any]:
    """How the recall went, as JSON."""
    return {
        "plan": {
            "mode": recalled.plan.mode,
            "question_type": recalled.plan.question_type,
            "origin": recalled.plan.origin,
            "routes": [{"goal": route.goal, "queries": route.queries} for route in recalled.plan.routes],
        },
        "provenance": [item.model_dump(mode="json") for item in provenance_of(recalled)],
        "dropped": [item.model_dump(mode="json") for item in dropped_of(recalled)],
        "notes": list(recalled.notes),
        "timings_ms": dict(recalled.timings_ms),
        "log_id": str(recalled.log_id) if recalled.log_id else None,
    }


def _places(hit: Hit) -> tuple[UUID | None, list[int]]:
    """The session of the first turn that is there, else of the first that is lost, and its turns."""
    rested_on: tuple[Evidence, ...] | tuple[LostTurn, ...] = hit.evidence or hit.lost
    if not rested_on:
        return None, []
    session_id = rested_on[0].session_id
    return session_id, [turn.index for turn in rested_on if turn.session_id == session_id]


def _display_text(hit: Hit, first: Evidence | None) -> str:
    if hit.kind is Kind.TURN and first and first.speaker:
        return f"{first.speaker}: {hit.text}"
    return hit.text

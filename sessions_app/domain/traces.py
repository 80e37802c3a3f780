"""What a stage did, as JSON that a person can read: the trace fragments of a chat."""

from collections.abc import Mapping, Sequence

from memory.domain.types import Dropped, Effort, Hit, Plan, Usage
from sessions_app.domain.types import Anchor, Grounds, Recollection, Window
from skills.domain.types import SkillHit
from visual.domain.telling import alt_text
from visual.domain.types import Visual, VisualHit

_TEXT_CHARS = 300  # of each hit
_PLAN_KEPT = ("mode", "question_type", "is_small_talk", "origin")


def window_trace(window: Window, *, turn_index: int, took_ms: float) -> dict[str, object]:
    """What the working memory holds."""
    return {
        "turn_index": turn_index,
        "turns": len(window.recent),
        "summaries": [_anchor(anchor) for anchor in window.summaries],
        "tokens": window.tokens,
        "session_tokens": window.session_tokens,
        "used_tokens": window.used_tokens,
        "budget_tokens": window.budget_tokens,
        "pressure": round(window.pressure, 4),
        "left_out": window.left_out,
        "note": window.note,
        "ms": _ms(took_ms),
    }


def _anchor(anchor: Anchor) -> dict[str, object]:
    """Which turns a summary stood for; its text is no part of a trace."""
    return {
        "first_turn": anchor.first_turn,
        "end_turn": anchor.end_turn,
        "turns": anchor.covered_turns,
        "tokens": anchor.tokens,
        "made_by": anchor.made_by,
    }


def search_trace(recollection: Recollection, *, effort: Effort, took_ms: float) -> dict[str, object]:
    """What was planned, found and kept."""
    recalled = recollection.records
    return {
        "effort": effort.value,
        "plan": plan_trace(recalled.plan),
        "hits": [_hit(hit, number) for number, hit in enumerate(recalled.hits, start=1)],
        "dropped": [_dropped(item) for item in recalled.dropped],
        "skills": [_skill(hit) for hit in recollection.skills],
        "images": [_recalled_image(hit) for hit in recollection.visuals],
        "context_tokens": recalled.context_tokens,
        "notes": list(recalled.notes),
        "timings_ms": _rounded(recalled.timings_ms),
        "log_id": str(recalled.log_id) if recalled.log_id else None,
        "ms": _ms(took_ms),
    }


def synthesis_trace(grounds: Grounds, *, took_ms: float) -> dict[str, object]:
    """What was judged to be of use, and what became of it."""
    kept = [n for n in range(1, len(grounds.scores) + 1) if grounds.useful is None or n in grounds.useful]
    return {
        "model": grounds.model,
        "scores": [round(score, 4) for score in grounds.scores],
        "kept": kept,
        "context": grounds.context,
        "notes": list(grounds.notes),
        "ms": _ms(took_ms),
    }


def plan_trace(plan: Plan) -> dict[str, object]:
    """A plan in words."""
    return {
        "mode": plan.mode,
        "question_type": plan.question_type,
        "routes": [{"goal": route.goal, "queries": list(route.queries)} for route in plan.routes],
        "names": list(plan.names),
        "is_small_talk": plan.is_small_talk,
        "origin": plan.origin,
    }


def reason_trace(
    *, model: str, pieces: int, kept: int, took_ms: float, notes: Sequence[str] = ()
) -> dict[str, object]:
    """How the answer was written, and by which model."""
    return {"model": model, "pieces": pieces, "kept": kept, "notes": list(notes), "ms": _ms(took_ms)}


def kept_trace(fragments: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """The fragments as they are kept with the answer: how it came about, without its texts.

    What was recalled is told by the recall's log, which has readers of its own: here it is counted.
    """
    kept: dict[str, object] = dict(fragments)
    search = fragments.get("search")
    if search is not None:
        plan = search["plan"]
        kept["search"] = {
            "found": _count(search["hits"]) + _count(search["dropped"]),
            "kept": _count(search["hits"]),
            "skills": _count(search["skills"]),
            "images": _count(search["images"]),
            "plan": {name: plan[name] for name in _PLAN_KEPT} if isinstance(plan, Mapping) else {},
            **{name: search[name] for name in ("effort", "context_tokens", "notes", "timings_ms", "ms")},
        }
    if "visual_memory" in fragments:
        shown = fragments["visual_memory"]
        kept["visual_memory"] = {**shown, "images": _count(shown["images"])}
    if "synthesize" in fragments:
        kept["synthesize"] = {
            name: value for name, value in fragments["synthesize"].items() if name != "context"
        }
    return kept


def usage_trace(usages: Sequence[Usage]) -> list[dict[str, object]]:
    """What the models took, call by call."""
    return [
        {
            "purpose": usage.purpose,
            "model": usage.model,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "is_estimated": usage.is_estimated,
        }
        for usage in usages
    ]


def _count(items: object) -> int:
    return len(items) if isinstance(items, Sequence) else 0


def _hit(hit: Hit, number: int) -> dict[str, object]:
    return {
        "number": number,
        "kind": hit.kind.value,
        "id": str(hit.id),
        "type": hit.memory_type,
        "text": _cut(hit.text),
        "score": round(hit.score, 4),
        "reason": hit.reason,
        "subject": hit.subject,
        "said_at": hit.said_at.isoformat(),
        "turns": [
            {
                "turn_id": str(evidence.turn_id),
                "session_id": str(evidence.session_id),
                "session": evidence.session_name,
                "index": evidence.index,
                "speaker": evidence.speaker,
            }
            for evidence in hit.evidence
            if not evidence.is_neighbour
        ],
    }


def _dropped(item: Dropped) -> dict[str, object]:
    return {
        "kind": item.kind.value,
        "id": str(item.id),
        "text": _cut(item.text),
        "score": round(item.score, 4),
        "reason": item.reason,
    }


def _skill(hit: SkillHit) -> dict[str, object]:
    return {
        "id": str(hit.id),
        "intent": _cut(hit.intent),
        "version": hit.number,
        "score": round(hit.score, 4),
        "is_reusable": hit.is_reusable,
        "reason": hit.reason,
    }


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT_CHARS else text[: _TEXT_CHARS - 1] + "…"


def _rounded(timings: Mapping[str, float]) -> dict[str, float]:
    return {stage: _ms(took) for stage, took in timings.items()}


def _ms(took: float) -> float:
    return round(took, 1)


def images_trace(
    visuals: Sequence[Visual], *, added: int, notes: Sequence[str], took_ms: float
) -> dict[str, object]:
    """Which images came with the message, and what is told of them."""
    return {
        "images": [_image(visual) for visual in visuals],
        "described": sum(bool(visual.caption) for visual in visuals),
        "added": added,
        "notes": list(notes),
        "ms": _ms(took_ms),
    }


def _image(visual: Visual) -> dict[str, object]:
    return {
        "id": str(visual.id),
        "caption": _cut(visual.caption),
        "alt": _cut(alt_text(visual)),
        "mime": visual.mime,
        "width": visual.width,
        "height": visual.height,
        "is_described": bool(visual.caption),
    }


def _recalled_image(hit: VisualHit) -> dict[str, object]:
    return {**_image(hit.visual), "score": round(hit.score, 4), "reason": hit.reason}

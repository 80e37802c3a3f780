"""One question put to every memory: the records first, whose plan the others follow, one log for all."""

from dataclasses import dataclass, replace

from memory.domain.types import Kind, Recalled, RecallRequest
from memory.ports import LanguageModel, OnUsage
from memory.services.recall import recall
from memory.services.recall_log import add_to_log
from sessions_app.domain.types import Recollection
from skills.domain.types import SkillHit
from skills.services.recall import recall_skills
from visual.domain.telling import alt_text
from visual.domain.types import VisualHit, VisualQuery, VisualRecalled
from visual.selectors import has_images
from visual.services.recall import recall_visuals

MOST_IMAGES = 5  # recalled for one question


@dataclass(frozen=True, slots=True)
class Beside:
    """Which memories are asked beside the records."""

    skills: bool = True
    visuals: bool = True


EVERYTHING = Beside()


def recollect(
    request: RecallRequest,
    *,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
    include: Beside = EVERYTHING,
) -> Recollection:
    """What the memories hold for the question. Raises ProviderError as recall does."""
    records = recall(request, language=language, on_usage=on_usage)
    skills = recall_skills(request.reader, records, on_usage=on_usage) if include.skills else ()
    visuals = _recall_images(request, records, on_usage) if include.visuals else VisualRecalled()
    _note(request, records, [*map(_logged, skills), *map(_logged_image, visuals.hits)])
    records = replace(records, notes=(*records.notes, *visuals.notes))
    return Recollection(records, skills, visuals.hits)


def _recall_images(request: RecallRequest, records: Recalled, on_usage: OnUsage | None) -> VisualRecalled:
    """The images that fit, for a chat surely; small talk and spaces without images cost nothing."""
    if records.plan.is_small_talk or not has_images(request.reader):
        return VisualRecalled()
    query = VisualQuery(
        text=request.question,
        top_k=min(request.top_k or MOST_IMAGES, MOST_IMAGES),
        is_strict=request.is_turn,  # who asks for images wants to see what there is
        exclude_turn_ids=request.exclude_turn_ids,
    )
    return recall_visuals(request.reader, query, now=request.now, on_usage=on_usage)


def _note(request: RecallRequest, records: Recalled, found: list[dict[str, object]]) -> None:
    """Write what was found beside the records onto their log."""
    if found and records.log_id is not None:
        add_to_log(records.log_id, request.reader.space_id, found)


def _logged_image(hit: VisualHit) -> dict[str, object]:
    return {
        "kind": Kind.VISUAL.value,
        "id": str(hit.visual.id),
        "memory_type": Kind.VISUAL.value,
        "text": alt_text(hit.visual),
        "score": round(hit.score, 4),
        "turns": [],
        "reason": hit.reason,
    }


def _logged(hit: SkillHit) -> dict[str, object]:
    return {
        "kind": Kind.SKILL.value,
        "id": str(hit.id),
        "memory_type": Kind.SKILL.value,
        "text": hit.intent,
        "score": round(hit.score, 4),
        "version": hit.number,
        "is_reusable": hit.is_reusable,
        "turns": [],
        "reason": hit.reason,
    }

"""One question put to every memory: the records first, whose plan the others follow, one log for all."""

from memory.domain.types import Kind, Recalled, RecallRequest
from memory.ports import LanguageModel, OnUsage
from memory.services.recall import recall
from memory.services.recall_log import add_to_log
from sessions_app.domain.types import Recollection
from skills.domain.types import SkillHit
from skills.services.recall import recall_skills


def recollect(
    request: RecallRequest,
    *,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
    with_skills: bool = True,
) -> Recollection:
    """What the memories hold for the question. Raises ProviderError as recall does."""
    records = recall(request, language=language, on_usage=on_usage)
    skills = recall_skills(request.reader, records, on_usage=on_usage) if with_skills else ()
    _note(request, records, skills)
    return Recollection(records, skills)


def _note(request: RecallRequest, records: Recalled, skills: tuple[SkillHit, ...]) -> None:
    """Write what was found beside the records onto their log."""
    if skills and records.log_id is not None:
        add_to_log(records.log_id, request.reader.space_id, [_logged(hit) for hit in skills])


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

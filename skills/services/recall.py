"""A question to the active skills that tell how to do it, best first.

HyDE: the plan's hypothetical answer is compared with the intents, and so is the question itself;
both were embedded for the records already. docs/algorithms/skills.md.
"""

import logging
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet

from memory.config import RecallConfig
from memory.domain.feedback import usage_prior
from memory.domain.types import Plan, Reader, Recalled
from memory.errors import IndexMismatch, ProviderError
from memory.ports import OnUsage, Vectors
from memory.providers.registry import embedder, token_counter
from skills.config import SkillConfig
from skills.domain.hyde import asks_how, is_reusable, skill_limit, skill_prompt
from skills.domain.types import SkillHit, SkillState, SkillUsage
from skills.models import Skill
from skills.selectors import usage_of_skills
from skills.services.settings import skill_config
from skills.stores.near import Near, nearest_by_vector, nearest_by_words

HANDED = "It was handed back as reusable."

logger = logging.getLogger(__name__)


def recall_skills(
    reader: Reader,
    recalled: Recalled,
    *,
    on_usage: OnUsage | None = None,
    config: SkillConfig | None = None,
) -> tuple[SkillHit, ...]:
    """The active skills for a question, as this reader may see them, after what was recalled for it.

    By words alone where vectors cannot be had. Drafts and retired ones are never among them.
    """
    config = config or skill_config()
    plan = recalled.plan
    is_procedural = asks_how(recalled.question, recalled.hits)
    limit = skill_limit(plan, is_procedural=is_procedural, config=config)
    if not limit or not _active(reader).exists():
        return ()
    near = _near(reader, recalled, on_usage, config)
    best = _best(reader, {id_: each for id_, each in near.items() if _passes(each, config)}, limit)
    rows = _active(reader).in_bulk(best)
    return tuple(_hit(rows[id_], near[id_], plan, config) for id_ in best if id_ in rows)


def active_hits(reader: Reader, scores: Mapping[UUID, float]) -> tuple[SkillHit, ...]:
    """Skills that somebody hands back as reusable, as they are now, best first; only active ones of
    this reader's are any.
    """
    best = sorted(_active(reader).filter(id__in=list(scores)), key=lambda row: (-scores[row.id], str(row.id)))
    return tuple(
        _told(row, score=min(1.0, max(0.0, scores[row.id])), is_reusable=True, reason=HANDED) for row in best
    )


def skill_texts(hits: Sequence[SkillHit]) -> tuple[str, ...]:
    """The skills as a prompt shows them, each within its token budget."""
    config, count = skill_config(), token_counter().count
    return tuple(skill_prompt(hit, count=count, config=config) for hit in hits)


def _active(reader: Reader) -> "QuerySet[Skill]":
    rows: QuerySet[Skill] = Skill.objects.visible_to(reader.space_id, reader.user_id)
    rows = rows.filter(state=SkillState.ACTIVE)
    hidden = reader.exclude_session_ids
    return rows.exclude(session_id__in=hidden) if hidden else rows


def _best(reader: Reader, near: Mapping[UUID, Near], limit: int) -> list[UUID]:
    """The active ones, the nearest and most helpful first; their texts are read of these alone."""
    active = list(_active(reader).filter(id__in=list(near)).values_list("id", flat=True)) if near else []
    usage = usage_of_skills(reader, active) if len(active) > 1 else {}
    return sorted(active, key=lambda id_: (-_rank(near[id_], usage.get(id_)), str(id_)))[:limit]


def _near(
    reader: Reader, recalled: Recalled, on_usage: OnUsage | None, config: SkillConfig
) -> dict[UUID, Near]:
    """How near each skill is to the question or to its draft, whichever is nearer."""
    shares = nearest_by_words(reader, recalled.question, limit=config.candidates)
    cosines: dict[UUID, float] = {}
    try:
        for of_query in nearest_by_vector(reader, _vectors(recalled, on_usage), limit=config.candidates):
            for skill_id, cosine in of_query.items():
                cosines[skill_id] = max(cosine, cosines.get(skill_id, 0.0))
    except (IndexMismatch, ProviderError) as error:
        logger.warning("skills are recalled by their words: %s: %s", error.error_code, error.detail)
    return {
        skill_id: Near(cosines.get(skill_id, 0.0), shares.get(skill_id, 0.0), skill_id in cosines)
        for skill_id in cosines.keys() | shares.keys()
    }


def _vectors(recalled: Recalled, on_usage: OnUsage | None) -> list[Vectors]:
    """Those of the question and the draft; embedded here where recalling the records needed none."""
    known: Mapping[str, Vectors] = recalled.vectors
    texts = {"question": recalled.question, "draft": recalled.plan.draft}
    missing = [text for name, text in texts.items() if text and name not in known]
    made = embedder().embed(missing, on_usage=on_usage) if missing and not known else []
    return [*known.values(), *(each.vector for each in made if each.vector is not None)]


def _passes(near: Near, config: SkillConfig) -> bool:
    return near.cosine >= config.floor_cosine or near.share >= config.floor_share


def _rank(near: Near, usage: SkillUsage | None) -> float:
    """Its strength, and what came of it before as a small term."""
    prior = (
        usage_prior(usage.success, usage.fail, weight=RecallConfig.STANDARD.usage_weight) if usage else 0.0
    )
    return near.strength + prior


def _hit(row: Skill, near: Near, plan: Plan, config: SkillConfig) -> SkillHit:
    is_by_meaning = near.cosine >= config.floor_cosine
    return _told(
        row,
        score=near.strength,
        is_reusable=is_reusable(
            plan, cosine=near.cosine, share=near.share, has_vector=near.has_vector, config=config
        ),
        reason=(
            f"Its intent is near in meaning ({near.cosine:.2f})."
            if is_by_meaning
            else f"Its intent holds {near.share:.0%} of the question's words."
        ),
    )


def _told(row: Skill, *, score: float, is_reusable: bool, reason: str) -> SkillHit:
    return SkillHit(
        id=row.id,
        number=row.number,
        intent=row.intent,
        doc_markdown=row.doc_markdown,
        preconditions=tuple(row.preconditions),
        tools=tuple(row.tools),
        score=score,
        is_reusable=is_reusable,
        reason=reason,
    )

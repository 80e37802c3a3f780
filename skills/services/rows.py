"""What every writer of skills shares: who may, the locked row, a new version, activation."""

from typing import Final
from uuid import UUID

from django.db.models import Count, Max, Q

from accounts.errors import NotFound
from accounts.models import Space
from accounts.principals import Principal
from memory.domain.secrets import screen
from memory.domain.types import Kind
from memory.services.curate_rows import reader_of
from memory.services.index import index_items, unindex_items
from skills.config import SkillConfig
from skills.domain.extraction import Screen, intent_key
from skills.domain.flagging import why_flagged
from skills.domain.types import Origin, SkillState, SkillText
from skills.models import Skill, SkillVersion
from skills.selectors import get_skill
from skills.stores.source import skill_item

SAME_INTENT: Final = "same_intent"
_SUCCESSES = (Origin.TAUGHT, Origin.OBSERVED)


def require_skill(principal: Principal, skill_id: UUID) -> Skill:
    """The skill, if this person may see and change it. Raises NotFound, then Forbidden."""
    skill = get_skill(reader_of(principal), skill_id)
    principal.require_write()
    return skill


def locked_skill(principal: Principal, skill_id: UUID) -> Skill:
    """The row under its lock, in the caller's transaction. Raises NotFound if it is gone meanwhile."""
    rows = Skill.objects.visible_to(principal.space_id, principal.user_id)
    row: Skill | None = rows.select_for_update().filter(id=skill_id).first()
    if row is None:
        raise NotFound("There is no such skill among yours.")
    return row


def space_screen(space_id: UUID) -> Screen:
    """What takes secrets out of texts, where the space wants that."""
    if Space.objects.filter(id=space_id, is_screening_secrets=True).exists():
        return screen
    return lambda text: text


def put_text(row: Skill, text: SkillText) -> None:
    """Let the row say this from now on; it is not saved yet."""
    row.intent, row.doc_markdown = text.intent, text.doc_markdown
    row.preconditions, row.tools = list(text.preconditions), list(text.tools)
    row.flagged_because = why_flagged(text)
    row.intent_key = intent_key(text)


def new_version(
    row: Skill,
    text: SkillText,
    origin: Origin,
    *,
    segment_id: UUID | None = None,
    user_id: UUID | None = None,
) -> SkillVersion:
    """Keep the text as the skill's next version; whether it is in force is for the caller to say."""
    last: int = row.versions.aggregate(last=Max("number"))["last"] or 0
    version: SkillVersion = SkillVersion.objects.for_space(row.space_id).create(
        space_id=row.space_id,
        private_to_id=row.private_to_id,
        skill=row,
        number=last + 1,
        intent=text.intent,
        doc_markdown=text.doc_markdown,
        preconditions=list(text.preconditions),
        tools=list(text.tools),
        flagged_because=why_flagged(text),
        origin=origin,
        segment_id=segment_id,
        user_id=user_id,
    )
    return version


def show_skill(row: Skill) -> None:
    """Let the row be found by its intent."""
    index_items([skill_item(row)])


def hide_skills(space_id: UUID, ids: list[UUID]) -> None:
    """Let rows that are going be found no more."""
    unindex_items(space_id, Kind.SKILL, ids)


def is_proven(row: Skill, *, config: SkillConfig) -> bool:
    """Whether a draft has succeeded often enough to be used without a curator's word."""
    if row.state != SkillState.DRAFT or row.decided_at is not None or row.flagged_because:
        return False
    counted = row.evidence.aggregate(
        taught=Count("id", filter=Q(origin=Origin.TAUGHT)), all=Count("id", filter=Q(origin__in=_SUCCESSES))
    )
    return bool(
        counted["taught"] >= config.taught_successes > 0 or counted["all"] >= config.observed_successes > 0
    )

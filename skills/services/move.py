"""What a session has taught goes with it to another audience; what taught it elsewhere teaches anew.

A skill goes with the session in which it was first learned. Its words are of that session, so what the other
side knew of it is let go there, and the segments that showed it are for the caller to have encoded again.
docs/algorithms/skills.md.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

from accounts.services.tombstones import buried, bury
from memory.models import UsageCount
from skills.config import SkillConfig
from skills.domain.types import SkillState
from skills.models import Skill
from skills.services.learn_rows import segment_stone
from skills.services.rows import hide_skills, is_proven, put_text, show_skill
from skills.services.settings import skill_config


@dataclass(slots=True)
class MovedSkills:
    """The skills that others can no longer see, and the segments that teach anew."""

    ids: set[UUID] = field(default_factory=set)
    segment_ids: set[UUID] = field(default_factory=set)


def move_skills(
    space_id: UUID,
    session_id: UUID,
    segment_ids: Collection[UUID],
    *,
    before: UUID | None,
    after: UUID | None,
) -> MovedSkills:
    """Take along what the session taught, in the caller's transaction, which holds the space."""
    stones = {segment_stone(segment_id): segment_id for segment_id in segment_ids}
    for statement in buried(space_id, before, stones):
        bury(space_id, after, statement)
    rows = Skill.objects.for_space(space_id).filter(private_to=before)
    taught = rows.filter(Q(session_id=session_id) | Q(evidence__session_id=session_id))
    ids = set(taught.values_list("id", flat=True))
    moved, config = MovedSkills(), skill_config()
    for skill in rows.filter(id__in=ids).select_for_update().order_by("id"):
        is_leaving = skill.session_id == session_id
        moved.segment_ids |= _part(skill, session_id, is_leaving=is_leaving)
        if is_leaving:
            moved.ids.add(skill.id)
            _move(skill, after, config)
    return moved


def _part(skill: Skill, session_id: UUID, *, is_leaving: bool) -> set[UUID]:
    """Let the skill go back to what its own side knows of it; returns the other side's segments."""
    own = Q(session_id=session_id)
    foreign = skill.evidence.exclude(own) if is_leaving else skill.evidence.filter(own)
    segment_ids = set(foreign.values_list("segment_id", flat=True))
    if not segment_ids:
        return set()
    foreign.delete()
    skill.versions.filter(segment_id__in=segment_ids).delete()
    if not skill.versions.filter(number=skill.number).exists():
        kept = skill.versions.order_by("flagged_because", "-number").first()
        if kept is not None:
            put_text(skill, kept.text)
            skill.number = kept.number
    skill.version += 1
    skill.save()
    show_skill(skill)
    return set() if skill.state == SkillState.RETIRED else segment_ids  # what a person has retired stays so


def _move(skill: Skill, after: UUID | None, config: SkillConfig) -> None:
    """Let the skill belong to whom it goes; one of the same intent there takes up what it says."""
    skill.versions.update(private_to=after)
    skill.evidence.update(private_to=after)
    UsageCount.objects.for_space(skill.space_id).filter(item_id=skill.id).update(private_to=after)
    rows = Skill.objects.for_space(skill.space_id).filter(private_to=after)
    same = rows.filter(intent_key=skill.intent_key).select_for_update().first()
    if same is None:
        skill.private_to_id = after
        skill.version += 1
        skill.save()
        show_skill(skill)
        return
    last = max(same.versions.values_list("number", flat=True), default=0)
    for number, version in enumerate(skill.versions.order_by("number"), start=last + 1):
        version.skill, version.number = same, number
        version.save(update_fields=["skill", "number"])
    skill.evidence.update(skill=same)
    _add_counts(skill, same)
    same.version += 1
    if is_proven(same, config=config):
        same.state = SkillState.ACTIVE
    same.save()
    hide_skills(skill.space_id, [skill.id])
    skill.delete()


def _add_counts(gone: Skill, kept: Skill) -> None:
    """What became of a skill counts for the one that took it up."""
    counts = UsageCount.objects.for_space(gone.space_id)
    own = counts.filter(item_id=gone.id).first()
    if own is None:
        return
    if not counts.filter(item_id=kept.id).exists():
        counts.filter(pk=own.pk).update(item_id=kept.id)
        return
    added = {name: F(name) + getattr(own, name) for name in ("retrievals", "kept", "success", "fail")}
    if own.last_used_at is not None:
        used_at = own.last_used_at
        added["last_used_at"] = Greatest(Coalesce("last_used_at", used_at), used_at)
    counts.filter(item_id=kept.id).update(**added)
    own.delete()

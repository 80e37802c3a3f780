"""The rows that one segment's lessons change, in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from accounts.services.tombstones import buried
from memory.domain.encoding import statement_key
from memory.domain.types import Turn
from skills.config import SkillConfig
from skills.domain.extraction import says_the_same, shares_words
from skills.domain.types import Lesson, Origin, SkillState, SkillText
from skills.models import Skill, SkillEvidence, SkillVersion
from skills.services.rows import hide_skills, is_proven, new_version, put_text, show_skill

_BURIED: Final = "skill"  # what a tombstone's statement begins with


@dataclass(frozen=True, slots=True)
class Source:
    """The segment that teaches, and to whom it belongs."""

    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    segment_id: UUID


@dataclass(slots=True)
class Counted:
    """What was written."""

    added: int = 0
    versions: int = 0
    seen_again: int = 0


def intent_stone(intent: str) -> str:
    """The statement that a tombstone blocks for a deleted skill's intent."""
    return f"{_BURIED}: {statement_key(intent)}"


def segment_stone(segment_id: UUID) -> str:
    """The statement that a tombstone blocks for a segment of which a skill was deleted."""
    return f"{_BURIED} of segment {segment_id}"


@dataclass(slots=True)
class Writing:
    """Writes the lessons of one segment, each against the skill it is about."""

    source: Source
    turns: Sequence[Turn]
    config: SkillConfig
    counted: Counted = field(default_factory=Counted)
    kept: set[UUID] = field(default_factory=set)

    def is_buried(self, lesson: Lesson) -> bool:
        """Whether a person deleted this skill, or one of this segment, and nobody has said it since."""
        statements = [intent_stone(lesson.text.intent), segment_stone(self.source.segment_id)]
        stones = buried(self.source.space_id, self.source.private_to, statements)
        newest = max((turn.id for turn in self.turns), default=UUID(int=0))
        return any(newest < stone for stone in stones.values())

    def learn(self, lesson: Lesson, skill: Skill | None) -> None:
        """A new skill, or what the lesson adds to the one it is about."""
        if skill is None:
            self._add(lesson)
            return
        self.kept.add(skill.id)
        is_own = skill.evidence.filter(segment_id=self.source.segment_id).exists()
        if skill.state == SkillState.RETIRED or (lesson.origin is Origin.SUGGESTED and not is_own):
            return  # a person's word, and what only an assistant said changes no skill
        if not is_own:
            self._note_success(skill, lesson.origin)
            self.counted.seen_again += 1
        self._take_up(skill, lesson)
        if is_proven(skill, config=self.config):
            skill.state = SkillState.ACTIVE
            skill.version += 1
        skill.save()

    def drop_stale(self) -> None:
        """Let go what this segment taught before and does not teach any more."""
        rows = Skill.objects.for_space(self.source.space_id).filter(private_to=self.source.private_to)
        stale = rows.filter(evidence__segment_id=self.source.segment_id).exclude(id__in=self.kept)
        untouched = stale.filter(edited_at__isnull=True, decided_at__isnull=True)
        for skill in list(untouched.distinct()):
            skill.evidence.filter(segment_id=self.source.segment_id).delete()
            if not skill.evidence.exists():
                hide_skills(skill.space_id, [skill.id])
                skill.delete()

    def _add(self, lesson: Lesson) -> None:
        skill = Skill(
            space_id=self.source.space_id,
            private_to_id=self.source.private_to,
            session_id=self.source.session_id,
        )
        put_text(skill, lesson.text)
        skill.save(force_insert=True)
        new_version(skill, lesson.text, lesson.origin, segment_id=self.source.segment_id)
        self._note_success(skill, lesson.origin)
        if is_proven(skill, config=self.config):
            skill.state = SkillState.ACTIVE
            skill.save(update_fields=["state"])
        show_skill(skill)
        self.kept.add(skill.id)
        self.counted.added += 1

    def _take_up(self, skill: Skill, lesson: Lesson) -> None:
        """Keep a text that the skill does not know as its next version, and follow it where it may."""
        if any(self._says_this(version, lesson.text) for version in skill.versions.order_by("number")):
            return
        text = replace(lesson.text, intent=skill.intent)  # by which it is known and found
        version = new_version(skill, text, lesson.origin, segment_id=self.source.segment_id)
        self.counted.versions += 1
        if skill.edited_at is None and not version.flagged_because:
            put_text(skill, text)
            skill.number, skill.version = version.number, skill.version + 1

    def _says_this(self, version: SkillVersion, text: SkillText) -> bool:
        """Whether a version says what is to be learned: a segment encoded again words it a little
        otherwise each time.
        """
        if says_the_same(version.text, text):
            return True
        shared = shares_words(version.doc_markdown, text.doc_markdown)
        return version.segment_id == self.source.segment_id and shared >= self.config.reworded_share

    def _note_success(self, skill: Skill, origin: Origin) -> None:
        SkillEvidence.objects.for_space(skill.space_id).create(
            space_id=skill.space_id,
            private_to_id=skill.private_to_id,
            skill=skill,
            session_id=self.source.session_id,
            segment_id=self.source.segment_id,
            first_turn=min((turn.index for turn in self.turns), default=0),
            end_turn=max((turn.index for turn in self.turns), default=-1) + 1,
            origin=origin,
        )

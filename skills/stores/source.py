"""What the indexes know of skills: their intents, whatever their state, so that learning finds them all."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from memory.domain.types import IndexItem, Kind
from skills.models import Skill

NO_SESSION = UUID(int=0)  # of a skill that a person wrote or imported


def skill_item(skill: Skill) -> IndexItem:
    """What the indexes know of the skill."""
    return IndexItem(
        kind=Kind.SKILL,
        id=skill.id,
        space_id=skill.space_id,
        private_to=skill.private_to_id,
        session_id=skill.session_id or NO_SESSION,
        position=0,
        speaker="",
        text=skill.intent,
    )


class SkillRows:
    """The IndexSource over skills."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
        """The intents of those that exist."""
        return dict(Skill.objects.for_space(space_id).filter(id__in=list(ids)).values_list("id", "intent"))

    def scan(self, space_id: UUID, *, batch: int) -> Iterator[list[IndexItem]]:
        """Every skill of the space, in batches."""
        rows = Skill.objects.for_space(space_id).order_by("id")
        page = list(rows[:batch])
        while page:
            yield [skill_item(row) for row in page]
            page = list(rows.filter(id__gt=page[-1].id)[:batch])

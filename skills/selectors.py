"""Skills as their reader may see them: lists by keyset, one skill, its versions, its use."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Prefetch, QuerySet

from accounts.errors import InvalidInput, NotFound
from accounts.models import User
from accounts.paging import Page
from memory.domain.types import Kind, Reader
from memory.models import UsageCount
from skills.domain.types import SkillState, SkillUsage
from skills.models import Skill, SkillEvidence, SkillVersion


@dataclass(frozen=True, slots=True)
class SkillFilters:
    """Which skills to list; `q` are words that the intent or the text holds."""

    state: SkillState | None = None
    q: str = ""
    is_flagged: bool | None = None


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """A version of a skill, who wrote it, and the lines in which it differs from the one it follows: from
    the one in force where it waits beside that, else from the one before.
    """

    row: SkillVersion
    who: str
    is_current: bool
    is_waiting: bool  # later than the version in force
    diff: tuple[str, ...]  # unified, without headers; the first version's is empty


def list_skills(reader: Reader, filters: SkillFilters, *, cursor: str = "", limit: int = 50) -> Page[Skill]:
    """The reader's skills, newest first. Raises InvalidInput for a cursor that is none."""
    rows = _visible(reader)
    if filters.state is not None:
        rows = rows.filter(state=filters.state)
    if filters.is_flagged is not None:
        rows = rows.exclude(flagged_because="") if filters.is_flagged else rows.filter(flagged_because="")
    for word in filters.q.split()[:20]:
        rows = rows.filter(intent__icontains=word) | rows.filter(doc_markdown__icontains=word)
    total = rows.count()
    if cursor:
        rows = rows.filter(id__lt=_cursor_id(cursor))
    page = list(rows.order_by("-id")[: limit + 1])
    next_cursor = str(page[limit - 1].id) if len(page) > limit else ""
    return Page(items=tuple(page[:limit]), next_cursor=next_cursor, total=total)


def get_skill(reader: Reader, skill_id: UUID) -> Skill:
    """One skill. Raises NotFound alike for a missing one and for what the reader may not see."""
    skill: Skill | None = _visible(reader).filter(id=skill_id).first()
    if skill is None:
        raise NotFound("There is no such skill among yours.")
    return skill


def count_by_state(reader: Reader) -> dict[SkillState, int]:
    """How many skills the reader has, by state."""
    rows = Skill.objects.visible_to(reader.space_id, reader.user_id).values("state")
    counted = dict(rows.annotate(n=Count("id")).values_list("state", "n"))
    return {state: counted.get(state.value, 0) for state in SkillState}


def versions_of(reader: Reader, skill_id: UUID, *, limit: int = 100) -> list[VersionDiff]:
    """The versions of a skill, newest first, each with what changed. Raises NotFound as get_skill does."""
    skill = get_skill(reader, skill_id)
    rows = list(skill.versions.order_by("-number")[: limit + 1])
    people = User.objects.in_bulk([row.user_id for row in rows if row.user_id])
    befores: Sequence[SkillVersion | None] = [*rows[1:], None]
    current = skill.versions.filter(number=skill.number).first()
    followed = [
        current if row.number > skill.number else before for row, before in zip(rows, befores, strict=True)
    ]
    told = [
        VersionDiff(
            row=row,
            who=people[row.user_id].speaker if row.user_id in people else "",
            is_current=row.number == skill.number,
            is_waiting=row.number > skill.number,
            diff=tuple(_diff(before, row)) if before else (),
        )
        for row, before in zip(rows, followed, strict=True)
    ]
    return told[:limit]


def evidence_of(reader: Reader, skill_id: UUID, *, limit: int = 50) -> list[SkillEvidence]:
    """What a skill rests on, newest first."""
    rows = SkillEvidence.objects.visible_to(reader.space_id, reader.user_id).filter(skill_id=skill_id)
    return list(rows.order_by("-id")[:limit])


def usage_of_skills(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, SkillUsage]:
    """How each skill fares; those that were never recalled are absent."""
    rows = UsageCount.objects.visible_to(reader.space_id, reader.user_id)
    return {
        row.item_id: SkillUsage(row.retrievals, row.kept, row.success, row.fail, row.last_used_at)
        for row in rows.filter(kind=Kind.SKILL, item_id__in=ids)
    }


def _visible(reader: Reader) -> "QuerySet[Skill]":
    rows: QuerySet[Skill] = Skill.objects.visible_to(reader.space_id, reader.user_id)
    evidence = SkillEvidence.objects.for_space(reader.space_id).order_by("id")
    return rows.prefetch_related(Prefetch("evidence", queryset=evidence))


def _diff(before: SkillVersion, after: SkillVersion) -> Sequence[str]:
    lines = difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=2)
    return [line for line in lines if not line.startswith(("---", "+++"))]


def _lines(version: SkillVersion) -> list[str]:
    """The version as lines to compare: what heads a skill, then its text."""
    head = [version.intent, *(f"only if: {each}" for each in version.preconditions)]
    return [*head, *(f"uses: {each}" for each in version.tools), "", *version.doc_markdown.splitlines()]


def _cursor_id(cursor: str) -> UUID:
    try:
        return UUID(cursor)
    except ValueError:
        raise InvalidInput.field("cursor", "Send the cursor of the page before, or none.") from None

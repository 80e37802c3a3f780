"""Skills on the wire: what they say, their versions, what a recall found of them, files taken in."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.paging import Page
from api.schemas.wire import Clean, Flag, RequestBody
from skills.domain.types import SkillHit, SkillState, SkillText, SkillUsage
from skills.services.exchange import Imported

if TYPE_CHECKING:
    from skills.models import Skill, SkillEvidence
    from skills.selectors import VersionDiff

Intent = Annotated[str, Field(min_length=1, max_length=300), Clean]
Doc = Annotated[
    str, Field(min_length=1, max_length=20_000, description="How it is done, as Markdown."), Clean
]
Lines = Annotated[list[Annotated[str, Field(min_length=1, max_length=300), Clean]], Field(max_length=20)]


class SkillUsageOut(Schema):
    """How a skill fares: recalls that found it, answers it was shown for, and what came of them."""

    uses: int = 0
    kept: int = 0
    success: int = 0
    fail: int = 0
    last_used_at: datetime | None = None

    @classmethod
    def of(cls, usage: SkillUsage | None) -> "SkillUsageOut":
        """From the selector's counts."""
        return cls() if usage is None else cls.model_validate(usage)


class SkillSource(Schema):
    """Turns [first, end) of a session that taught or showed it."""

    session_id: UUID
    first_turn: int
    end_turn: int
    origin: str

    @classmethod
    def of(cls, row: "SkillEvidence") -> "SkillSource":
        """From a stored row."""
        return cls(
            session_id=row.session_id, first_turn=row.first_turn, end_turn=row.end_turn, origin=row.origin
        )


class SkillOut(Schema):
    """A reusable way of doing something. `text_version` is the number of the version in force;
    `version` counts every change. Only active skills are recalled; a flagged one waits for a curator.
    """

    skill_id: UUID
    intent: str
    doc_markdown: str
    preconditions: list[str]
    tools: list[str]
    state: SkillState
    is_flagged: bool
    flagged_because: str
    is_private: bool
    text_version: int
    version: int
    usage: SkillUsageOut
    evidence: list[SkillSource]
    created_at: datetime
    updated_at: datetime
    edited_at: datetime | None

    @classmethod
    def of(cls, skill: "Skill", usage: SkillUsage | None) -> "SkillOut":
        """From a stored skill and its counts."""
        return cls(
            skill_id=skill.id,
            intent=skill.intent,
            doc_markdown=skill.doc_markdown,
            preconditions=list(skill.preconditions),
            tools=list(skill.tools),
            state=SkillState(skill.state),
            is_flagged=bool(skill.flagged_because),
            flagged_because=skill.flagged_because,
            is_private=skill.private_to_id is not None,
            text_version=skill.number,
            version=skill.version,
            usage=SkillUsageOut.of(usage),
            evidence=[SkillSource.of(row) for row in skill.evidence.all()],
            created_at=skill.created_at,
            updated_at=skill.updated_at,
            edited_at=skill.edited_at,
        )


class SkillList(Schema):
    """A page of skills, newest first; `total` counts every skill that matches."""

    items: list[SkillOut]
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, page: "Page[Skill]", usage: Mapping[UUID, SkillUsage]) -> "SkillList":
        """From a page of the selector."""
        return cls(
            items=[SkillOut.of(skill, usage.get(skill.id)) for skill in page.items],
            total=page.total,
            next_cursor=page.next_cursor or None,
        )


class NewSkill(RequestBody):
    """A skill that a person writes: a draft, unless it is to be `active` at once."""

    intent: Intent
    doc_markdown: Doc
    preconditions: Lines = []
    tools: Lines = []
    active: Flag = False

    def to_text(self) -> SkillText:
        """As the service takes it."""
        return SkillText(self.intent, self.doc_markdown, tuple(self.preconditions), tuple(self.tools))


class SkillChange(RequestBody):
    """A correction; what is left out stays. `version` is the one you read, like `If-Match`."""

    intent: Intent | None = None
    doc_markdown: Doc | None = None
    preconditions: Lines | None = None
    tools: Lines | None = None
    state: SkillState | None = None
    version: Annotated[int, Field(strict=True, ge=1)] | None = None

    def changes(self) -> dict[str, object]:
        """What is to change, by field."""
        return self.model_dump(exclude_none=True, exclude={"version"})


class SkillVersionOut(Schema):
    """What a skill said at some time, and the lines in which it differs from the version before, or, where
    it is later than the one in force, from that.
    """

    number: int
    is_current: bool
    intent: str
    doc_markdown: str
    preconditions: list[str]
    tools: list[str]
    origin: str
    author: str
    is_flagged: bool
    flagged_because: str
    created_at: datetime
    diff: list[str]

    @classmethod
    def of(cls, told: "VersionDiff") -> "SkillVersionOut":
        """From the selector."""
        row = told.row
        return cls(
            number=row.number,
            is_current=told.is_current,
            intent=row.intent,
            doc_markdown=row.doc_markdown,
            preconditions=list(row.preconditions),
            tools=list(row.tools),
            origin=row.origin,
            author=told.who,
            is_flagged=bool(row.flagged_because),
            flagged_because=row.flagged_because,
            created_at=row.created_at,
            diff=list(told.diff),
        )


class SkillVersions(Schema):
    """The versions of a skill, newest first."""

    skill_id: UUID
    items: list[SkillVersionOut]


class SkillGone(Schema):
    """The skill is deleted with its versions."""

    skill_id: UUID
    status: str = "deleted"


class SkillsCleared(Schema):
    """How many skills were deleted."""

    cleared: int


class RefusedFile(Schema):
    """A file that was not taken in, and why."""

    name: str
    reason: str


class ImportedOut(Schema):
    """What became of the files: skills added as drafts, changed, active with a version that waits to be put
    in force, unchanged; and files that are none.
    """

    added: list[UUID]
    changed: list[UUID]
    waiting: list[UUID]
    unchanged: list[UUID]
    refused: list[RefusedFile]

    @classmethod
    def of(cls, told: Imported) -> "ImportedOut":
        """From the service."""
        return cls(
            added=list(told.added),
            changed=list(told.changed),
            waiting=list(told.waiting),
            unchanged=list(told.unchanged),
            refused=[RefusedFile(name=each.name, reason=each.reason) for each in told.refused],
        )


class SkillResult(Schema):
    """A recalled skill. `reusable`: near enough to be followed as it stands. Its text is reference."""

    skill_id: UUID
    intent: str
    doc_markdown: str
    preconditions: list[str]
    tools: list[str]
    version: int
    score: float
    reusable: bool
    reason: str

    @classmethod
    def of(cls, hit: SkillHit) -> "SkillResult":
        """From a hit."""
        return cls(
            skill_id=hit.id,
            intent=hit.intent,
            doc_markdown=hit.doc_markdown,
            preconditions=list(hit.preconditions),
            tools=list(hit.tools),
            version=hit.number,
            score=hit.score,
            reusable=hit.is_reusable,
            reason=hit.reason,
        )


def skill_results(hits: Sequence[SkillHit]) -> list[SkillResult]:
    """Best first."""
    return [SkillResult.of(hit) for hit in hits]


def given_scores(items: Sequence[Any]) -> dict[UUID, float]:
    """Of skill results that were handed back the reusable ones, by id, with their scores."""
    found: dict[UUID, float] = {}
    for item in items:
        if isinstance(item, Mapping) and item.get("reusable") is True:
            try:
                skill_id = UUID(str(item.get("skill_id")))
            except ValueError:
                continue
            score = item.get("score")
            found.setdefault(skill_id, float(score) if isinstance(score, int | float) else 0.0)
    return found

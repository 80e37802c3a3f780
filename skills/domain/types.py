"""The values of procedural memory: what a skill says, how it was learned, what a recall found."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class SkillState(StrEnum):
    """Whether a skill is used: only active ones ever reach a prompt."""

    DRAFT = "draft"
    ACTIVE = "active"
    RETIRED = "retired"


class Origin(StrEnum):
    """Where a version comes from."""

    TAUGHT = "taught"  # a person explained it
    OBSERVED = "observed"  # tools were used so, with success
    SUGGESTED = "suggested"  # only an assistant said it
    WRITTEN = "written"  # a person wrote or edited it here
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class SkillText:
    """What a skill says: the intent in one line, the way as Markdown, what must hold before, what it uses."""

    intent: str
    doc_markdown: str
    preconditions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A skill's text as it was learned."""

    text: SkillText
    origin: Origin


@dataclass(frozen=True, slots=True)
class SkillUsage:
    """How a skill fares, folded in from recalls in batches."""

    uses: int = 0
    kept: int = 0
    success: int = 0
    fail: int = 0
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SkillHit:
    """One recalled skill. `score`: the cosine of what was asked and its intent, or the matched share
    of the words, in [0, 1]; `is_reusable`: whether it is near enough to be followed as it stands.
    """

    id: UUID
    number: int  # of the version that is in force
    intent: str
    doc_markdown: str
    preconditions: tuple[str, ...]
    tools: tuple[str, ...]
    score: float
    is_reusable: bool
    reason: str

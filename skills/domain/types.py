"""The values of procedural memory: what a skill says, and what a recall found of it."""

from dataclasses import dataclass
from uuid import UUID


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

"""What every part of the memory speaks of: roles, kinds, readers, turns, times, usage."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """Who utters a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What an index entry stands for."""

    TURN = "turn"
    RECORD = "record"
    COMPOSITE = "composite"
    SKILL = "skill"
    VISUAL = "visual"  # by its words
    PIXELS = "pixels"  # by its looks, in an index of its own


# The kinds of which texts are embedded: all that the text embedder's vectors stand for.
TEXT_KINDS = tuple(kind for kind in Kind if kind is not Kind.PIXELS)


class MemoryType(StrEnum):
    """The types of a record."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    CONSTRAINT = "constraint"
    PROCEDURE = "procedure"
    FAILURE_PATTERN = "failure_pattern"
    TOOL_AFFORDANCE = "tool_affordance"


class Effort(StrEnum):
    """How much work a recall may cost."""

    FAST = "fast"
    STANDARD = "standard"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: applied before ranking, never after."""

    space_id: UUID
    user_id: UUID
    exclude_session_ids: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `index` counts from 0 in its session; `said_at` is aware UTC;
    `is_filed` tells whether it was looked at for records already; `author_id` is whose account said it;
    `learned_at`, when we heard of it, is later than `said_at` for what was imported.
    """

    id: UUID
    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    session_name: str
    index: int
    role: Role
    speaker: str
    text: str
    said_at: datetime
    tokens: int = 0
    is_filed: bool = True
    images: tuple[str, ...] = ()  # what the images show that were sent with it, in words
    author_id: UUID | None = None
    learned_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class IndexItem:
    """What the indexes know of a turn, a record, or a row of an app above. `position`: turn
    index, or the first evidence turn of a record.
    """

    kind: Kind
    id: UUID
    space_id: UUID
    private_to: UUID | None
    session_id: UUID
    position: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Temporal:
    """When it was true (valid) and what moment the text speaks of (`ref`); half-open."""

    ref: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Half-open [start, end), aware UTC."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Usage:
    """What one model call took: tokens read (of which `cached_tokens` from the provider's
    cache) and written. `is_estimated` when the provider did not say.
    """

    purpose: str  # plan, encode, repair, answer, embed, rerank, judge, adequacy, synthesize, summarize
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    is_estimated: bool = False

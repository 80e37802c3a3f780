"""What a question is answered from: the request, hits with their evidence, the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.domain.types.base import Effort, Kind, MemoryType, Reader, Role, Temporal, Turn
from memory.domain.types.planning import Plan


@dataclass(frozen=True, slots=True)
class Evidence:
    """A turn that an item rests on, as it was said; without its text if that `is_silent`."""

    turn_id: UUID
    session_id: UUID
    session_name: str
    index: int
    role: Role
    speaker: str
    text: str
    said_at: datetime
    is_neighbour: bool = False
    is_silent: bool = False  # corrected, expired or erased since


@dataclass(frozen=True, slots=True)
class LostTurn:
    """Where a turn stood that a record rests on, once its conversation was deleted."""

    turn_id: UUID
    session_id: UUID
    index: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled item. `score` = max(cosine, matched share) in [0, 1], an absolute
    strength; `rank_score` orders. `breakdown` holds the channels' scores.
    """

    kind: Kind
    id: UUID
    score: float
    rank_score: float
    breakdown: Mapping[str, float]
    text: str  # semantic_text of a record, text of a turn
    memory_type: str  # a MemoryType, or "episode" for a turn
    subject: str
    entities: tuple[str, ...]
    temporal: Temporal
    said_at: datetime
    source_role: Role
    evidence: tuple[Evidence, ...]  # own turns, most relevant first, then neighbours
    matched_routes: tuple[int, ...]
    reason: str
    lost: tuple[LostTurn, ...] = ()  # further own turns, whose text is gone
    title: str = ""  # of a composite that has one


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item left out, and why."""

    kind: Kind
    id: UUID
    text: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One question put to the memory. `session_id` is the session asking, if any, `is_turn` whether
    the question was said there, so that it judges the answer before;
    `exclude_turn_ids` are turns the asker sees anyway (the window, the question).
    """

    question: str
    reader: Reader
    now: datetime
    time_zone: str
    effort: Effort = Effort.STANDARD
    top_k: int | None = None
    session_id: UUID | None = None
    is_turn: bool = False
    recent: tuple[Turn, ...] = ()
    summaries: tuple[str, ...] = ()  # of what was said before `recent`
    exclude_turn_ids: frozenset[UUID] = frozenset()
    types: frozenset[MemoryType] = frozenset()
    entities: tuple[str, ...] = ()
    min_score: float | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a recall returns; also what its log row keeps. `vectors`: (d,) float32 of the `question` and
    of the plan's `draft`, without people's names, as far as they were embedded. `beyond`: how many more
    items a list has than are shown, as far as they were looked at.
    """

    question: str
    plan: Plan
    hits: tuple[Hit, ...]  # best first
    dropped: tuple[Dropped, ...]
    context: str  # the numbered items as a model would read them
    context_tokens: int
    notes: tuple[str, ...]  # what degraded, in sentences
    timings_ms: Mapping[str, float]
    log_id: UUID | None
    vectors: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict, compare=False, repr=False)
    beyond: int = 0

    @property
    def is_degraded(self) -> bool:
        """Whether a note tells of a fault; the one that small talk was not searched for does not."""
        return len(self.notes) > int(self.plan.is_small_talk)

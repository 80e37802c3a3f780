"""The values of the memory tier: what a turn, a record, a hit and a recall are.

Frozen, without clock or database; arrays are NumPy, instants aware UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import numpy as np
import numpy.typing as npt


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
    `is_filed` tells whether it was looked at for records already.
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


@dataclass(frozen=True, slots=True)
class EncodedRelation:
    """How one entity stands to another, as an encoder returns it; half-open in time."""

    source: str
    type: str
    target: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class EncodedSkill:
    """A reusable way of doing something, as an encoder returns it."""

    intent: str
    doc_markdown: str
    preconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodedRecord:
    """A record as an encoder returns it; `evidence_turns` are indexes in the session."""

    memory_type: MemoryType
    semantic_text: str
    subject: str
    evidence_turns: tuple[int, ...]
    slot: str = ""
    value: str = ""
    entities: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    temporal: Temporal = Temporal()
    source_role: Role = Role.USER
    is_confirmed: bool = True
    confidence: float = 0.8
    relations: tuple[EncodedRelation, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentText:
    """What an encoder reads: a segment's turns in order, and who is who."""

    turns: tuple[Turn, ...]
    time_zone: str
    reference: tuple[str, ...] = ()  # resolves names; never yields records


@dataclass(frozen=True, slots=True)
class Encoding:
    """What one segment became. `aliases`: name in the text -> resolved name; `notes` say
    in sentences what of a model's reply was left out.
    """

    records: tuple[EncodedRecord, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    origin: str = "offline"  # offline | encoded | repaired
    skills: tuple[EncodedSkill, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that was answered before, of which it is still open what came of it."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class ActionState:
    """What is being done when the question is asked, in short phrases; empty when nothing is.

    `talk`: the newest turns, oldest first, inside `budget_tokens`; `last_result`: the beginning of
    what the tool used last gave.
    """

    tentative_action: str = ""
    known_constraints: tuple[str, ...] = ()
    failure_signal: str = ""
    missing_slots: tuple[str, ...] = ()
    available_tools: tuple[str, ...] = ()
    last_tool: str = ""
    last_result: str = ""
    talk: tuple[str, ...] = ()
    budget_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """What a planner reads. `previous`: what the text may judge, if that is undecided; `action`: what
    rules found of what is being done; `summaries` tell what was said before `recent`.
    """

    text: str
    now: datetime
    time_zone: str
    recent: tuple[Turn, ...] = ()  # newest last
    previous: Answered | None = None
    action: ActionState = ActionState()
    summaries: tuple[str, ...] = ()
    images: tuple[str, ...] = ()  # what the images show that came with it


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Half-open [start, end), aware UTC."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Route:
    """One independent need of a question."""

    goal: str
    queries: tuple[str, ...]
    time_range: TimeRange | None = None
    constraints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question needs. `names` are people or things it names as written; `draft` is
    a hypothetical answer, to be embedded; `tree_depth` and `top_k` None where the mode decides.
    """

    mode: str = "answer"  # answer | action | mixed
    question_type: str = "single"
    routes: tuple[Route, ...] = ()
    names: tuple[str, ...] = ()
    is_small_talk: bool = False
    origin: str = "offline"  # offline | model | rules (no need of a model) | fallback
    draft: str = ""
    action: ActionState = ActionState()
    tool_hints: tuple[str, ...] = ()
    required_constraints: tuple[str, ...] = ()
    tree_depth: int | None = None
    top_k: int | None = None
    notes: tuple[str, ...] = ()
    previous_outcome: str = ""  # success | fail | correction, of the answer before, where it is told


@dataclass(frozen=True, slots=True)
class Fragment:
    """A recalled text to be judged. `strength`: how near it is to the question, in [0, 1];
    `breadth`: how many records it stands for.
    """

    text: str
    strength: float = 0.0
    breadth: int = 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """Which of the composites shown help, and which of these are too abstract; places from 0."""

    relevant: tuple[int, ...]
    abstract: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Adequacy:
    """Whether what was recalled is enough, and else what to search for; no query: nothing to search."""

    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Synthesis:
    """A score in [0, 1] for each fragment, and the survivors as one text that cites them as [1], [2] …
    by their places among all fragments, from 1.
    """

    scores: tuple[float, ...]
    background_context: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A turn that an item rests on, as it was said."""

    turn_id: UUID
    session_id: UUID
    session_name: str
    index: int
    role: Role
    speaker: str
    text: str
    said_at: datetime
    is_neighbour: bool = False


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
    of the plan's `draft`, without people's names, as far as they were embedded.
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

    @property
    def is_degraded(self) -> bool:
        """Whether a note tells of a fault; the one that small talk was not searched for does not."""
        return len(self.notes) > int(self.plan.is_small_talk)

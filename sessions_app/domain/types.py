"""The values of one chat request, from the door's question to its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.domain.summaries import Summary, summary_block
from memory.domain.types import Effort, Recalled, Role, Turn
from skills.domain.types import SkillHit
from visual.domain.types import Upload, VisualHit


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as a door receives it. A naive `said_at` means the user's zone, None now;
    an empty `speaker` of a user turn means whoever writes it.
    """

    role: str
    content: str
    speaker: str = ""
    said_at: datetime | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    is_consolidated: bool = True


@dataclass(frozen=True, slots=True)
class CleanTurn:
    """A turn fit to be stored: hygienic, screened, in UTC, counted."""

    role: Role
    content: str
    speaker: str
    said_at: datetime
    metadata: Mapping[str, object]
    is_consolidated: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A message put to a session by a principal. `session`: a name or a UUID."""

    space_id: UUID
    user_id: UUID
    speaker: str
    time_zone: str
    session: str
    text: str
    now: datetime
    effort: Effort = Effort.STANDARD
    top_k: int | None = None
    is_consolidated: bool = True
    reference_time: datetime | None = None
    exclude_session: str | None = None
    images: tuple[Upload, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A summary and the turns [first_turn, end_turn) that it stands for in the window.

    `tokens` are its own, `covered_tokens` those of the `covered_turns`; system texts in the
    range are none of them, they stay.
    """

    id: UUID
    first_turn: int
    end_turn: int
    summary: Summary
    tokens: int
    covered_tokens: int
    covered_turns: int
    made_by: str
    made_at: datetime

    @property
    def text(self) -> str:
        """What a prompt says of these turns."""
        return summary_block(self.summary, first_turn=self.first_turn, end_turn=self.end_turn)


@dataclass(frozen=True, slots=True)
class Window:
    """What of a session fits the budget. `used_tokens`: what it would take whole, as far as it is
    not summarised; `pressure` = used / budget; `left_out` counts the turns that are neither
    summarised nor among the recent ones.
    """

    recent: tuple[Turn, ...]  # oldest first
    tokens: int  # of the summaries and the recent turns
    session_tokens: int  # of all turns
    used_tokens: int
    budget_tokens: int
    pressure: float
    left_out: int
    note: str = ""
    level: str = ""  # warn | block: the line that `used_tokens` has passed
    warn_tokens: int = 0  # where the lines lie
    block_tokens: int = 0
    summaries: tuple[Anchor, ...] = ()
    recall_tokens: int | None = None  # what recalled items may take beside it
    skill_tokens: int = 0  # what skills may take beside it, and of the budget what is free ...
    image_tokens: int = 0  # ... and what is told of images

    @property
    def spare_tokens(self) -> int:
        """What of the budget is free."""
        return max(0, self.budget_tokens - self.tokens)

    @property
    def summary_tokens(self) -> int:
        """What the summaries take."""
        return sum(anchor.tokens for anchor in self.summaries)

    @property
    def summarised_turns(self) -> int:
        """The turns that the summaries stand for."""
        return sum(anchor.covered_turns for anchor in self.summaries)


@dataclass(frozen=True, slots=True)
class Recollection:
    """What the memories hold for a question, side by side; notes and log are the records'."""

    records: Recalled
    skills: tuple[SkillHit, ...] = ()  # best first
    visuals: tuple[VisualHit, ...] = ()  # best first


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an answer may rest on: `context` as a model reads it, `useful` the numbers of the recalled
    items that it may cite, None for all. Where items were judged, `scores` are of all of them, in [0, 1],
    and `model` judged them.
    """

    recalled: Recollection
    context: str
    useful: frozenset[int] | None = None
    scores: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def of(cls, recalled: Recollection) -> "Grounds":
        """Everything that was recalled, as it was recalled."""
        return cls(recalled, recalled.records.context)


@dataclass(frozen=True, slots=True)
class StepDone:
    """A stage has ended: wm_manager, visual_memory, search, synthesize or reason. `trace` is JSON for
    people.
    """

    step: str
    trace: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    content: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer."""

    content: str


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is stored; what it rested on."""

    session_id: UUID
    session_name: str
    turn_index: int
    recalled: Recollection
    window: Window
    input_tokens: int
    output_tokens: int
    are_tokens_estimated: bool  # some server did not say what it took
    status: str  # ok | partial | offline
    trace: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Failed:
    """The request ended without an answer; the question is stored all the same."""

    code: str
    detail: str


ChatEvent = StepDone | Delta | Answer | Done | Failed

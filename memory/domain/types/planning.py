"""What a question needs: its plan, and what a model is asked on the way to an answer."""

from dataclasses import dataclass
from datetime import datetime

from memory.domain.types.base import TimeRange, Turn


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
class Picture:
    """A remembered image that fits a question: what a model reads of it, what people call it, and
    when it was seen.
    """

    told: str
    title: str
    seen_at: datetime


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

"""What a benchmark is made of: dialogues of sessions, and questions with their evidence."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime

from memory.domain.types import Role

ASKER = "Benchmark"  # who asks where a benchmark does not say


@dataclass(frozen=True, slots=True)
class DialogTurn:
    """One utterance of a benchmark. `key` names it in the benchmark's own terms; an empty
    `speaker` of a user turn means the dialogue's asker.
    """

    key: str
    speaker: str
    text: str
    said_at: datetime
    role: Role = Role.USER


@dataclass(frozen=True, slots=True)
class DialogSession:
    """One sitting of a dialogue, its turns in order."""

    name: str
    turns: tuple[DialogTurn, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A question and the keys of the turns that hold its answer.

    `evidence` is empty where a benchmark names only sessions (`evidence_sessions`) or nothing.
    `rubric` is what a judge looks for; `choices` are the answers to choose from, by letter;
    `key` is unique in its dialogue.
    """

    text: str
    evidence: frozenset[str]
    category: str
    answer: str = ""
    key: str = ""
    evidence_sessions: frozenset[str] = frozenset()
    is_answerable: bool = True
    asked_at: datetime | None = None
    rubric: tuple[str, ...] = ()
    choices: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Sessions of the same people, and the questions put to their memory by `asker`."""

    name: str
    sessions: tuple[DialogSession, ...]
    probes: tuple[Probe, ...]
    asker: str = ASKER

    def of_categories(self, wanted: Set[str]) -> "Dialogue":
        """The dialogue with the questions of these categories."""
        return replace(self, probes=tuple(probe for probe in self.probes if probe.category in wanted))

    def session_of(self) -> dict[str, str]:
        """The session of each turn, by their names."""
        return {turn.key: session.name for session in self.sessions for turn in session.turns}

    def joined(self) -> "Dialogue":
        """The dialogue as one session: only what is said, and when, parts its topics."""
        turns = tuple(turn for session in self.sessions for turn in session.turns)
        return replace(self, sessions=(DialogSession("joined", turns),))

    def people(self) -> tuple[str, ...]:
        """Everybody who speaks, in order of appearance."""
        turns = (turn for session in self.sessions for turn in session.turns)
        return tuple(dict.fromkeys(turn.speaker for turn in turns if turn.speaker))


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one system found for one question: turn keys, best first, without doubles.

    It holds what it is measured against, so that a file of them needs no benchmark beside it.
    """

    system: str
    dialogue: str
    probe: str  # its key
    category: str
    evidence: frozenset[str]
    evidence_sessions: frozenset[str]
    turns: tuple[str, ...]
    sessions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InContext:
    """What of one question's context is known: its tokens, items, and whether an answer turn is quoted.

    `setting`: `filled` up to the budget, or `as in chat` (as many items as a chat recalls).
    `is_covered` is None where the benchmark names no answer turn.
    """

    setting: str
    dialogue: str
    probe: str
    category: str
    tokens: int
    items: int
    is_covered: bool | None
    is_answerable: bool = True


@dataclass(frozen=True, slots=True)
class Foreign:
    """Whether a question of another dialogue, without its people's names, found anything here."""

    dialogue: str
    question: str
    items: int


@dataclass(frozen=True, slots=True)
class TokenUse:
    """Generative tokens of one dialogue for one purpose: construction, or a question's plan and answer.

    `spoken_tokens` are the dialogue's own. Embedding and judging are not counted.
    """

    purpose: str  # construction | query
    construction: str  # which one: `whole` or an ablation
    dialogue: str
    questions: int
    spoken_tokens: int
    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer and what became of it. `verdict` in [0, 1], None where the judge could not be read.

    `is_contained`: whether the answer holds the expected words, None where none are expected.
    """

    dialogue: str
    probe: str
    category: str
    answer: str
    verdict: float | None
    is_contained: bool | None
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a run found out, in the order of its dialogues."""

    ranked: tuple[Ranked, ...] = ()
    contexts: tuple[InContext, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    tokens: tuple[TokenUse, ...] = ()
    answers: tuple[Answered, ...] = ()

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(
            ranked=self.ranked + other.ranked,
            contexts=self.contexts + other.contexts,
            foreign=self.foreign + other.foreign,
            tokens=self.tokens + other.tokens,
            answers=self.answers + other.answers,
        )

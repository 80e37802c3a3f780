"""What a benchmark is made of: dialogues of sessions, and questions with their evidence."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DialogTurn:
    """One utterance of a benchmark. `key` names it in the benchmark's own terms."""

    key: str
    speaker: str
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class DialogSession:
    """One sitting of a dialogue, its turns in order."""

    name: str
    turns: tuple[DialogTurn, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A question and the keys of the turns that hold its answer."""

    text: str
    evidence: frozenset[str]
    category: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Sessions of the same people, and the questions put to their memory."""

    name: str
    sessions: tuple[DialogSession, ...]
    probes: tuple[Probe, ...]

    def of_categories(self, wanted: Set[str]) -> "Dialogue":
        """The dialogue with the questions of these categories."""
        return replace(self, probes=tuple(probe for probe in self.probes if probe.category in wanted))

    def session_of(self) -> dict[str, str]:
        """The session of each turn, by their names."""
        return {turn.key: session.name for session in self.sessions for turn in session.turns}


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one system found for one question: turn keys, best first, without doubles."""

    dialogue: str
    probe: Probe
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    evidence_sessions: frozenset[str]


Rankings = Mapping[str, list[Ranked]]  # by the name of the system

"""What a client was promised: each turn it sent, and which of them were acknowledged."""

import random
import threading
from dataclasses import dataclass, field

_SYLLABLES = ("ba", "do", "fe", "gu", "ki", "lo", "mo", "nu", "pa", "re", "so", "tu", "vi", "wo", "za")


def code_word(rng: random.Random, n: int) -> str:
    """A word that nothing else contains; `n` makes it unique."""
    syllables = "".join(rng.choice(_SYLLABLES) for _ in range(3))
    tail = ""
    while True:
        tail += "bdfgklmnprstvxz"[n % 15]
        n //= 15
        if not n:
            return f"{syllables}q{tail}"


@dataclass(frozen=True)
class Sent:
    """A turn that was sent. `index` is None while nobody has acknowledged it."""

    word: str
    text: str
    index: int | None = None


@dataclass
class Ledger:
    """One session's promises. Thread-safe."""

    session: str
    acknowledged: list[Sent] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)
    attempted: set[str] = field(default_factory=set)
    recalled: int = 0  # so many of the acknowledged were recalled after a kill
    _lock: threading.Condition = field(default_factory=threading.Condition)

    def attempt(self, *sent: Sent) -> None:
        """Note what is about to be sent: it may be stored without our hearing of it."""
        with self._lock:
            self.attempted.update(one.text for one in sent)

    def acknowledge(self, *sent: Sent) -> None:
        """Note what the server has promised to keep."""
        with self._lock:
            self.acknowledged.extend(sent)
            self._lock.notify_all()

    def answered(self, index: int, text: str) -> None:
        """Note an answer that was said to be stored."""
        with self._lock:
            self.answers[index] = text

    def await_more_than(self, known: int, *, timeout: float) -> None:
        """Wait until more than so many turns have been acknowledged."""
        with self._lock:
            assert self._lock.wait_for(lambda: len(self.acknowledged) > known, timeout), "no promise is made"

    def newly_acknowledged(self) -> list[Sent]:
        """What was acknowledged since this was last asked."""
        with self._lock:
            new = self.acknowledged[self.recalled :]
            self.recalled = len(self.acknowledged)
            return new

    def check(self, transcript: list[dict[str, object]]) -> None:
        """Fail unless the transcript keeps every promise.

        Indexes without gap, every acknowledged turn and answer once and at its index,
        anything else at most once and only if it was sent.
        """
        assert [turn["index"] for turn in transcript] == list(range(len(transcript)))
        said = [str(turn["content"]) for turn in transcript if turn["role"] == "user"]
        assert len(set(said)) == len(said), "a turn is doubled"
        by_index = {turn["index"]: turn["content"] for turn in transcript}
        for sent in self.acknowledged:
            assert by_index.get(sent.index) == sent.text, f"turn {sent.index} of {self.session} is missing"
        for index, text in self.answers.items():
            assert by_index.get(index) == text, f"answer {index} of {self.session} is missing"
        assert set(said) <= self.attempted, "a turn nobody sent"

"""Stand-ins for the memory and the model, whose work a reader can check by hand."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

from memory.domain.types import Evidence, Hit, Kind, Plan, Recalled, RecallRequest, Role, Temporal, Usage
from memory.ports import AnswerRequest, OnUsage


class ScriptedModel:
    """Answers word by word; may fail after some words, or wait until it is let go on."""

    name = "scripted"

    def __init__(self, text: str = "Under the mat [1].") -> None:
        self.text = text
        self.fails_after: int | None = None
        self.error: Exception = RuntimeError("canary")
        self.gate: threading.Event | None = None
        self.has_begun = threading.Event()
        self.has_ended = threading.Event()
        self.requests: list[AnswerRequest] = []

    def answer(self, request: AnswerRequest, *, on_usage: OnUsage | None = None) -> Iterator[str]:
        self.requests.append(request)
        if on_usage:
            on_usage(Usage("answer", self.name, 90, 4))
        try:
            for n, word in enumerate(self.text.split(" ")):
                if n == self.fails_after:
                    raise self.error
                yield word if n == 0 else f" {word}"
                self.has_begun.set()
                if self.gate:
                    self.gate.wait(10)
        finally:
            self.has_ended.set()


class ScriptedRecall:
    """Finds one turn for every question, or fails."""

    def __init__(self) -> None:
        self.requests: list[RecallRequest] = []
        self.error: Exception | None = None
        self.notes: tuple[str, ...] = ()
        self.log_id: UUID | None = None
        self.hit = make_hit("The key lies under the mat.")

    def __call__(self, request: RecallRequest, **_how: object) -> Recalled:
        self.requests.append(request)
        if self.error:
            raise self.error
        return Recalled(
            question=request.question,
            plan=Plan(names=("key",)),
            hits=(self.hit,),
            dropped=(),
            context=f"[1] {self.hit.text}",
            context_tokens=9,
            notes=self.notes,
            timings_ms={"rank": 1.25},
            log_id=self.log_id,
        )


def make_hit(text: str) -> Hit:
    said_at = datetime(2026, 1, 1, tzinfo=UTC)
    evidence = Evidence(
        turn_id=uuid4(),
        session_id=uuid4(),
        session_name="before",
        index=3,
        role=Role.USER,
        speaker="Alice",
        text=text,
        said_at=said_at,
    )
    return Hit(
        kind=Kind.TURN,
        id=evidence.turn_id,
        score=0.8765432,
        rank_score=1.0,
        breakdown={"bm25": 1.0},
        text=text,
        memory_type="episode",
        subject="Alice",
        entities=(),
        temporal=Temporal(),
        said_at=said_at,
        source_role=Role.USER,
        evidence=(evidence,),
        matched_routes=(0,),
        reason="It names the key.",
    )

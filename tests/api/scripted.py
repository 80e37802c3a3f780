"""A pipeline that says what a test tells it, when it is told; and values to say."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.domain.types import (
    Dropped,
    Evidence,
    Hit,
    Kind,
    Plan,
    Recalled,
    Role,
    Route,
    Temporal,
)
from sessions_app.domain.types import (
    Answer,
    ChatEvent,
    ChatRequest,
    Delta,
    Done,
    Failed,
    Recollection,
    StepDone,
    Window,
)

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
WAIT_SECONDS = 10


def evidence(
    index: int, *, session: UUID, text: str = "I live in Lisbon.", neighbour: bool = False
) -> Evidence:
    return Evidence(
        turn_id=uuid4(),
        session_id=session,
        session_name="intro",
        index=index,
        role=Role.USER,
        speaker="Maya",
        text=text,
        said_at=NOON,
        is_neighbour=neighbour,
    )


def hit(kind: Kind = Kind.RECORD, **changes: Any) -> Hit:
    session = uuid4()
    made = Hit(
        kind=kind,
        id=uuid4(),
        score=0.82,
        rank_score=1.7,
        breakdown={"vector": 0.82, "text": 0.4},
        text="Maya lives in Lisbon.",
        memory_type="episode" if kind is Kind.TURN else "fact",
        subject="Maya",
        entities=("Lisbon",),
        temporal=Temporal(ref=NOON),
        said_at=NOON,
        source_role=Role.USER,
        evidence=(
            evidence(4, session=session),
            evidence(2, session=session),
            evidence(3, session=session, neighbour=True),
        ),
        matched_routes=(0,),
        reason="Says where Maya lives.",
    )
    return replace(made, **changes)


def recalled(*hits: Hit, **changes: Any) -> Recalled:
    made = Recalled(
        question="Where do I live?",
        plan=Plan(routes=(Route(goal="home", queries=("live",)),)),
        hits=hits,
        dropped=(Dropped(kind=Kind.TURN, id=uuid4(), text="Hi!", score=0.1, reason="below the floor"),),
        context="\n".join(f"[{n}] {item.text}" for n, item in enumerate(hits, start=1)),
        context_tokens=12,
        notes=(),
        timings_ms={"search": 3.5},
        log_id=uuid4(),
    )
    return replace(made, **changes)


def done(*hits: Hit) -> Done:
    return Done(
        session_id=uuid4(),
        session_name="intro",
        turn_index=1,
        recalled=Recollection(recalled(*hits)),
        window=Window((), 40, 50, 50, 1_000, 0.05, 0),
        input_tokens=12,
        are_tokens_estimated=False,
        output_tokens=7,
        status="offline",
        trace={"search": {"ms": 3.5}},
    )


def whole_answer(*hits: Hit) -> list[ChatEvent]:
    """The events of an answer that went well."""
    return [
        StepDone("wm_manager", {"tokens": 40}),
        StepDone("search", {"kept": len(hits)}),
        Delta("You live "),
        Delta("in Lisbon [1]. 🍜"),
        StepDone("reason", {"ms": 1}),
        Answer("You live in Lisbon [1]. 🍜"),
        done(*hits),
    ]


class Script:
    """Stands for `sessions_app.pipeline.answer`."""

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []
        self.is_started = threading.Event()
        self.is_closed = threading.Event()
        self._waiting: list[Any] = []

    async def answer(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        self.requests.append(request)
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        for event in self._waiting:
            self._queue.put_nowait(event)
        self._waiting = []
        self.is_closed.clear()
        self.is_started.set()
        try:
            while True:
                event = await self._queue.get()
                if isinstance(event, BaseException):
                    raise event
                yield event
                if isinstance(event, Done | Failed):
                    return
        finally:
            self.is_started.clear()
            self.is_closed.set()

    def say(self, *events: ChatEvent | Exception) -> None:
        """Say this now, or at the next request if none is being answered."""
        if not self.is_started.is_set():
            self._waiting.extend(events)
            return
        for event in events:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, event)

    async def started(self) -> None:
        assert await asyncio.to_thread(self.is_started.wait, WAIT_SECONDS)

    async def closed(self, within_seconds: float = WAIT_SECONDS) -> None:
        assert await asyncio.to_thread(self.is_closed.wait, within_seconds)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """The pipeline, scripted, behind every door."""
    made = Script()
    monkeypatch.setattr("api.answering.answer", made.answer)
    return made

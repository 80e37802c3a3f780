"""A question put to a session that is past its lines, while the model takes its time."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from datetime import UTC, datetime

import pytest
from asgiref.sync import sync_to_async

from accounts.errors import SessionBusy
from accounts.models import Job
from accounts.principals import Principal
from memory.config import ModelConfig
from memory.domain.types import Effort
from sessions_app import pipeline
from sessions_app.config import COMPRESS
from sessions_app.domain.types import ChatEvent, ChatRequest, Done, NewTurn, StepDone
from sessions_app.models import SessionTurn, Summary, UsageEntry
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.model_server import ModelServer, hang
from tests.model_server.configured import configured

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = "My friend number {n} lives in a house with {n} windows at the harbour of Porto."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, settings: object) -> Iterator[ModelServer]:
    """A budget of 1,000 tokens; each turn told takes about 25."""
    settings.WM_MAX_TOKENS = 2_000  # type: ignore[attr-defined]
    quick = ModelConfig(backoff_seconds=0.01, attempts=1, breaker_failures=1_000)
    monkeypatch.setattr("memory.providers.litellm_call.ModelConfig", lambda: quick)
    with ModelServer() as running, configured(running):
        yield running


@sync_to_async
def tell(principal: Principal, turns: int) -> None:
    said = [NewTurn(role="user", content=TOLD.format(n=n)) for n in range(turns)]
    append_turns(principal, open_session(principal, "long"), said)


def asked(principal: Principal) -> ChatRequest:
    return ChatRequest(
        space_id=principal.space_id,
        user_id=principal.user_id,
        speaker=principal.speaker,
        time_zone=principal.time_zone,
        session="long",
        text="Who lives at the harbour?",
        now=datetime(2026, 3, 1, 12, tzinfo=UTC),
        effort=Effort.FAST,
    )


async def events_of(principal: Principal) -> list[ChatEvent]:
    return [event async for event in pipeline.answer(asked(principal))]


@sync_to_async
def states(principal: Principal) -> tuple[list[str], list[str]]:
    """Of the summaries, and of the newest two turns."""
    summaries = Summary.objects.for_space(principal.space_id).order_by("id")
    turns = SessionTurn.objects.for_space(principal.space_id).order_by("-index")[:2]
    return [row.state for row in summaries], [turn.state for turn in turns]


async def test_past_the_warn_line_nobody_waits(alice: Principal, server: ModelServer) -> None:
    await tell(alice, 32)
    first, *_, done = await events_of(alice)
    assert isinstance(first, StepDone)
    assert isinstance(done, Done)
    assert (done.window.level, server.of("summarize")) == ("warn", [])
    assert await sync_to_async(
        Job.objects.for_space(alice.space_id).filter(kind=COMPRESS, state="queued").count
    )()


async def test_past_the_block_line_the_answer_waits_and_tells_what_it_saw(
    alice: Principal, server: ModelServer
) -> None:
    await tell(alice, 45)
    first, *_, done = await events_of(alice)
    assert isinstance(first, StepDone)
    assert isinstance(done, Done)
    purposes = [request.purpose for request in server.requests]
    assert purposes == ["summarize", "answer"]
    (anchor,) = done.window.summaries
    told = {
        "first_turn": 0,
        "end_turn": anchor.end_turn,
        "turns": anchor.covered_turns,
        "tokens": anchor.tokens,
        "made_by": "openai/test-model",
    }
    assert first.trace["summaries"] == [told]
    usage = UsageEntry.objects.for_space(alice.space_id).filter(purpose="summarize")
    assert await sync_to_async(usage.count)() == 1
    stored = await SessionTurn.objects.for_space(alice.space_id).aget(index=done.turn_index)
    assert stored.trace["wm_manager"]["summaries"] == [told]


async def test_who_leaves_while_it_is_summarised_ends_the_call_and_gives_the_claim_back(
    alice: Principal, server: ModelServer
) -> None:
    await tell(alice, 45)
    server.script(hang(), purpose="summarize")
    task = asyncio.create_task(events_of(alice))
    await asyncio.to_thread(server.wait_for, lambda server: bool(server.of("summarize")))
    assert (await states(alice))[0] == ["making"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(server.wait_for, lambda server: server.open_streams == 0)
    await _until(lambda: states(alice), ([], ["interrupted", "complete"]))
    *_, done = await events_of(alice)  # asked again
    assert isinstance(done, Done)
    assert done.window.summaries


async def test_a_second_question_is_refused_while_it_is_summarised(
    alice: Principal, server: ModelServer
) -> None:
    await tell(alice, 45)
    server.script(hang(), purpose="summarize")
    task = asyncio.create_task(events_of(alice))
    await asyncio.to_thread(server.wait_for, lambda server: bool(server.of("summarize")))
    with pytest.raises(SessionBusy):
        async with aclosing(pipeline.answer(asked(alice))) as events:
            await anext(events)
    assert len(server.of("summarize")) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def _until(look: Callable[[], Awaitable[object]], wanted: object) -> None:
    """Wait until a look at the rows shows this; what a thread ends is seen a little later."""
    async with asyncio.timeout(10):
        while await look() != wanted:
            await asyncio.sleep(0.02)

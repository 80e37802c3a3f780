"""The driver behind every door: order, ends, failures, cancelling."""

import pytest

from accounts.errors import SessionBusy
from api.answering import Answering, Finished
from sessions_app.domain.types import Delta
from tests.api.scripted import Script, script, whole_answer
from tests.api.ws.test_streams import request

__all__ = ["script"]


async def test_events_come_in_order_and_then_the_end_again_and_again(script: Script) -> None:
    events = whole_answer()
    script.say(*events)
    async with Answering(request()) as answering:
        assert [await answering.next() for _ in events] == events
        for _ in range(2):
            with pytest.raises(Finished):
                await answering.next()


async def test_what_the_pipeline_raises_is_raised_here(script: Script) -> None:
    script.say(SessionBusy())
    async with Answering(request()) as answering:
        with pytest.raises(SessionBusy):
            await answering.next()


async def test_events_before_a_failure_are_not_lost(script: Script) -> None:
    script.say(Delta("a"), RuntimeError("lost"))
    async with Answering(request()) as answering:
        assert await answering.next() == Delta("a")
        with pytest.raises(RuntimeError):
            await answering.next()


async def test_waiting_may_have_an_end_and_loses_nothing(script: Script) -> None:
    async with Answering(request()) as answering:
        with pytest.raises(TimeoutError):
            await answering.next(within_seconds=0)
        await script.started()
        script.say(Delta("a"))
        assert await answering.next() == Delta("a")


async def test_leaving_cancels_the_pipeline_and_waits_for_it(script: Script) -> None:
    async with Answering(request()):
        await script.started()
    assert script.is_closed.is_set()

"""The websocket with a language model configured: stopping ends whatever call is under way."""

import asyncio
from collections.abc import Iterator

import pytest

from api.ws import streams
from sessions_app.config import AnswerConfig
from tests.api.cast import Cast
from tests.api.live import Live
from tests.api.rest.test_with_model import tell
from tests.api.ws.test_consumer import chat
from tests.model_server import ModelServer, hang
from tests.model_server.configured import configured

QUESTION = "Where does my sister Ana live?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running, configured(running):
        yield running


async def test_stopping_while_the_search_is_planned_ends_that_call_within_a_second(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    await asyncio.to_thread(tell, live_cast.alice)
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text=QUESTION)
        await alice.until("done")
        server.script(hang(), purpose="plan")
        await alice.send(type="message", text=QUESTION)
        await asyncio.to_thread(server.wait_for, lambda it: len(it.of("plan")) == 2)
        await alice.send(type="stop")
        await asyncio.to_thread(server.wait_for, lambda it: it.open_streams == 0)
        assert (await alice.until("error"))["code"] == "stopped"
        await alice.send(type="message", text=QUESTION)
        assert (await alice.until("done"))["status"] == "ok", "the session is free again"


async def test_one_that_is_left_for_good_ends_the_planning_call_too(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    await asyncio.to_thread(tell, live_cast.alice)
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text=QUESTION)
        await alice.until("done")
        for stream in streams._streams.values():
            stream.config = AnswerConfig(resume_seconds=0)
        server.script(hang(), purpose="plan")
        await alice.send(type="message", text=QUESTION)
        await asyncio.to_thread(server.wait_for, lambda it: len(it.of("plan")) == 2)
    await asyncio.to_thread(server.wait_for, lambda it: it.open_streams == 0, seconds=5.0)

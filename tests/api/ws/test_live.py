"""The websocket with nothing scripted: an answer from memory, its filing, a late resume."""

import asyncio
from typing import Any

import pytest

from api.ws import memory, streams
from tests.api.cast import Cast
from tests.api.live import Live
from tests.api.ws.test_consumer import chat

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = "My cat is called Pixel and sleeps on the grey sofa."


async def post(live: Live, who: Any, path: str, body: dict[str, Any]) -> dict[str, Any]:
    async with live.client(who) as client:
        reply = await client.post(path, json=body)
        assert reply.is_success, reply.text
        found: dict[str, Any] = reply.json()
        return found


async def test_what_is_told_is_filed_and_answered_from_in_a_new_session(
    live: Live, live_cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "POLL_SECONDS", 0.05)
    async with chat(live, live_cast.alice) as first:
        await first.send(type="message", text=TOLD)
        assert (await first.until("done"))["turn_index"] == 1
        filing = asyncio.create_task(
            post(live, live_cast.alice, "/memory/consolidate", {"session_id": "intro", "background": False})
        )
        told = await first.until("memory")
        filed = await filing
    assert (told["job_id"], told["state"]) == (filed["job_id"], "done")
    assert told["records_added"] == filed["facts_added"] >= 1

    async with chat(live, live_cast.alice, session="later") as second:
        await second.send(type="message", text="What is my cat called?", effort="fast")
        done = await second.until("done")
    assert "Pixel" in second.text
    assert done["memories_retrieved"] >= 1
    sources = {item["source_session"] for item in done["trace"]["provenance"]}
    assert sources == {"intro"}


async def test_a_resume_long_after_gets_the_stored_text_in_one_frame(live: Live, live_cast: Cast) -> None:
    async with chat(live, live_cast.alice) as first:
        await first.send(type="message", text=TOLD)
        await first.until("done")
    streams._streams.clear()
    async with chat(live, live_cast.alice) as second:
        await second.send(type="resume", last_seq=first.frames[0]["seq"])
        answer, done = await second.receive(), await second.receive()
    assert (answer["type"], answer["content"]) == ("answer", first.text)
    assert (done["type"], done["status"]) == ("done", "stored")


async def test_the_same_session_through_two_doors_is_one_conversation(live: Live, live_cast: Cast) -> None:
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text=TOLD)
        await alice.until("done")
        reply = await post(
            live, live_cast.alice, "/chat/complete", {"session_id": "intro", "message": "Thanks!"}
        )
        assert reply["turn_index"] == 3
        await alice.send(type="message", text="And now?")
        assert (await alice.until("done"))["turn_index"] == 5

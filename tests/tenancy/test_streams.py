"""The walk over what streams: `/chat` and every websocket message, over a real server."""

import asyncio
import json
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from api.ws.frames import FeedbackFrame, MessageFrame, ResumeFrame, StopFrame
from api.ws.routing import websocket_urlpatterns
from tests.api.cast import Person
from tests.api.live import Live
from tests.tenancy.test_routes import STREAMED, question
from tests.tenancy.world import CANARIES, World, ids_of_space, ids_private_to

FRAMES: list[dict[str, Any]] = [
    {"type": "message", "text": "Which restaurant, and what is the secret hideout called?"},
    {"type": "resume", "last_seq": 0},
    {"type": "stop"},
    {"type": "feedback", "log_id": "00000000-0000-7000-8000-000000000000", "outcome": "success"},
]


async def ticket(live: Live, who: Person) -> str:
    async with live.client(who) as client:
        reply: dict[str, str] = (await client.post("/auth/ws-ticket")).json()
        return reply["ticket"]


async def heard(live: Live, who: Person, session: str) -> str:
    """Everything the socket says to each frame in turn."""
    said: list[str] = []
    async with websockets.connect(live.ws(session, ticket=await ticket(live, who))) as socket:
        for frame in FRAMES:
            await socket.send(json.dumps(frame))
            if frame["type"] == "stop":
                continue  # nothing is being written: nothing is said
            async with asyncio.timeout(60):
                while True:
                    said.append(str(await socket.recv()))
                    if json.loads(said[-1])["type"] in ("done", "error"):
                        break
    return "\n".join(said)


def test_every_websocket_address_and_message_is_walked() -> None:
    assert {pattern.name for pattern in websocket_urlpatterns} == {"chat", "nowhere"}
    known = {
        model.model_fields["type"].annotation.__args__[0]  # type: ignore[union-attr]
        for model in (MessageFrame, ResumeFrame, StopFrame, FeedbackFrame)
    }
    assert known == {frame["type"] for frame in FRAMES}
    assert {"/chat"} == STREAMED


@pytest.mark.parametrize("which", ["shared", "private"])
async def test_a_strangers_socket_hears_nothing_of_alices(live: Live, world: World, which: str) -> None:
    session = getattr(world, which).session
    foreign = await asyncio.to_thread(ids_of_space, "space-a")
    foreign -= {world.shared.session, world.private.session}  # names of the stranger's own by now
    text = await heard(live, world.cast.charlie, session)
    assert {id_ for id_ in foreign if id_ in text} == set()
    assert [word for word in CANARIES if word in text.lower()] == []


async def test_a_strangers_socket_into_alices_space_closes_with_4404(live: Live, world: World) -> None:
    opened = await ticket(live, world.cast.charlie)
    async with websockets.connect(live.ws(world.shared.session, ticket=opened, space="space-a")) as socket:
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 4404


@pytest.mark.parametrize("fellow", ["bob", "vera"])
async def test_a_fellow_members_socket_hears_nothing_of_a_private_session(
    live: Live, world: World, fellow: str
) -> None:
    private = await asyncio.to_thread(ids_private_to, world.cast.alice.user.id)
    text = await heard(live, getattr(world.cast, fellow), world.private.session)
    assert {id_ for id_ in private if id_ in text and id_ != world.private.session} == set()
    assert "quixotembra" not in text.lower()


@pytest.mark.parametrize("who", ["charlie", "bob", "vera"])
async def test_a_stream_holds_nothing_that_its_reader_may_not_see(live: Live, world: World, who: str) -> None:
    private = await asyncio.to_thread(ids_private_to, world.cast.alice.user.id)
    reader: Person = getattr(world.cast, who)
    body = {"session_id": world.private.session, "message": question(world.private)["query"]}
    async with live.client(reader) as client:
        reply = await client.post("/chat", json=body)
    assert reply.status_code == 200
    asked = body["message"].lower()
    said = reply.text.lower().replace(asked, "")
    assert {id_ for id_ in private if id_ in said and id_ != world.private.session} == set()
    assert "my secret hideout is called" not in said

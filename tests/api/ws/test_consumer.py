"""The websocket against a real server: who may open it, what it says, how it closes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
import websockets
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import Membership, User
from api.ws import consumer
from sessions_app.domain.types import Delta, StepDone
from tests.api.cast import Cast, Person
from tests.api.live import Live
from tests.api.scripted import Script, hit, script, whole_answer

__all__ = ["script"]

pytestmark = pytest.mark.django_db(transaction=True)


class Chat:
    """A socket that speaks JSON."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(10):
            frame: dict[str, Any] = json.loads(await self.socket.recv())
        self.frames.append(frame)
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        while True:
            frame = await self.receive()
            if frame["type"] == kind:
                return frame

    @property
    def text(self) -> str:
        return "".join(frame["content"] for frame in self.frames if frame["type"] == "token")


def cookie(who: Person) -> dict[str, str]:
    browser = Client()
    browser.force_login(who.user, backend="django.contrib.auth.backends.ModelBackend")
    return {"Cookie": f"sessionid={browser.cookies['sessionid'].value}"}


@asynccontextmanager
async def chat(live: Live, who: Person, session: str = "intro") -> AsyncIterator[Chat]:
    """Connect as a browser page of ours does."""
    headers = await asyncio.to_thread(cookie, who)
    url = live.ws(session, space=who.space)
    async with websockets.connect(url, additional_headers=headers, origin=live.origin) as socket:  # type: ignore[arg-type]
        yield Chat(socket)


async def ticket_of(live: Live, who: Person) -> str:
    async with live.client(who) as client:
        ticket: str = (await client.post("/auth/ws-ticket")).json()["ticket"]
        return ticket


async def close_code(url: str, **options: Any) -> int | None:
    async with websockets.connect(url, **options) as socket:
        with pytest.raises(ConnectionClosed):
            async with asyncio.timeout(10):
                await socket.recv()
        return socket.close_code


async def test_a_message_is_answered_in_numbered_frames(live: Live, live_cast: Cast, script: Script) -> None:
    script.say(*whole_answer(hit()))
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text=" Where do I live? ", effort="fast")
        done = await alice.until("done")
    (request,) = script.requests
    assert (request.session, request.text, request.effort) == ("intro", "Where do I live?", "fast")
    assert request.space_id == (await asyncio.to_thread(lambda: live_cast.alice.principal)).space_id
    assert alice.text == "You live in Lisbon [1]. 🍜"
    assert done["memories_retrieved"] == 1
    seqs = [frame["seq"] for frame in alice.frames]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


async def test_a_conversation_goes_on(live: Live, live_cast: Cast, script: Script) -> None:
    async with chat(live, live_cast.alice) as alice:
        for text in ("one", "two", "three"):
            script.say(*whole_answer())
            await alice.send(type="message", text=text)
            await alice.until("done")
    assert [request.text for request in script.requests] == ["one", "two", "three"]


async def test_a_second_message_while_one_is_answered_is_session_busy(
    live: Live, live_cast: Cast, script: Script
) -> None:
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text="one")
        await script.started()
        await alice.send(type="message", text="two")
        assert (await alice.until("error"))["code"] == "session_busy"
        script.say(*whole_answer())
        await alice.until("done")


async def test_stop_ends_the_answer(live: Live, live_cast: Cast, script: Script) -> None:
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="message", text="one")
        await script.started()
        await alice.send(type="stop")
        assert (await alice.until("error"))["code"] == "stopped"
        await script.closed(within_seconds=1)


@pytest.mark.parametrize("dropped_after", [0, 1, 3])
async def test_a_dropped_client_resumes_without_a_lost_or_doubled_token(
    live: Live, live_cast: Cast, script: Script, dropped_after: int
) -> None:
    async with chat(live, live_cast.alice) as first:
        await first.send(type="message", text="one")
        await script.started()
        script.say(StepDone("wm_manager", {}), *[Delta(str(n)) for n in range(dropped_after)])
        for _ in range(dropped_after + 1):
            await first.receive()
    script.say(*[Delta(str(n)) for n in range(dropped_after, 5)])
    async with chat(live, live_cast.alice) as second:
        await second.send(type="resume", last_seq=first.frames[-1]["seq"])
        script.say(*[Delta(str(n)) for n in range(5, 8)], *whole_answer()[-1:])
        await second.until("done")
    assert first.text + second.text == "01234567"
    assert not script.is_started.is_set()


async def test_a_resume_without_an_answer_says_so(live: Live, live_cast: Cast, script: Script) -> None:
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="resume", last_seq=5)
        assert (await alice.receive())["code"] == "nothing_to_resume"


async def test_another_persons_socket_hears_nothing(live: Live, live_cast: Cast, script: Script) -> None:
    async with chat(live, live_cast.bob) as bob, chat(live, live_cast.alice) as alice:
        script.say(*whole_answer(hit()))
        await alice.send(type="message", text="one")
        await alice.until("done")
        await bob.send(type="resume", last_seq=0)
        assert (await bob.receive())["code"] == "nothing_to_resume"


@pytest.mark.parametrize(
    "data",
    [
        "",
        "x",
        "{",
        "5",
        "null",
        "[]",
        "{}",
        '{"type":"shout"}',
        '{"type":"message"}',
        '"\\ud83d"',
        b"\x00\xff",
    ],
)
async def test_a_malformed_frame_is_answered_and_the_socket_stays(
    live: Live, live_cast: Cast, script: Script, data: str | bytes
) -> None:
    async with chat(live, live_cast.alice) as alice:
        await alice.socket.send(data)
        error = await alice.receive()
        assert error["type"] == "error"
        assert error["code"] in ("malformed_frame", "invalid_frame")
        script.say(*whole_answer())
        await alice.send(type="message", text="still there?")
        await alice.until("done")


async def test_feedback_is_noted_on_the_log_and_a_foreign_log_is_told(
    live: Live, live_cast: Cast, script: Script
) -> None:
    async with chat(live, live_cast.alice) as alice:
        who = live_cast.alice
        await asyncio.to_thread(who.post, "/memory/search", {"query": "Where do I live?"})
        listed = await asyncio.to_thread(who.get, "/memory/retrieval-logs")
        (log_id,) = [log["log_id"] for log in listed.json()["items"]]
        await alice.send(type="feedback", log_id=str(uuid4()), outcome="fail")
        assert (await alice.receive())["code"] == "not_found"
        await alice.send(type="feedback", log_id=log_id, outcome="great")
        assert (await alice.receive())["code"] == "invalid_frame"
        await alice.send(type="feedback", log_id=log_id, outcome="success")
        await alice.send(type="feedback", log_id="x", outcome="fail")  # answered after what came before it
        assert (await alice.receive())["code"] == "invalid_frame"
    listed = await asyncio.to_thread(who.get, "/memory/retrieval-logs")
    assert [(log["outcome"], log["judged_by"]) for log in listed.json()["items"]] == [("success", "user")]


async def test_a_failure_of_ours_is_an_error_frame(
    live: Live, live_cast: Cast, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise RuntimeError("secret")

    async with chat(live, live_cast.alice) as alice:
        monkeypatch.setattr(consumer, "renewed", fail)
        await alice.send(type="message", text="one")
        error = await alice.receive()
    assert error["code"] == "internal_error"
    assert "secret" not in json.dumps(error)


async def test_without_a_credential_it_closes_with_4401(live: Live, live_cast: Cast) -> None:
    assert await close_code(live.ws("intro", space="space-a"), origin=live.origin) == 4401


async def test_a_foreign_origin_is_refused_even_with_a_cookie(live: Live, live_cast: Cast) -> None:
    headers = await asyncio.to_thread(cookie, live_cast.alice)
    for origin in ("http://evil.example", None):
        with pytest.raises(InvalidStatus) as caught:
            async with websockets.connect(
                live.ws("intro", space="space-a"),
                additional_headers=headers,
                origin=origin,  # type: ignore[arg-type]
            ):
                pass
        assert caught.value.response.status_code == 403


async def test_a_ticket_opens_one_socket_in_its_space(live: Live, live_cast: Cast, script: Script) -> None:
    ticket = await ticket_of(live, live_cast.alice)
    async with websockets.connect(live.ws("intro", ticket=ticket)) as socket:
        script.say(*whole_answer())
        alice = Chat(socket)
        await alice.send(type="message", text="one")
        await alice.until("done")
    assert script.requests[0].user_id == live_cast.alice.user.id
    assert await close_code(live.ws("intro", ticket=ticket)) == 4401


async def test_a_ticket_is_bound_to_its_space(live: Live, live_cast: Cast) -> None:
    ticket = await ticket_of(live, live_cast.alice)
    assert await close_code(live.ws("intro", ticket=ticket, space="alice")) == 4404


@pytest.mark.parametrize("ticket", ["", "forged", "a:b:c"])
async def test_a_forged_ticket_closes_with_4401(live: Live, live_cast: Cast, ticket: str) -> None:
    assert await close_code(live.ws("intro", ticket=ticket)) == 4401


@pytest.mark.parametrize("slug", ["space-a", "missing", "../", "é"])
async def test_a_foreign_space_and_a_missing_one_close_with_4404(
    live: Live, live_cast: Cast, slug: str
) -> None:
    headers = await asyncio.to_thread(cookie, live_cast.charlie)
    url = live.ws("intro", space=slug)
    assert await close_code(url, additional_headers=headers, origin=live.origin) == 4404


async def test_a_name_too_long_and_an_unknown_address_close_with_4404(live: Live, live_cast: Cast) -> None:
    headers = await asyncio.to_thread(cookie, live_cast.alice)
    urls = [
        live.ws("s" * 129, space="space-a"),
        live.ws(" \x00 ", space="space-a"),
        f"ws://127.0.0.1:{live.port}/ws/nothing",
    ]
    for url in urls:
        assert await close_code(url, additional_headers=headers, origin=live.origin) == 4404


async def test_a_password_to_change_closes_with_4403(live: Live, live_cast: Cast) -> None:
    headers = await asyncio.to_thread(cookie, live_cast.alice)
    await User.objects.filter(username="alice").aupdate(must_change_password=True)
    url = live.ws("intro", space="space-a")
    assert await close_code(url, additional_headers=headers, origin=live.origin) == 4403


async def test_too_many_sockets_close_with_4429(
    live: Live, live_cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "MAX_SOCKETS", 1)
    async with chat(live, live_cast.alice) as alice:
        await alice.send(type="resume", last_seq=0)
        await alice.receive()
        url = live.ws("other", ticket=await ticket_of(live, live_cast.alice))
        assert await close_code(url) == 4429


async def test_a_member_who_was_put_out_is_closed_at_the_next_message(
    live: Live, live_cast: Cast, script: Script
) -> None:
    async with chat(live, live_cast.bob) as bob:
        await bob.send(type="resume", last_seq=0)
        await bob.receive()
        await Membership.objects.filter(user=live_cast.bob.user, space__slug="space-a").adelete()
        await bob.send(type="message", text="still here")
        with pytest.raises(ConnectionClosed):
            await bob.receive()
        assert bob.socket.close_code == 4404
    assert script.requests == []


async def test_a_user_made_inactive_is_closed_at_the_next_message(
    live: Live, live_cast: Cast, script: Script
) -> None:
    async with chat(live, live_cast.bob) as bob:
        await bob.send(type="resume", last_seq=0)
        await bob.receive()
        await User.objects.filter(username="bob").aupdate(is_active=False)
        await bob.send(type="message", text="still here")
        with pytest.raises(ConnectionClosed):
            await bob.receive()
        assert bob.socket.close_code == 4401
    assert script.requests == []


@pytest.mark.parametrize("name", ["a/b", "../x", "日本語 🍜", "a?b#c", "50%"])
async def test_a_session_may_have_any_name(live: Live, live_cast: Cast, script: Script, name: str) -> None:
    script.say(*whole_answer())
    async with chat(live, live_cast.alice, session=name) as alice:
        await alice.send(type="message", text="one")
        await alice.until("done")
    assert script.requests[0].session == name

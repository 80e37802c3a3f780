"""Frames are numbered, kept and resumed: none is lost, none comes twice."""

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from accounts.errors import ProviderUnavailable, SessionBusy
from api.ws import streams
from api.ws.streams import ChatStream, StreamKey, open_sockets, stream_for
from memory.domain.types import Effort
from sessions_app.config import AnswerConfig
from sessions_app.domain.types import ChatRequest, Delta, Failed
from tests.api.scripted import NOON, Script, hit, script, whole_answer

__all__ = ["script"]


def request() -> ChatRequest:
    return ChatRequest(
        space_id=uuid4(),
        user_id=uuid4(),
        speaker="Maya",
        time_zone="UTC",
        session="intro",
        text="Where do I live?",
        now=NOON,
        effort=Effort.FAST,
    )


def key() -> StreamKey:
    return StreamKey(uuid4(), uuid4(), "intro")


class Listener:
    """What one socket received."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()

    def __call__(self, text: str) -> None:
        self.frames.append(json.loads(text))
        self._arrived.set()

    async def until(self, condition: Callable[[dict[str, Any]], bool]) -> None:
        async with asyncio.timeout(10):
            while not any(condition(frame) for frame in self.frames):
                self._arrived.clear()
                await self._arrived.wait()

    async def type(self, name: str) -> None:
        await self.until(lambda frame: frame["type"] == name)

    @property
    def text(self) -> str:
        return "".join(frame["content"] for frame in self.frames if frame["type"] == "token")

    @property
    def seqs(self) -> list[int]:
        return [frame["seq"] for frame in self.frames]


async def test_frames_are_numbered_one_by_one(script: Script) -> None:
    stream, listener = ChatStream(key()), Listener()
    stream.attach(listener)
    script.say(*whole_answer(hit()))
    stream.start(request())
    await listener.type("done")
    assert listener.seqs == list(range(listener.seqs[0], listener.seqs[0] + 7))
    assert listener.text == "You live in Lisbon [1]. 🍜"


async def test_numbers_begin_at_the_clock_so_a_forgotten_stream_is_never_taken_for_its_successor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listener = Listener()
    monkeypatch.setattr(streams, "time", SimpleNamespace(time=lambda: 1_800_000_000.0))
    stream = ChatStream(key())
    stream.attach(listener)
    stream.publish({"type": "token", "content": "x"})
    assert listener.seqs == [1_800_000_000_001]


async def test_every_socket_of_the_session_follows(script: Script) -> None:
    stream, one, two = ChatStream(key()), Listener(), Listener()
    stream.attach(one)
    stream.attach(two)
    script.say(*whole_answer())
    stream.start(request())
    await one.type("done")
    assert one.frames == two.frames


async def test_one_answer_at_a_time(script: Script) -> None:
    stream, listener = ChatStream(key()), Listener()
    stream.attach(listener)
    stream.start(request())
    with pytest.raises(SessionBusy):
        stream.start(request())
    script.say(*whole_answer())
    await listener.type("done")
    script.say(*whole_answer())
    stream.start(request())


async def test_the_next_message_may_come_with_the_last_frame(script: Script) -> None:
    stream = ChatStream(key())
    busy: list[bool] = []
    ended = asyncio.Event()

    def listen(text: str) -> None:
        if json.loads(text)["type"] == "done":
            busy.append(stream.is_answering)
            ended.set()

    stream.attach(listen)
    script.say(*whole_answer())
    stream.start(request())
    await ended.wait()
    assert busy == [False]


@pytest.mark.parametrize("seen", [1, 2, 3])
async def test_a_dropped_client_resumes_without_a_lost_or_doubled_token(script: Script, seen: int) -> None:
    stream, first, second = ChatStream(key()), Listener(), Listener()
    socket = stream.attach(first)
    stream.start(request())
    await script_started(script)
    script.say(*[Delta(str(n)) for n in range(seen)])
    await first.until(lambda frame: frame.get("content") == str(seen - 1))
    stream.detach(socket)

    script.say(*[Delta(str(n)) for n in range(seen, 6)])
    await kept(stream, 6)
    again = stream.attach(second)
    script.say(Delta("6"))
    await kept(stream, 7)
    assert second.frames == []  # nothing overtakes what was missed
    assert stream.resume(again, first.seqs[-1])
    script.say(Delta("7"), *whole_answer()[-1:])
    await second.type("done")
    assert first.text + second.text == "01234567"
    assert second.seqs == sorted(set(second.seqs))


async def script_started(script: Script) -> None:
    await asyncio.to_thread(script.is_started.wait, 10)


async def kept(stream: ChatStream, count: int) -> None:
    """Wait until the stream keeps this many frames."""
    async with asyncio.timeout(10):
        while len(stream._kept) < count:
            await asyncio.sleep(0)


async def test_a_resume_after_the_end_gives_the_rest(script: Script) -> None:
    stream, first, second = ChatStream(key()), Listener(), Listener()
    socket = stream.attach(first)
    script.say(*whole_answer(hit()))
    stream.start(request())
    await first.type("done")
    stream.detach(socket)
    again = stream.attach(second)
    assert stream.resume(again, first.seqs[2])
    assert second.frames == first.frames[3:]


@pytest.mark.parametrize("last_seq", [0, 1, 10**15])
async def test_an_unknown_place_is_not_resumed(last_seq: int) -> None:
    stream, listener = ChatStream(key()), Listener()
    assert not stream.resume(stream.attach(listener), last_seq)


async def test_a_page_opened_anew_gets_the_whole_answer_that_is_being_written(script: Script) -> None:
    stream, first, second = ChatStream(key()), Listener(), Listener()
    stream.attach(first)
    stream.start(request())
    await script_started(script)
    script.say(Delta("a"), Delta("b"))
    await first.until(lambda frame: frame.get("content") == "b")
    assert stream.resume(stream.attach(second), 0)
    assert second.text == "ab"


async def test_stopping_ends_the_model_and_says_so(script: Script) -> None:
    stream, listener = ChatStream(key()), Listener()
    stream.attach(listener)
    stream.start(request())
    await script_started(script)
    script.say(Delta("a"))
    await listener.type("token")
    await stream.stop()
    assert script.is_closed.is_set()
    assert listener.frames[-1]["code"] == "stopped"
    assert not stream.is_answering
    await stream.stop()
    assert listener.frames[-1]["code"] == "stopped"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Failed("provider_failed", "Try again."), "provider_failed"),
        (ProviderUnavailable("Away."), "provider_unavailable"),
        (SessionBusy(), "session_busy"),
        (RuntimeError("secret"), "internal_error"),
    ],
)
async def test_a_failure_is_one_error_frame_and_frees_the_session(
    script: Script, event: Any, code: str
) -> None:
    stream, listener = ChatStream(key()), Listener()
    stream.attach(listener)
    script.say(event)
    stream.start(request())
    await listener.type("error")
    assert listener.frames[-1]["code"] == code
    assert "secret" not in listener.frames[-1]["content"]
    assert not stream.is_answering


async def test_an_answer_outlives_its_socket_and_is_cancelled_after_a_while(script: Script) -> None:
    config = AnswerConfig(resume_seconds=0)
    stream = ChatStream(key(), config)
    socket = stream.attach(Listener())
    stream.start(request())
    await script_started(script)
    stream.detach(socket)
    assert not script.is_closed.is_set()
    await script.closed()


async def test_coming_back_in_time_keeps_the_answer(script: Script) -> None:
    stream, listener = ChatStream(key()), Listener()
    stream.detach(stream.attach(Listener()))
    assert stream._expiry is not None
    timer = stream._expiry
    stream.attach(listener)
    assert timer.cancelled()


async def test_one_stream_a_key_until_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = key()
    stream = stream_for(mine)
    assert stream_for(mine) is stream
    socket = stream.attach(Listener())
    assert open_sockets(mine.user_id) == 1
    stream.detach(socket)
    assert open_sockets(mine.user_id) == 0
    stream._expire()
    assert mine not in streams._streams
    assert stream_for(mine) is not stream

"""The loop in which calls run, and its permits."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import cache
from threading import Barrier
from typing import Any

import pytest

from memory.config import ModelConfig
from memory.providers import model_loop as module
from memory.providers.model_loop import ModelLoop, model_loop

CONFIG = ModelConfig(permits=2, background_permits=1)
LEFT_BEHIND = """
import asyncio
from memory.providers.model_loop import model_loop

async def leave_behind():
    return asyncio.create_task(asyncio.Event().wait())

left = model_loop().submit(leave_behind()).result()
"""


class Crowd:
    """Counts who holds a permit at once."""

    def __init__(self, loop: ModelLoop) -> None:
        self.loop = loop
        self.inside = self.most = 0
        self.gate = asyncio.Event()

    async def enter(self, origin: str, *, is_background: bool = False) -> None:
        await self.loop.run(origin, self.stay, config=CONFIG, is_background=is_background)

    async def stay(self) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await self.gate.wait()
        finally:
            self.inside -= 1

    async def of(self, *entering: Callable[[], Coroutine[Any, Any, None]]) -> int:
        """How many get in while nobody leaves."""
        tasks = [asyncio.ensure_future(enter()) for enter in entering]
        for _ in range(10):
            await asyncio.sleep(0)
        inside = self.inside
        self.gate.set()
        await asyncio.gather(*tasks)
        return inside


@pytest.fixture
def crowd() -> Crowd:
    return Crowd(model_loop())


def test_one_place_gets_no_more_calls_than_permits(crowd: Crowd) -> None:
    entering = [lambda: crowd.enter("one")] * 5
    assert model_loop().submit(crowd.of(*entering)).result(5) == 2
    assert crowd.most == 2


def test_places_do_not_share_permits(crowd: Crowd) -> None:
    entering = [lambda: crowd.enter("here")] * 3 + [lambda: crowd.enter("there")] * 3
    assert model_loop().submit(crowd.of(*entering)).result(5) == 4


def test_background_work_leaves_permits_to_people(crowd: Crowd) -> None:
    background = [lambda: crowd.enter("busy", is_background=True)] * 5
    assert model_loop().submit(crowd.of(*background, lambda: crowd.enter("busy"))).result(5) == 2


class Slot:
    """A server that answers one call at a time; calls take until they are told to end."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.config = ModelConfig(permits=1, background_permits=1)
        self.begun: list[str] = []
        self.ends = asyncio.Event()

    def call(self, name: str, *, is_background: bool = False) -> "asyncio.Task[str]":
        async def attempt() -> str:
            self.begun.append(name)
            if is_background:
                await self.ends.wait()
            return name

        work = model_loop().run(self.origin, attempt, config=self.config, is_background=is_background)
        return asyncio.ensure_future(work)


def in_loop(work: Coroutine[Any, Any, None]) -> None:
    model_loop().submit(asyncio.wait_for(work, 5)).result(10)


def test_background_work_gives_way_and_is_begun_anew() -> None:
    async def work() -> None:
        slot = Slot("one slot")
        background = slot.call("background", is_background=True)
        await asyncio.sleep(0.01)
        assert [await slot.call("chat"), await slot.call("chat")] == ["chat", "chat"]
        slot.ends.set()
        assert await background == "background"
        assert slot.begun[0] == slot.begun[-1] == "background"

    in_loop(work())


def test_background_work_does_not_come_between_people_who_wait() -> None:
    async def work() -> None:
        slot = Slot("one slot, three wait")
        background = [slot.call("background", is_background=True) for _ in range(2)]
        await asyncio.sleep(0.01)
        people = [slot.call(f"chat {n}") for n in range(3)]
        await asyncio.gather(*people)
        assert slot.begun[:4] == ["background", "chat 0", "chat 1", "chat 2"]
        slot.ends.set()
        await asyncio.gather(*background)

    in_loop(work())


def test_who_is_cancelled_as_it_gives_way_is_not_begun_anew() -> None:
    async def work() -> None:
        slot = Slot("one slot, given up")
        background = slot.call("background", is_background=True)
        await asyncio.sleep(0.01)
        person = slot.call("chat")
        await asyncio.sleep(0)  # it has been asked to give way, and has not yet
        background.cancel()
        assert await person == "chat"
        await asyncio.wait([background])
        assert background.cancelled()
        assert slot.begun == ["background", "chat"]

    in_loop(work())


def test_where_permits_are_left_nobody_gives_way() -> None:
    async def work() -> None:
        slot = Slot("two slots")
        slot.config = CONFIG
        background = slot.call("background", is_background=True)
        await asyncio.sleep(0.01)
        await slot.call("chat")
        slot.ends.set()
        await background
        assert slot.begun == ["background", "chat"]

    in_loop(work())


def test_cancelling_the_future_cancels_the_work() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    call = model_loop().submit(work())
    call.cancel()
    with pytest.raises(CancelledError):
        call.result(5)
    assert model_loop().submit(asyncio.wait_for(ended.wait(), 5)).result(5)


def test_there_is_one_loop_a_process() -> None:
    assert model_loop() is model_loop()


def test_threads_that_need_it_first_at_once_share_one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """They wait together for LiteLLM to be imported, and go on together: of two loops one would hold
    connections and permits of the other.
    """
    gate = Barrier(4)

    class Slow(ModelLoop):
        def __init__(self) -> None:
            time.sleep(0.05)
            super().__init__()

    def needed() -> ModelLoop:
        gate.wait()
        return module.model_loop()

    monkeypatch.setattr(module, "ModelLoop", Slow)
    monkeypatch.setattr(module, "_made", cache(module._made.__wrapped__))
    with ThreadPoolExecutor(4) as threads:
        loops = {id(future.result()) for future in [threads.submit(needed) for _ in range(4)]}
    assert len(loops) == 1


def test_a_process_ends_without_a_word_about_what_a_vendor_left_running():
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, check=True)
    assert done.stderr == ""

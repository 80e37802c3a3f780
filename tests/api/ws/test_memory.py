"""The `memory` event and the stored answer, from rows."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.models import Job
from accounts.principals import Principal
from accounts.services.jobs import enqueue_job
from api.ws import memory
from api.ws.memory import watch_memory
from api.ws.stored import stored_answer
from sessions_app.bridge import in_thread
from sessions_app.domain.types import NewTurn
from sessions_app.models import Session, SessionTurn
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.api.cast import Cast
from tests.api.scripted import NOON


def tell(principal: Principal, role: str, text: str) -> SessionTurn:
    session = open_session(principal, "intro")
    return append_turns(principal, session, [NewTurn(role=role, content=text)])[0]


def file(principal: Principal, **changes: Any) -> Job:
    session = Session.everyone.get(name="intro")
    job = enqueue_job(
        space_id=session.space_id, private_to=None, kind="consolidate", subject_id=session.id, arguments={}
    )
    Job.everyone.filter(id=job.id).update(**changes)
    return job


@pytest.mark.django_db(transaction=True)
async def test_a_consolidation_that_ends_is_told_once(
    cast_committed: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "POLL_SECONDS", 0.01)
    principal = await asyncio.to_thread(lambda: cast_committed.alice.principal)
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    has_looked = asyncio.Event()

    async def look(*of: Any) -> Any:
        seen = await in_thread(*of)
        has_looked.set()
        return seen

    monkeypatch.setattr(memory, "in_thread", look)
    watch = asyncio.create_task(watch_memory(principal, "intro", told.put_nowait))
    async with asyncio.timeout(10):
        await has_looked.wait()
    await asyncio.to_thread(tell, principal, "user", "I moved to Oslo.")
    result = {"segments": 1, "records_added": 2, "seen_again": 0}
    job = await asyncio.to_thread(file, principal, state="done", result=result)
    async with asyncio.timeout(10):
        frame = await told.get()
    assert frame["type"] == "memory"
    assert (frame["job_id"], frame["state"], frame["records_added"]) == (job.id, "done", 2)
    later = await asyncio.to_thread(file, principal, state="failed", error="Try again.")
    async with asyncio.timeout(10):
        frame = await told.get()
    assert (frame["job_id"], frame["state"], frame["error"]) == (later.id, "failed", "Try again.")
    assert told.empty()
    watch.cancel()


@pytest.mark.django_db(transaction=True)
async def test_what_ended_before_the_socket_opened_is_not_told(
    cast_committed: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "POLL_SECONDS", 0.01)
    principal = await asyncio.to_thread(lambda: cast_committed.alice.principal)
    await asyncio.to_thread(tell, principal, "user", "I moved to Oslo.")
    await asyncio.to_thread(file, principal, state="done")
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    watch = asyncio.create_task(watch_memory(principal, "intro", told.put_nowait))
    looked = asyncio.Event()
    look = memory._last_frame

    def counted(*arguments: Any) -> Any:
        frame = look(*arguments)
        loop.call_soon_threadsafe(looked.set)
        return frame

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(memory, "_last_frame", counted)
    for _ in range(3):
        looked.clear()
        async with asyncio.timeout(10):
            await looked.wait()
    later = await asyncio.to_thread(file, principal, state="done")
    async with asyncio.timeout(10):
        assert (await told.get())["job_id"] == later.id
    watch.cancel()


def test_a_stored_answer_is_one_frame_and_its_end(cast: Cast) -> None:
    principal = cast.alice.principal
    tell(principal, "user", "Where do I live?")
    turn = tell(principal, "assistant", "In Oslo.")
    answer, done = stored_answer(principal, "intro")
    assert answer == {"type": "answer", "content": "In Oslo."}
    assert (done["type"], done["status"], done["turn_index"]) == ("done", "stored", turn.index)


def test_without_an_answer_there_is_nothing_to_resume(cast: Cast) -> None:
    principal = cast.alice.principal
    assert stored_answer(principal, "intro")[0]["code"] == "nothing_to_resume"
    assert Session.everyone.count() == 0
    tell(principal, "user", "Where do I live?")
    assert stored_answer(principal, "intro")[0]["code"] == "nothing_to_resume"
    open_session(principal, "empty")
    assert stored_answer(principal, "empty")[0]["code"] == "nothing_to_resume"


@pytest.mark.parametrize(
    ("state", "types", "code"),
    [
        ({"state": "pending", "lease_until": datetime.max.replace(tzinfo=UTC)}, ["error"], "session_busy"),
        ({"state": "pending", "lease_until": NOON}, ["answer", "error"], "interrupted"),
        ({"state": "interrupted"}, ["answer", "error"], "interrupted"),
    ],
)
def test_an_answer_that_is_not_complete_says_so(
    cast: Cast, state: dict[str, object], types: list[str], code: str
) -> None:
    principal = cast.alice.principal
    turn = tell(principal, "assistant", "In Os")
    SessionTurn.everyone.filter(id=turn.id).update(**state)
    frames = stored_answer(principal, "intro")
    assert [frame["type"] for frame in frames] == types
    assert frames[-1]["code"] == code


def test_anothers_session_has_nothing_to_resume(cast: Cast) -> None:
    tell(cast.alice.principal, "assistant", "In Oslo.")
    session = str(Session.everyone.get().id)
    assert stored_answer(cast.charlie.principal, session)[0]["code"] == "nothing_to_resume"

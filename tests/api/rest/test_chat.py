"""`/chat` and `/chat/complete`: streaming, keep-alive, disconnects, refusals."""

import asyncio
import json
from typing import Any

import pytest

from accounts.errors import InvalidInput, ProviderUnavailable, SessionBusy
from api.rest import chat as chat_door
from memory.domain.types import Effort
from sessions_app.config import AnswerConfig
from sessions_app.domain.types import Answer, Delta, Done, Failed, StepDone
from tests.api.cast import Cast, pointers, problem
from tests.api.live import Live
from tests.api.scripted import Script, hit, script, whole_answer

__all__ = ["script"]

BODY = {"session_id": "intro", "message": "Where do I live?"}


def frames(text: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in text.split("\n\n") if line.startswith("data")]


@pytest.mark.django_db(transaction=True)
async def test_a_stream_ends_with_done(live: Live, live_cast: Cast, script: Script) -> None:
    script.say(*whole_answer(hit()))
    async with live.client(live_cast.alice) as client:
        reply = await client.post("/chat", json=BODY)
    assert reply.headers["Content-Type"] == "text/event-stream"
    assert reply.headers["Cache-Control"] == "no-cache"
    assert [frame["type"] for frame in frames(reply.text)] == [
        "step",
        "step",
        "token",
        "token",
        "step",
        "answer",
        "done",
    ]


@pytest.mark.django_db(transaction=True)
async def test_frames_leave_as_they_come(live: Live, live_cast: Cast, script: Script) -> None:
    script.say(StepDone("wm_manager", {}))
    async with (
        live.client(live_cast.alice) as client,
        client.stream("POST", "/chat", json=BODY) as reply,
    ):
        lines = reply.aiter_lines()
        assert json.loads((await anext(lines)).removeprefix("data: "))["step"] == "wm_manager"
        script.say(Delta("first"))
        await anext(lines)
        assert json.loads((await anext(lines)).removeprefix("data: "))["content"] == "first"
        script.say(Failed("provider_failed", "Try again."))
        await anext(lines)
        assert json.loads((await anext(lines)).removeprefix("data: "))["code"] == "provider_failed"


@pytest.mark.django_db(transaction=True)
async def test_a_silent_model_keeps_the_connection_alive_by_comments(
    live: Live, live_cast: Cast, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_door, "AnswerConfig", lambda: AnswerConfig(keepalive_seconds=0))
    script.say(StepDone("wm_manager", {}))
    async with (
        live.client(live_cast.alice) as client,
        client.stream("POST", "/chat", json=BODY) as reply,
    ):
        lines = reply.aiter_lines()
        while await anext(lines) != ": keep-alive":
            pass
        script.say(*whole_answer()[1:])
        rest = [line async for line in lines]
    assert json.loads([line for line in rest if line.startswith("data")][-1][6:])["type"] == "done"


@pytest.mark.django_db(transaction=True)
async def test_a_client_that_leaves_stops_the_model_within_a_second(
    live: Live, live_cast: Cast, script: Script
) -> None:
    script.say(StepDone("wm_manager", {}))
    async with live.client(live_cast.alice) as client:
        async with client.stream("POST", "/chat", json=BODY) as reply:
            await anext(reply.aiter_lines())
        await script.closed(within_seconds=1)


@pytest.mark.django_db(transaction=True)
async def test_a_client_that_leaves_before_the_first_event_stops_the_model_too(
    live: Live, live_cast: Cast, script: Script
) -> None:
    for path in ("/chat", "/chat/complete"):
        async with live.client(live_cast.alice) as client:
            waiting = asyncio.create_task(client.post(path, json=BODY))
            await script.started()
            waiting.cancel()
            await script.closed(within_seconds=1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/chat", "/chat/complete"])
async def test_a_busy_session_is_409_with_retry_after(
    live: Live, live_cast: Cast, script: Script, path: str
) -> None:
    script.say(SessionBusy(retry_after=2))
    async with live.client(live_cast.alice) as client:
        reply = await client.post(path, json=BODY)
    assert reply.status_code == 409
    assert reply.headers["Retry-After"] == "2"
    assert reply.json()["code"] == "session_busy"
    assert reply.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db(transaction=True)
async def test_a_failure_in_the_middle_is_an_error_frame(live: Live, live_cast: Cast, script: Script) -> None:
    async with live.client(live_cast.alice) as client:
        script.say(StepDone("wm_manager", {}), ProviderUnavailable("The model is away."))
        assert frames((await client.post("/chat", json=BODY)).text)[-1] == {
            "type": "error",
            "code": "provider_unavailable",
            "content": "The model is away.",
        }
        script.say(StepDone("wm_manager", {}), RuntimeError("secret"))
        reply = await client.post("/chat", json=BODY)
    assert frames(reply.text)[-1]["code"] == "internal_error"
    assert "secret" not in reply.text


@pytest.mark.django_db(transaction=True)
async def test_a_failed_answer_in_one_piece_is_503(live: Live, live_cast: Cast, script: Script) -> None:
    async with live.client(live_cast.alice) as client:
        script.say(StepDone("wm_manager", {}), Failed("provider_failed", "Try again."))
        reply = await client.post("/chat/complete", json=BODY)
    assert (reply.status_code, reply.json()["code"]) == (503, "provider_failed")


def test_in_one_piece_the_status_stands_in_a_header(cast: Cast, script: Script) -> None:
    script.say(*whole_answer(hit()))
    reply = cast.alice.post("/chat/complete", BODY)
    assert reply["X-Memory-Status"] == "offline"
    body = reply.json()
    assert body["response"] == "You live in Lisbon [1]. 🍜"
    assert body["session_id"] == "intro"
    assert body["trace"]["provenance"][0]["display_text"] == "Maya lives in Lisbon."


@pytest.mark.parametrize("field", ["space", "private"])
def test_a_field_that_is_not_known_is_refused_not_ignored(cast: Cast, script: Script, field: str) -> None:
    reply = cast.alice.post("/chat/complete", {**BODY, field: "space-b"})
    assert pointers(problem(reply, 422, "invalid_input")) == {f"/{field}"}
    assert not script.requests


def test_what_is_asked_reaches_the_pipeline(cast: Cast, script: Script) -> None:
    script.say(Answer("x"), *whole_answer()[-1:])
    cast.alice.patch("/auth/me", {"time_zone": "Asia/Tokyo"})
    reply = cast.alice.post(
        "/chat/complete",
        {
            "session_id": "  intro ",
            "message": " cafe\u0301 \u0000 ",
            "effort": "fast",
            "top_k": 3,
            "consolidate": False,
            "reference_time": "2026-07-01T09:30:00",
            "exclude_session_id": "other",
            "images": [],
        },
    )
    assert reply.status_code == 200, reply.content
    (request,) = script.requests
    assert (request.session, request.text) == ("intro", "café")
    assert request.space_id == cast.alice.principal.space_id
    assert (request.effort, request.top_k, request.is_consolidated) == (Effort.FAST, 3, False)
    assert request.exclude_session == "other"
    assert request.reference_time is not None
    assert request.reference_time.isoformat() == "2026-07-01T00:30:00+00:00"
    assert request.time_zone == "Asia/Tokyo"


FAULTY = [
    ("session_id", ""),
    ("session_id", "  \u0000 "),
    ("session_id", "s" * 129),
    ("session_id", 123),
    ("session_id", None),
    ("session_id", []),
    ("message", ""),
    ("message", " \n\t "),
    ("message", "\u0000"),
    ("message", None),
    ("message", {"text": "x"}),
    ("top_k", 0),
    ("top_k", -1),
    ("top_k", 101),
    ("top_k", 10**30),
    ("top_k", "10"),
    ("top_k", 1.5),
    ("top_k", True),
    ("effort", "deepest"),
    ("effort", 1),
    ("consolidate", "yes"),
    ("consolidate", 1),
    ("reference_time", "yesterday"),
    ("reference_time", 1_700_000_000),
    ("reference_time", "2026-02-30T00:00:00"),
    ("reference_time", "0001-01-01T00:00:00+14:00"),
    ("reference_time", "99999-01-01"),
    ("images", ["no base64!"]),
    ("images", [7]),
    ("images", ["https://example.org/cat.png"]),
    ("images", ["data:image/png;base64,aGk="] * 17),
    ("images", "aGk="),
    ("exclude_session_id", ""),
]


@pytest.mark.parametrize("path", ["/chat", "/chat/complete"])
@pytest.mark.parametrize(("field", "value"), FAULTY)
def test_a_faulty_field_is_named_and_nothing_is_asked(
    cast: Cast, script: Script, path: str, field: str, value: Any
) -> None:
    document = problem(cast.alice.post(path, {**BODY, field: value}), 422, "invalid_input")
    assert {pointer.split("/")[1] for pointer in pointers(document)} == {field}
    assert script.requests == []


def test_what_the_pipeline_refuses_is_a_problem_document(cast: Cast, script: Script) -> None:
    script.say(InvalidInput.field("message", "Too long."))
    assert pointers(problem(cast.alice.post("/chat/complete", BODY), 422, "invalid_input")) == {"/message"}


def test_an_answer_that_ends_early_is_503(cast: Cast, script: Script) -> None:
    script.say(Answer("half"), RuntimeError("lost"))
    problem(cast.alice.post("/chat/complete", BODY), 500, "internal_error")


def test_done_is_the_last_event_of_every_script() -> None:
    assert isinstance(whole_answer()[-1], Done)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/chat", "/chat/complete"])
async def test_a_message_above_the_limit_makes_no_session(
    live: Live, live_cast: Cast, settings: Any, path: str
) -> None:
    settings.MAX_MESSAGE_CHARS = 10
    async with live.client(live_cast.alice) as client:
        refused = await client.post(path, json={**BODY, "message": "x" * 11})
        looked = await client.get("/memory/session/intro")
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert [each["pointer"] for each in refused.json()["errors"]] == ["/message"]
    assert looked.status_code == 404

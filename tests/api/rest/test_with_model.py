"""The doors with a language model configured: REST and SSE over the true LiteLLM path."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.test import Client

from memory.config import ModelConfig
from sessions_app.models import SessionTurn, UsageEntry
from tests.api.cast import Cast, Person
from tests.api.live import Live
from tests.model_server import ModelServer, chat, cut_in_stream, fail, hang
from tests.model_server.configured import configured

ANA = "My sister Ana moved to Porto in January."
ASKED = {"session_id": "tuesday", "message": "Where does my sister Ana live?"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    quick = ModelConfig(backoff_seconds=0.01, attempts=2, breaker_failures=1_000)
    monkeypatch.setattr("memory.providers.litellm_call.ModelConfig", lambda: quick)
    with ModelServer() as running, configured(running):
        yield running


def tell(who: Person) -> None:
    turn = {"session_id": "monday", "role": "user", "content": ANA}
    assert who.post("/memory/append-turn?wait=index", turn).status_code == 200


def complete(who: Person, **changes: Any) -> Any:
    return who.post("/chat/complete", {**ASKED, **changes})


def purposes(server: ModelServer) -> list[str]:
    return [call.purpose for call in server.requests]


def frames(text: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def test_a_turn_costs_two_calls_and_one_when_fast(cast_committed: Cast, server: ModelServer) -> None:
    alice = cast_committed.alice
    tell(alice)
    reply = complete(alice)
    assert (reply["X-Memory-Status"], purposes(server)) == ("ok", ["plan", "answer"])
    assert "Porto" in reply.json()["response"]
    assert reply.json()["turn_input_tokens"] > 100
    complete(alice, effort="fast")
    assert purposes(server) == ["plan", "answer", "answer"]


def test_a_model_that_is_away_is_told_on_the_header(cast_committed: Cast, server: ModelServer) -> None:
    server.default = fail(500)
    tell(cast_committed.alice)
    reply = complete(cast_committed.alice)
    assert (reply.status_code, reply["X-Memory-Status"]) == (200, "partial")
    assert "Porto" in reply.json()["response"]


def test_search_plans_once_and_tells_how(cast_committed: Cast, server: ModelServer) -> None:
    alice = cast_committed.alice
    tell(alice)
    reply = alice.post("/memory/search", {"query": ASKED["message"]})
    assert (reply["X-Memory-Status"], purposes(server)) == ("ok", ["plan"])
    server.script(fail(401), purpose="plan")
    reply = alice.post("/memory/search", {"query": ASKED["message"]})
    assert reply["X-Memory-Status"] == "partial"
    assert reply.json()["total"] >= 1
    assert UsageEntry.objects.for_space(alice.principal.space_id).get().private_to_id == alice.user.id


def test_usage_is_counted_by_day_purpose_and_model(cast_committed: Cast, server: ModelServer) -> None:
    alice = cast_committed.alice
    tell(alice)
    complete(alice)
    complete(alice)
    body = alice.get("/usage").json()
    assert [(item["purpose"], item["calls"]) for item in body["items"]] == [("answer", 2), ("plan", 2)]
    assert {item["model"] for item in body["items"]} == {"openai/test-model"}
    assert body["calls"] == 4
    assert body["input_tokens"] == sum(item["input_tokens"] for item in body["items"])
    assert body["estimated_calls"] == 0
    server.default = chat(has_usage=False)
    assert complete(alice).json()["are_turn_tokens_estimated"]
    assert [item["estimated_calls"] for item in alice.get("/usage").json()["items"]] == [1, 1]
    assert cast_committed.charlie.get("/usage").json()["items"] == []
    assert alice.get("/usage", {"days": 0}).status_code == 422
    assert Client().get("/usage").status_code == 401


def test_waiting_for_consolidation_brings_records_of_the_model(
    cast_committed: Cast, server: ModelServer
) -> None:
    alice = cast_committed.alice
    tell(alice)
    reply = alice.post("/memory/consolidate", {"session_id": "monday", "background": False})
    assert reply.json()["status"] == "done"
    assert [step["state"] for step in reply.json()["steps"]] == ["encoded"]
    texts = [item["semantic_text"] for item in alice.get("/memory/records").json()["items"]]
    assert texts == [f"alice: {ANA}"]


async def test_pieces_stream_as_they_come(live: Live, live_cast: Cast, server: ModelServer) -> None:
    server.script(chat(pieces=("In ", "Por", "to.")), purpose="answer")
    async with live.client(live_cast.alice) as client:
        reply = await client.post("/chat", json=ASKED)
    tokens = [frame["content"] for frame in frames(reply.text) if frame["type"] == "token"]
    assert tokens == ["In ", "Por", "to."]
    assert frames(reply.text)[-1]["status"] == "ok"


async def test_a_deep_answer_tells_when_it_condenses_and_cites_what_was_recalled(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    await asyncio.to_thread(tell, live_cast.alice)
    async with live.client(live_cast.alice) as client:
        streamed = frames((await client.post("/chat", json={**ASKED, "effort": "deep"})).text)
        whole = (await client.post("/chat/complete", json={**ASKED, "effort": "deep"})).json()
    steps = {frame["step"]: frame["trace_fragment"] for frame in streamed if frame["type"] == "step"}
    assert list(steps) == ["wm_manager", "search", "synthesize", "reason"]
    assert steps["synthesize"]["kept"] == [1]
    assert f"[1] {ANA}" in steps["synthesize"]["context"]
    answer = next(frame["content"] for frame in streamed if frame["type"] == "answer")
    assert answer.endswith("[1]")
    assert whole["trace"]["provenance"][0]["semantic_text"] == ANA
    assert whole["trace"]["synthesize"]["scores"]
    assert (whole["status"], streamed[-1]["status"]) == ("ok", "ok")


async def test_a_stream_that_breaks_ends_with_an_error_frame(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    server.script(cut_in_stream(after_pieces=1), purpose="answer")
    async with live.client(live_cast.alice) as client:
        reply = await client.post("/chat", json=ASKED)
    last = frames(reply.text)[-1]
    assert (last["type"], last["code"]) == ("error", "provider_unavailable")


async def test_a_question_sent_again_through_any_door_is_stored_once(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    server.script(cut_in_stream(after_pieces=1), purpose="answer")
    server.script(cut_in_stream(after_pieces=1), purpose="answer")
    async with live.client(live_cast.alice) as client:
        for path in ("/chat", "/chat/complete", "/chat/complete"):
            reply = await client.post(path, json=ASKED)
        stored = (await client.get("/memory/session/tuesday")).json()
    assert reply.json()["turn_index"] == 1
    assert [(turn["role"], turn["state"]) for turn in stored["turns"]] == [
        ("user", "complete"),
        ("assistant", "complete"),
    ]
    assert stored["turns"][1]["content"] == reply.json()["response"]


def test_a_session_tells_how_its_answers_came_about(cast_committed: Cast, server: ModelServer) -> None:
    alice = cast_committed.alice
    server.default = fail(500)
    told = complete(alice).json()["trace"]
    question, answer = alice.get("/memory/session/tuesday").json()["turns"]
    assert question["trace"] == {}
    assert answer["trace"]["reason"] == told["reason"]
    assert (told["reason"]["model"], len(told["reason"]["notes"])) == ("offline", 1)
    assert answer["trace"]["wm_manager"] == told["wm_manager"]
    assert answer["trace"]["search"]["kept"] == len(told["search"]["hits"])


async def test_a_client_that_goes_away_ends_the_models_call_within_a_second(
    live: Live, live_cast: Cast, server: ModelServer
) -> None:
    async with live.client(live_cast.alice) as client:
        await client.post("/chat", json=ASKED)  # LiteLLM imports what it needs during its first call
        server.script(hang(after_pieces=1), purpose="answer")
        async with client.stream("POST", "/chat", json=ASKED) as reply:
            await _first_token(reply)
        await asyncio.to_thread(server.wait_for, lambda it: it.open_streams == 0)

    await _interrupted(live_cast)


@pytest.mark.parametrize("path", ["/chat", "/chat/complete"])
async def test_a_client_that_goes_away_while_the_search_is_planned_ends_that_call(
    live: Live, live_cast: Cast, server: ModelServer, path: str
) -> None:
    await asyncio.to_thread(tell, live_cast.alice)
    async with live.client(live_cast.alice) as client:
        await client.post("/chat", json=ASKED)
        server.script(hang(), purpose="plan")
        asking = asyncio.create_task(client.post(path, json=ASKED))
        await asyncio.to_thread(server.wait_for, lambda it: len(it.of("plan")) == 2)
        asking.cancel()  # closes its connection
        await asyncio.to_thread(server.wait_for, lambda it: it.open_streams == 0)
    await _interrupted(live_cast)
    assert len(server.of("answer")) == 1


@pytest.mark.parametrize(
    ("path", "purpose"),
    [
        ("search", "plan"),
        ("smart-search", "plan"),
        ("smart-search", "synthesize"),
        ("synthesize", "synthesize"),
    ],
)
async def test_a_client_that_leaves_a_search_ends_the_call_it_waits_for(
    live: Live, live_cast: Cast, server: ModelServer, path: str, purpose: str
) -> None:
    await asyncio.to_thread(tell, live_cast.alice)
    asked = {"query": ASKED["message"], "user_query": ASKED["message"], "semantic_results": []}
    async with live.client(live_cast.alice) as client:
        found = (await client.post("/memory/search", json=asked)).json()
        asked["semantic_results"] = found["semantic_results"]
        calls = len(server.of(purpose))
        server.script(hang(), purpose=purpose)
        asking = asyncio.create_task(client.post(f"/memory/{path}", json=asked))
        await asyncio.to_thread(server.wait_for, lambda it: len(it.of(purpose)) > calls)
        asking.cancel()  # closes its connection
        await asyncio.to_thread(server.wait_for, lambda it: it.open_streams == 0)
        assert (await client.post(f"/memory/{path}", json=asked)).status_code == 200, "nothing is stuck"


async def _interrupted(cast: Cast) -> None:
    """Wait until the newest answer is kept as interrupted."""

    def last_state() -> str:
        turns = SessionTurn.objects.for_space(cast.alice.principal.space_id)
        return str(turns.latest("id").state)

    for _ in range(100):
        if await asyncio.to_thread(last_state) == "interrupted":
            return
        await asyncio.sleep(0.05)  # the condition is the row's own state
    raise AssertionError("the answer was not interrupted")


async def _first_token(reply: httpx.Response) -> None:
    async for line in reply.aiter_lines():
        if '"token"' in line:
            return

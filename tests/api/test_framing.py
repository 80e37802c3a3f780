"""One pipeline, many doors: the same text and the same provenance behind each."""

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
import websockets

from accounts.errors import InvalidInput, SessionBusy
from api.framing import encode, error_frame, frame_of
from memory.domain.types import Kind
from sessions_app.domain.types import Answer, Delta, Failed, StepDone
from skills.domain.types import SkillHit
from tests.api.cast import Cast
from tests.api.live import Live
from tests.api.scripted import Script, done, hit, script, whole_answer

__all__ = ["script"]


def test_a_step_carries_its_trace() -> None:
    assert frame_of(StepDone("search", {"kept": 2}), session="intro") == {
        "type": "step",
        "step": "search",
        "status": "done",
        "trace_fragment": {"kept": 2},
    }


def test_text_comes_in_tokens_and_then_whole() -> None:
    assert frame_of(Delta("a"), session="s") == {"type": "token", "content": "a"}
    assert frame_of(Answer("ab"), session="s") == {"type": "answer", "content": "ab"}


def test_a_failure_is_an_error_frame() -> None:
    assert frame_of(Failed("provider_failed", "Try again."), session="s") == {
        "type": "error",
        "code": "provider_failed",
        "content": "Try again.",
    }


def test_done_names_the_session_as_the_client_does() -> None:
    event = done(hit(), hit(Kind.TURN))
    frame = frame_of(event, session="my name for it")
    assert frame["session_id"] == "my name for it"
    assert frame["session_uuid"] == event.session_id
    assert frame["memories_retrieved"] == 2
    assert (frame["turn_input_tokens"], frame["turn_output_tokens"]) == (12, 7)
    assert frame["wm_token_usage"] == 40
    assert frame["trace"]["search"] == {"ms": 3.5}
    assert [item["source"] for item in frame["trace"]["provenance"]] == ["record", "episode"]
    assert frame["trace"]["dropped"][0]["reason"] == "below the floor"


def test_done_tells_the_skills_that_were_shown() -> None:
    shown = SkillHit(uuid4(), 2, "Deploy it", "1. make", (), ("make",), 0.91, True, "near")
    event = done(hit())
    event = replace(event, recalled=replace(event.recalled, skills=(shown,)))
    (told,) = frame_of(event, session="s")["trace"]["skills"]
    assert (told["skill_id"], told["version"], told["reusable"]) == (str(shown.id), 2, True)
    assert (told["intent"], told["doc_markdown"], told["tools"]) == ("Deploy it", "1. make", ["make"])


def test_every_frame_is_ascii_json_whatever_the_text() -> None:
    text = encode(frame_of(Answer("café \ud83d 🍜 \n\n data: x"), session="s"))
    assert text.isascii()
    assert "\n" not in text


def test_an_error_names_its_fields_and_when_to_come_back() -> None:
    assert error_frame(InvalidInput.field("text", "Say something."))["errors"] == [
        {"pointer": "/text", "code": "invalid", "message": "Say something."}
    ]
    assert error_frame(SessionBusy(retry_after=3))["retry_after"] == 3


def comparable(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if name not in ("type", "seq", "response")}


@pytest.mark.django_db(transaction=True)
async def test_every_door_gives_the_same_text_and_provenance(
    live: Live, live_cast: Cast, script: Script
) -> None:
    events = whole_answer(hit(), hit(Kind.TURN))
    body = {"session_id": "intro", "message": "Where do I live?"}
    async with live.client(live_cast.alice) as client:
        script.say(*events)
        streamed = (await client.post("/chat", json=body)).text
        script.say(*events)
        whole = (await client.post("/chat/complete", json=body)).json()
        ticket = (await client.post("/auth/ws-ticket")).json()["ticket"]
    script.say(*events)
    frames: list[dict[str, Any]] = []
    async with websockets.connect(live.ws("intro", ticket=ticket)) as socket:
        await socket.send(json.dumps({"type": "message", "text": body["message"]}))
        while not frames or frames[-1]["type"] != "done":
            frames.append(json.loads(await socket.recv()))

    lines = [json.loads(line.removeprefix("data: ")) for line in streamed.split("\n\n") if line]
    assert [line["type"] for line in lines] == [frame["type"] for frame in frames]
    assert [comparable(line) for line in lines] == [comparable(frame) for frame in frames]
    assert comparable(whole) == comparable(lines[-1])
    tokens = "".join(line["content"] for line in lines if line["type"] == "token")
    assert tokens == lines[-2]["content"] == whole["response"]

"""The walk: every endpoint, as a stranger and as a fellow member, asking for Alice's things.

A route that is not in the table below fails the suite.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from api.rest.root import api
from memory.models import MemoryRecord
from tests.api.cast import Person, problem
from tests.tenancy.world import (
    CANARIES,
    PRIVATE,
    SHARED,
    Things,
    World,
    ids_of_space,
    ids_private_to,
    said_by,
)
from tests.visual.pictures import data_url, plain

NOBODYS = "00000000-0000-7000-8000-000000000001"
Body = Callable[[Things], dict[str, Any]]


@dataclass(frozen=True)
class Step:
    """One request for somebody else's things. `is_item`: it names one, so the answer is 404;
    otherwise the answer must be free of them.
    """

    method: str
    path: str
    body: Body | None = None
    is_item: bool = False
    query: str = ""
    repeats: Body | None = None  # what the walker has said before, and the answer may tell

    def address(self, things: Things) -> str:
        named = {
            "session_id": things.session,
            "record_id": things.record,
            "job_id": things.job,
            "log_id": things.log,
            "skill_id": things.skill,
            "number": 1,
            "visual_id": things.visual,
            "slug": things.space,
            "username": things.member,
        }
        return self.path.format(**named) + self.query.format(**vars_of(things))

    def content(self, things: Things) -> str:
        return json.dumps(self.body(things)) if self.body else ""

    def ask(self, who: Person, things: Things) -> Any:
        return who.send(self.method, self.address(things), self.content(things))

    def sent(self, things: Things) -> str:
        """What the request itself says, and the answer may repeat."""
        said = json.dumps(self.repeats(things)) if self.repeats else ""
        return (self.address(things) + self.content(things) + said).lower()


def vars_of(things: Things) -> dict[str, str]:
    return {"session": things.session, "record": things.record, "job": things.job, "name": things.name}


def question(things: Things) -> dict[str, Any]:
    return {
        "query": "What are the restaurant Zanzibaretta and the hideout Quixotembra?",
        "top_k": 100,
        "session_id": things.session,
        "exclude_session_id": things.name,
        "response_level": "full",
        "include_visual": True,
        "mode": "full",
        "min_score": 0,
    }


def way(things: Things) -> dict[str, Any]:
    return {**question(things), "query": "How to find the restaurant Zanzibaretta or hideout Quixotembra?"}


def message(things: Things) -> dict[str, Any]:
    return {"session_id": things.session, "message": "What is my secret hideout called? Which restaurant?"}


def results(things: Things) -> dict[str, Any]:
    item = {"record_id": things.record, "semantic_text": "A restaurant and a hideout."}
    skill = {"skill_id": things.skill, "reusable": True, "score": 1}
    blocks = [{"provenance": [item]}]
    return {"user_query": "Which hideout?", "semantic_results": blocks, "skill_results": [skill]}


# Things first: a write that names a session unknown to the writer makes one of that name.
WALK = [
    Step("POST", "/memory/consolidate", lambda t: {"session_id": t.session}, is_item=True),
    Step("POST", "/memory/consolidate/{session_id}", is_item=True),
    Step("GET", "/memory/session/{session_id}", is_item=True),
    Step("DELETE", "/memory/session/{session_id}", is_item=True),
    Step("PATCH", "/memory/session/{session_id}/meta", lambda _: {"title": "Mine now."}, is_item=True),
    Step("PATCH", "/memory/session/{session_id}/meta", lambda _: {"private": False}, is_item=True),
    Step("GET", "/memory/records/{record_id}", is_item=True),
    Step("PATCH", "/memory/records/{record_id}", lambda _: {"semantic_text": "Mine now."}, is_item=True),
    Step("POST", "/memory/records/{record_id}/expire", lambda _: {}, is_item=True),
    Step("POST", "/memory/records/{record_id}/pin", lambda _: {}, is_item=True),
    Step("POST", "/memory/records/{record_id}/restore", is_item=True),
    Step("POST", "/memory/records/{record_id}/merge", lambda t: {"record_ids": [NOBODYS]}, is_item=True),
    Step("GET", "/memory/records/{record_id}/history", is_item=True),
    Step("DELETE", "/memory/records/{record_id}", is_item=True),
    Step("POST", "/memory/records/{record_id}/feedback", lambda _: {"outcome": "fail"}, is_item=True),
    Step("POST", "/memory/retrieval-logs/{log_id}/feedback", lambda _: {"outcome": "fail"}, is_item=True),
    Step("GET", "/memory/retrieval-logs", query="?limit=100", repeats=question),
    Step("GET", "/memory/skills/{skill_id}", is_item=True),
    Step("PATCH", "/memory/skills/{skill_id}", lambda _: {"state": "retired"}, is_item=True),
    Step("GET", "/memory/skills/{skill_id}/versions", is_item=True),
    Step("POST", "/memory/skills/{skill_id}/versions/{number}/adopt", is_item=True),
    Step("GET", "/memory/skills/{skill_id}/export", is_item=True),
    Step("DELETE", "/memory/skills/{skill_id}", is_item=True),
    Step("GET", "/memory/skills", query="?limit=100"),
    Step("GET", "/memory/skills", query="?q=Quixotembra"),
    Step("POST", "/memory/skills", lambda _: {"intent": "Find it", "doc_markdown": "1. Look"}),
    Step("GET", "/memory/skills/export"),
    Step("POST", "/memory/skills/import"),
    Step("DELETE", "/memory/skills/clear"),
    Step("GET", "/pipeline/last-consolidation", query="?session_id={session}", is_item=True),
    Step("GET", "/jobs/{job_id}", is_item=True),
    Step("POST", "/jobs/{job_id}/retry", is_item=True),
    Step("GET", "/visual/memories/{visual_id}", is_item=True),
    Step("GET", "/visual/memories/{visual_id}/image", is_item=True),
    Step("GET", "/visual/memories/{visual_id}/image", is_item=True, query="?size=small"),
    Step("DELETE", "/visual/memories/{visual_id}", is_item=True),
    Step("POST", "/visual/memories/{visual_id}/pin", lambda _: {}, is_item=True),
    Step("POST", "/visual/memories/{visual_id}/restore", is_item=True),
    Step("GET", "/visual/memories", query="?session={session}", is_item=True),
    Step("POST", "/visual/search", lambda t: {"query": "restaurant", "session_id": t.session}, is_item=True),
    Step("POST", "/visual/search", lambda _: {"query": "restaurant Zanzibaretta, hideout Quixotembra"}),
    Step("POST", "/visual/search", lambda _: {"image": data_url(plain((47, 40, 90))), "top_k": 100}),
    Step("GET", "/visual/memories", query="?state=all&limit=100"),
    Step("GET", "/visual/memories", query="?q=hideout"),
    Step("GET", "/visual/stats"),
    Step(
        "POST",
        "/visual/memories",
        lambda t: {"session_id": t.session, "images": [data_url(plain((47, 40, 90)))]},
    ),
    Step("GET", "/auth/me"),
    Step("PATCH", "/auth/me", lambda _: {"display_name": "C"}),
    Step("POST", "/auth/password", lambda _: {"old_password": "x", "new_password": "another horse"}),
    Step("POST", "/auth/ws-ticket"),
    Step("GET", "/spaces"),
    Step("POST", "/spaces", lambda _: {"slug": "fresh", "name": "Fresh"}),
    Step("GET", "/spaces/{slug}/members", is_item=True),
    Step("POST", "/spaces/{slug}/members", lambda _: {"username": "charlie"}, is_item=True),
    Step("PATCH", "/spaces/{slug}/members/{username}", lambda _: {"role": "viewer"}, is_item=True),
    Step("DELETE", "/spaces/{slug}/members/{username}", is_item=True),
    Step("POST", "/chat", message),
    Step("POST", "/chat/complete", message),
    Step("GET", "/sessions", query="?q={name}"),
    Step("GET", "/sessions"),
    Step("POST", "/memory/append-turn", lambda t: {"session_id": t.session, "role": "user", "content": "x"}),
    Step(
        "POST",
        "/memory/append-turns",
        lambda t: {"session_id": t.session, "turns": [{"role": "user", "content": "x"}]},
    ),
    Step("POST", "/memory/search", question),
    Step("POST", "/memory/search", way),
    Step("POST", "/memory/smart-search", question),
    Step("POST", "/memory/smart-search", lambda t: {**question(t), "synthesize": False, "effort": "deep"}),
    Step("POST", "/memory/synthesize", results),
    Step("POST", "/memory/records", lambda _: {"semantic_text": "The walker likes hills."}),
    Step("GET", "/memory/communities"),
    Step("GET", "/memory/records", query="?limit=100"),
    Step("GET", "/memory/records", query="?q=Zanzibaretta"),
    Step("GET", "/memory/records", query="?session={session}"),
    Step("GET", "/pipeline/status"),
    Step("GET", "/pipeline/last-consolidation"),
    Step("GET", "/usage"),
]
# Routes that know nobody: signing up and in, and the server's health.
OPEN = {
    ("POST", "/auth/register"),
    ("POST", "/auth/login"),
    ("POST", "/auth/refresh"),
    ("GET", "/health"),
    ("HEAD", "/health"),
    ("GET", "/livez"),
    ("HEAD", "/livez"),
    ("GET", "/readyz"),
    ("HEAD", "/readyz"),
}
UNDOCUMENTED = {"", "docs", "openapi.json"}


def routes() -> set[tuple[str, str]]:
    """Every operation of the API, from the router itself."""
    found = set()
    for bound in api._get_bound_routers():
        for path, view in bound.path_operations.items():
            full = re.sub(r"{\w+:(\w+)}", r"{\1}", f"{bound.prefix}{path}")
            found |= {(method, full) for operation in view.operations for method in operation.methods}
    return found


def test_every_route_is_walked() -> None:
    walked = {(step.method, step.path) for step in WALK}
    assert walked | OPEN == routes()


def test_the_api_has_no_address_beside_its_routes() -> None:
    patterns = {re.sub(r"<\w+:(\w+)>|<(\w+)>", r"{\1\2}", str(p.pattern)) for p in api.urls[0]}
    assert patterns - UNDOCUMENTED == {path.lstrip("/") for _method, path in routes()}


def name(step: Step) -> str:
    return f"{step.method} {step.path}{step.query}"


def free_of(reply: Any, sent: str, foreign: set[str], canaries: tuple[str, ...]) -> None:
    """The answer holds none of these ids and words, except what the request itself said."""
    text = said_by(reply).lower()
    assert reply.status_code < 500, text
    assert {id_ for id_ in foreign if id_ in text and id_ not in sent} == set()
    assert [word for word in canaries if word in text and word not in sent] == []


STREAMED = {"/chat"}  # walked over a real server in test_streams.py
WALKED = [step for step in WALK if step.path not in STREAMED]


@pytest.mark.parametrize("step", [s for s in WALK if s.is_item], ids=name)
def test_a_foreign_thing_and_a_missing_one_look_alike(world: World, step: Step) -> None:
    missing = Things(*(["00000000-0000-7000-8000-000000000000"] * 3), name="missing")

    def seen(things: Things) -> dict[str, Any]:
        document = problem(step.ask(world.cast.charlie, things), 404, "not_found")
        return {key: value for key, value in document.items() if key != "instance"}

    assert seen(world.shared) == seen(missing)


@pytest.mark.parametrize("step", WALKED, ids=name)
@pytest.mark.parametrize("which", ["shared", "private"])
def test_a_stranger_in_their_own_space_gets_nothing_of_alices(world: World, step: Step, which: str) -> None:
    things: Things = getattr(world, which)
    foreign = ids_of_space("space-a") | {str(world.cast.alice.user.id)}
    foreign -= {world.shared.session, world.private.session}  # which the walk itself has named
    reply = step.ask(world.cast.charlie, things)
    if step.is_item:
        problem(reply, 404, "not_found")
    free_of(reply, step.sent(things), foreign, CANARIES)


@pytest.mark.parametrize("step", WALK, ids=name)
def test_a_stranger_naming_alices_space_gets_404(world: World, step: Step) -> None:
    reply = step.ask(world.cast.charlie.in_space("space-a"), world.shared)
    problem(reply, 404, "not_found")


@pytest.mark.parametrize("step", WALKED, ids=name)
@pytest.mark.parametrize("fellow", ["bob", "vera"])
def test_a_fellow_member_gets_nothing_of_a_private_session(world: World, step: Step, fellow: str) -> None:
    reply = step.ask(getattr(world.cast, fellow), world.private)
    if step.is_item:
        problem(reply, 404, "not_found")
    free_of(
        reply,
        step.sent(world.private),
        ids_private_to(world.cast.alice.user.id) - {world.private.session},
        ("quixotembra",),
    )


def test_the_walk_changed_nothing_of_alices(world: World) -> None:
    for things, text in ((world.shared, SHARED), (world.private, PRIVATE)):
        transcript = world.cast.alice.get(f"/memory/session/{things.name}").json()
        assert [turn["content"] for turn in transcript["turns"]] == [text]
        record = world.cast.alice.get(f"/memory/records/{things.record}").json()
        assert (record["version"], record["expired_at"]) == (1, None)
        logs = world.cast.alice.get("/memory/retrieval-logs").json()["items"]
        assert {log["outcome"] for log in logs if log["log_id"] == things.log} == {"open"}


def test_the_walk_changed_nobodys_role(world: World) -> None:
    members = world.cast.alice.get("/spaces/space-a/members").json()["items"]
    roles = {member["username"]: member["role"] for member in members}
    assert roles == {"alice": "owner", "bob": "editor", "vera": "viewer"}


def test_clearing_the_space_left_a_private_skill_alone(world: World) -> None:
    kept = world.cast.alice.get(f"/memory/skills/{world.private.skill}").json()
    assert (kept["version"], kept["state"]) == (1, "active")


def test_counts_tell_a_fellow_member_nothing_of_private_sessions(world: World) -> None:
    of_alice = world.counts["alice"]
    assert of_alice["sessions"] == of_alice["turns"] == 2
    private = MemoryRecord.everyone.filter(private_to=world.cast.alice.user).count()
    for fellow in ("bob", "vera"):
        seen = world.counts[fellow]
        assert (seen["sessions"], seen["turns"]) == (1, 1)
        assert seen["records"] == of_alice["records"] - private
    assert set(world.counts["charlie"].values()) == {0}


def test_the_walkers_credentials_work(world: World) -> None:
    """The 404s above come from the walk, not from a broken token."""
    for who in (world.cast.bob, world.cast.vera, world.cast.charlie):
        assert who.get("/sessions").status_code == 200
    assert world.cast.bob.get(f"/memory/session/{world.shared.session}").status_code == 200
    assert world.cast.alice.get(f"/memory/session/{world.private.session}").status_code == 200
    assert world.cast.alice.get(f"/memory/records/{world.private.record}").status_code == 200
    assert world.cast.bob.get(f"/memory/records/{world.shared.record}").status_code == 200

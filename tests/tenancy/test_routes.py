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
from tests.api.cast import Person, problem
from tests.tenancy.world import CANARIES, Things, World, ids_of_space, ids_private_to

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

    def ask(self, who: Person, things: Things) -> Any:
        path = (
            self.path.replace("{session_id}", things.session)
            .replace("{record_id}", things.record)
            .replace("{job_id}", things.job)
        )
        body = json.dumps(self.body(things)) if self.body else ""
        query = self.query.format(**vars_of(things))
        return who.send(self.method, path + query, body)


def vars_of(things: Things) -> dict[str, str]:
    return {"session": things.session, "record": things.record, "job": things.job, "name": things.name}


def question(things: Things) -> dict[str, Any]:
    return {
        "query": "What are the restaurant Zanzibaretta and the hideout Quixotembra?",
        "top_k": 100,
        "session_id": things.session,
        "exclude_session_id": things.name,
        "response_level": "full",
        "mode": "full",
        "min_score": 0,
    }


def message(things: Things) -> dict[str, Any]:
    return {"session_id": things.session, "message": "What is my secret hideout called? Which restaurant?"}


WALK = [
    Step("GET", "/auth/me"),
    Step("PATCH", "/auth/me", lambda _: {"display_name": "C"}),
    Step("POST", "/auth/password", lambda _: {"old_password": "x", "new_password": "another horse"}),
    Step("POST", "/auth/ws-ticket"),
    Step("GET", "/spaces"),
    Step("POST", "/spaces", lambda _: {"slug": "fresh", "name": "Fresh"}),
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
    Step("POST", "/memory/consolidate", lambda t: {"session_id": t.session}, is_item=True),
    Step("POST", "/memory/consolidate/{session_id}", is_item=True),
    Step("POST", "/memory/search", question),
    Step("POST", "/memory/smart-search", question),
    Step("GET", "/memory/session/{session_id}", is_item=True),
    Step("DELETE", "/memory/session/{session_id}", is_item=True),
    Step("GET", "/memory/records", query="?limit=100"),
    Step("GET", "/memory/records", query="?q=Zanzibaretta"),
    Step("GET", "/memory/records", query="?session={session}"),
    Step("GET", "/memory/records/{record_id}", is_item=True),
    Step("PATCH", "/memory/records/{record_id}", lambda _: {"semantic_text": "Mine now."}, is_item=True),
    Step("POST", "/memory/records/{record_id}/expire", lambda _: {}, is_item=True),
    Step("GET", "/pipeline/status"),
    Step("GET", "/pipeline/last-consolidation"),
    Step("GET", "/pipeline/last-consolidation", query="?session_id={session}", is_item=True),
    Step("GET", "/jobs/{job_id}", is_item=True),
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


def free_of(reply: Any, step: Step, things: Things, foreign: set[str]) -> None:
    """The answer holds none of these ids, except what the request itself named, and no canary."""
    text = b"".join(reply).decode() if reply.streaming else reply.content.decode()
    assert reply.status_code < 500, text
    sent = (
        json.dumps(step.body(things)).lower() if step.body else step.query.format(**vars_of(things)).lower()
    )
    leaked = {id_ for id_ in foreign if id_ in text and id_ not in sent}
    assert leaked == set()
    said = [word for word in CANARIES if word in text.lower() and word not in sent]
    assert said == []


ASYNC_ONLY = {"/chat"}  # walked over a real server in test_streams.py


@pytest.mark.parametrize("step", [s for s in WALK if s.path not in ASYNC_ONLY], ids=name)
@pytest.mark.parametrize("which", ["shared", "private"])
def test_a_stranger_in_their_own_space_gets_nothing_of_alices(world: World, step: Step, which: str) -> None:
    things: Things = getattr(world, which)
    foreign = ids_of_space("space-a") | {str(world.cast.alice.user.id)}
    reply = step.ask(world.cast.charlie, things)
    if step.is_item:
        problem(reply, 404, "not_found")
    free_of(reply, step, things, foreign)


@pytest.mark.parametrize("step", WALK, ids=name)
def test_a_stranger_naming_alices_space_gets_404(world: World, step: Step) -> None:
    reply = step.ask(world.cast.charlie.in_space("space-a"), world.shared)
    problem(reply, 404, "not_found")


@pytest.mark.parametrize("step", [s for s in WALK if s.path not in ASYNC_ONLY], ids=name)
@pytest.mark.parametrize("fellow", ["bob", "vera"])
def test_a_fellow_member_gets_nothing_of_a_private_session(world: World, step: Step, fellow: str) -> None:
    reply = step.ask(getattr(world.cast, fellow), world.private)
    if step.is_item:
        assert reply.status_code in ((404,) if fellow == "bob" else (403, 404)), reply.content
    text = reply.content.decode()
    assert reply.status_code < 500, text
    sent = (json.dumps(step.body(world.private)) if step.body else "") + step.query.format(
        **vars_of(world.private)
    )
    leaked = {id_ for id_ in ids_private_to(world.cast.alice.user.id) if id_ in text and id_ not in sent}
    assert leaked == set()
    assert "quixotembra" not in text.lower() or "quixotembra" in sent.lower()


@pytest.mark.parametrize("step", [s for s in WALK if s.is_item], ids=name)
def test_a_foreign_thing_and_a_missing_one_look_alike(world: World, step: Step) -> None:
    missing = Things(*(["00000000-0000-7000-8000-000000000000"] * 3), name="missing")

    def seen(things: Things) -> dict[str, Any]:
        document = problem(step.ask(world.cast.charlie, things), 404, "not_found")
        return {key: value for key, value in document.items() if key != "instance"}

    assert seen(world.shared) == seen(missing)


def test_the_walk_changed_nothing_of_alices(world: World) -> None:
    before = world.cast.alice.get(f"/memory/records/{world.shared.record}").json()
    for step in WALK:
        if step.path not in ASYNC_ONLY | {"/auth/password"}:
            step.ask(world.cast.charlie, world.shared)
            step.ask(world.cast.charlie.in_space("space-a"), world.shared)
    assert world.cast.alice.get(f"/memory/records/{world.shared.record}").json() == before
    transcript = world.cast.alice.get("/memory/session/restaurants").json()
    assert [turn["content"] for turn in transcript["turns"]] == [
        "My favourite restaurant is called Zanzibaretta."
    ]


def test_counts_tell_a_fellow_member_nothing_of_private_sessions(world: World) -> None:
    alice = world.cast.alice.get("/pipeline/status").json()
    for fellow in (world.cast.bob, world.cast.vera):
        seen = fellow.get("/pipeline/status").json()
        assert (seen["sessions"], seen["turns"]) == (1, 1)
        assert seen["records"] == alice["records"] - 1
        assert fellow.get("/sessions").json()["total"] == 1


def test_the_walkers_credentials_work(world: World) -> None:
    """The 404s above come from the walk, not from a broken token."""
    for who in (world.cast.bob, world.cast.vera, world.cast.charlie):
        assert who.get("/sessions").status_code == 200
    assert world.cast.bob.get(f"/memory/session/{world.shared.session}").status_code == 200
    assert world.cast.alice.get(f"/memory/session/{world.private.session}").status_code == 200
    assert world.cast.alice.get(f"/memory/records/{world.private.record}").status_code == 200
    assert world.cast.bob.get(f"/memory/records/{world.shared.record}").status_code == 200

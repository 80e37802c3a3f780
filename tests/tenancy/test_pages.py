"""The walk of the pages: every address under /app/, as a stranger and as a fellow member."""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from accounts import urls as accounts_urls
from sessions_app import urls as sessions_urls
from tests.api.cast import Person
from tests.tenancy.world import CANARIES, Things, World, ids_of_space, ids_private_to, said_by

MISSING = Things(*(["00000000-0000-7000-8000-000000000000"] * 3), name="missing")


@dataclass(frozen=True)
class Step:
    """A page asked for with somebody else's ids; `named` is what the address holds of them."""

    name: str
    method: str = "get"
    named: str = ""
    query: str = ""
    data: dict[str, str] = field(default_factory=dict)

    def ask(self, who: Person, space: str, things: Things) -> Any:
        client = Client()
        client.force_login(who.user)
        ids = [getattr(things, self.named)] if self.named else []
        address = reverse(f"sessions:{self.name}", args=[space, *ids])
        query = self.query.format(session=things.session)
        headers = {"HX-Request": "true"} if self.name in PARTS else {}
        return getattr(client, self.method)(address + query, self.data, headers=headers)


PARTS = {"session-list", "turns", "record-item", "job"}  # of pages, which ask for them by script
CHANGE = {"semantic_text": "Mine now.", "memory_type": "fact"}
WAY = {"intent": "Mine now", "doc_markdown": "1. Mine"}
WALK = [
    Step("chat-new"),
    Step("chat-new", "post"),
    Step("session-list"),
    Step("session-list", query="?session={session}"),
    Step("chat", named="session"),
    Step("chat", named="session", query="?at=0"),
    Step("turns", named="session", query="?after=-1"),
    Step("session-rename", named="session"),
    Step("session-rename", "post", named="session", data={"title": "Mine now."}),
    Step("session-audience", named="session"),
    Step("session-audience", "post", named="session", data={"private": "no"}),
    Step("session-delete", named="session"),
    Step("session-delete", "post", named="session"),
    Step("memory"),
    Step("memory", query="?state=all&session={session}"),
    Step("memory", query="?q=hideout"),
    Step("record", named="record"),
    Step("record-item", named="record"),
    Step("record-edit", named="record"),
    Step("record-edit", "post", named="record", data=CHANGE),
    Step("record-expire", named="record"),
    Step("record-expire", "post", named="record"),
    Step("record-pin", "post", named="record"),
    Step("record-restore", "post", named="record"),
    Step("record-merge", named="record"),
    Step("record-merge", "post", named="record", data={"record_ids": MISSING.record}),
    Step("record-purge", named="record"),
    Step("record-purge", "post", named="record"),
    Step("images"),
    Step("images", query="?state=all"),
    Step("images", query="?q=hideout+restaurant"),
    Step("image", named="visual"),
    Step("image-file", named="visual"),
    Step("image-file", named="visual", query="?size=small"),
    Step("image-pin", "post", named="visual"),
    Step("image-restore", "post", named="visual"),
    Step("image-delete", "post", named="visual"),
    Step("rate", "post", named="log", data={"outcome": "fail"}),
    Step("remember-now", "post", named="session"),
    Step("job", named="job"),
    Step("job-retry", "post", named="job"),
    Step("skills"),
    Step("skills", query="?q=hideout"),
    Step("skill-new"),
    Step("skill-new", "post", data=WAY),
    Step("skill-import", "post"),
    Step("skill-archive"),
    Step("skill", named="skill"),
    Step("skill-edit", named="skill"),
    Step("skill-edit", "post", named="skill", data=WAY),
    Step("skill-state", "post", named="skill", data={"state": "retired"}),
    Step("skill-adopt", "post", named="skill", data={"number": "1"}),
    Step("skill-file", named="skill"),
    Step("skill-delete", named="skill"),
    Step("skill-delete", "post", named="skill"),
    Step("members"),
    Step("members", "post", data={"username": "missing", "role": "owner"}),
    Step("member-role", "post", named="member", data={"bob-role": "owner"}),
    Step("member-remove", named="member"),
    Step("member-remove", "post", named="member"),
    Step("space-new"),
    Step("space-new", "post"),
    Step("usage"),
]
# Addresses that name nobody's things: the doors, and the way to one's own space.
OPEN = {"home", "sign-up", "sign-in", "sign-out", "profile", "password"}

# What an editor may not ask for, of things that are not theirs.
OWNERS = {"session-delete", "session-audience"}


def label(step: Step) -> str:
    return f"{step.method} {step.name}{step.query}"


def body(reply: Any) -> str:
    """The page without its token, which differs each time."""
    text = said_by(reply).lower()
    return re.sub(r'"x-csrftoken": "\w+"|csrfmiddlewaretoken" value="\w+"', "", text)


def free_of(reply: Any, things: Things, foreign: set[str], canaries: tuple[str, ...]) -> None:
    """The page holds none of these ids and words, but for the ids that were asked with."""
    text = body(reply)
    assert reply.status_code < 500
    assert {
        one
        for one in foreign
        - {things.session, things.record, things.job, things.log, things.skill, things.visual}
        if one in text
    } == set()
    assert [word for word in canaries if word in text] == []


def test_every_page_is_walked() -> None:
    patterns = [*accounts_urls.urlpatterns, *sessions_urls.urlpatterns, *sessions_urls._space_patterns]
    known = {pattern.name for pattern in patterns if isinstance(pattern, URLPattern)}
    assert {step.name for step in WALK} | OPEN == known


@pytest.mark.parametrize("step", WALK, ids=label)
def test_a_stranger_naming_alices_space_gets_404(world: World, step: Step) -> None:
    reply = step.ask(world.cast.charlie, "space-a", world.shared)
    assert reply.status_code == 404
    free_of(reply, world.shared, ids_of_space("space-a"), CANARIES)


@pytest.mark.parametrize("step", WALK, ids=label)
@pytest.mark.parametrize("which", ["shared", "private"])
def test_a_stranger_in_their_own_space_gets_nothing_of_alices(world: World, step: Step, which: str) -> None:
    things: Things = getattr(world, which)
    reply = step.ask(world.cast.charlie, "space-b", things)
    if step.named:
        assert reply.status_code == 404
    free_of(reply, things, ids_of_space("space-a"), CANARIES)


@pytest.mark.parametrize("step", WALK, ids=label)
@pytest.mark.parametrize("fellow", ["bob", "vera"])
def test_a_fellow_member_gets_nothing_of_a_private_session(world: World, step: Step, fellow: str) -> None:
    reply = step.ask(getattr(world.cast, fellow), "space-a", world.private)
    if step.named:
        assert reply.status_code == 404
    free_of(reply, world.private, ids_private_to(world.cast.alice.user.id), ("quixotembra",))


@pytest.mark.parametrize("step", [step for step in WALK if step.named], ids=label)
def test_a_foreign_thing_and_a_missing_one_look_alike(world: World, step: Step) -> None:
    foreign, missing = (step.ask(world.cast.charlie, "space-b", things) for things in (world.shared, MISSING))
    assert foreign.status_code == missing.status_code == 404
    assert body(foreign) == body(missing)


def test_the_walk_changed_nothing_of_alices(world: World) -> None:
    for things in (world.shared, world.private):
        record = world.cast.alice.get(f"/memory/records/{things.record}").json()
        assert (record["version"], record["expired_at"]) == (1, None)
        skill = world.cast.alice.get(f"/memory/skills/{things.skill}").json()
        assert (skill["version"], skill["state"]) == (1, "active")


def test_the_walkers_pages_work(world: World) -> None:
    """The 404s above come from the walk, not from a broken page."""
    for step in WALK:
        if step.method == "get":
            things = world.shared if step.named == "member" else world.private
            assert step.ask(world.cast.alice, "space-a", things).status_code == 200, label(step)
            expected = 403 if step.name in OWNERS else 200
            assert step.ask(world.cast.bob, "space-a", world.shared).status_code == expected, label(step)

"""The walk once more after Alice has made her shared session private, and shared her private one."""

from dataclasses import replace

import pytest

from accounts.models import Job
from accounts.services.jobs import run_job
from tests.api.cast import Person, problem
from tests.tenancy import test_pages as pages
from tests.tenancy import test_routes as routes
from tests.tenancy.world import Things, World, ids_private_to

FELLOWS = ("bob", "vera")
READ = [step for step in routes.WALKED if step.method == "GET" and step.is_item and "{slug}" not in step.path]


@pytest.fixture(scope="module")
def hidden(world: World) -> Things:
    """What all could see, and had asked for; not even workers have come by since it is private."""
    alice, things = world.cast.alice, replace(world.shared, space="missing", member="missing")
    for name in FELLOWS:
        found = getattr(world.cast, name).post("/memory/search", routes.question(things)).content.decode()
        assert "Zanzibaretta" in found
    for session, private in ((world.shared.session, True), (world.private.session, False)):
        reply = alice.patch(f"/memory/session/{session}/meta", {"private": private})
        assert (reply.status_code, reply.json()["is_private"]) == (200, private), reply.content
    return things


@pytest.fixture(params=FELLOWS)
def fellow(world: World, hidden: Things, request: pytest.FixtureRequest) -> Person:
    person: Person = getattr(world.cast, request.param)
    return person


@pytest.fixture
def hers(world: World) -> set[str]:
    return ids_private_to(world.cast.alice.user.id)


@pytest.mark.parametrize("step", READ, ids=routes.name)
def test_what_was_private_is_shown(world: World, fellow: Person, step: routes.Step) -> None:
    assert step.ask(fellow, world.private).status_code == 200


# Pages first: a write that names a session unknown to the writer makes one of that name.
@pytest.mark.parametrize("step", pages.WALK, ids=pages.label)
def test_no_page_shows_what_is_private_now(
    fellow: Person, hidden: Things, hers: set[str], step: pages.Step
) -> None:
    reply = step.ask(fellow, "space-a", hidden)
    if step.named:
        assert reply.status_code == 404
    pages.free_of(reply, hidden, hers, ("zanzibaretta",))


@pytest.mark.parametrize("step", routes.WALKED, ids=routes.name)
def test_no_door_shows_what_is_private_now(
    fellow: Person, hidden: Things, hers: set[str], step: routes.Step
) -> None:
    reply = step.ask(fellow, hidden)
    if step.is_item:
        problem(reply, 404, "not_found")
    routes.free_of(reply, step.sent(hidden), hers - {hidden.session}, ("zanzibaretta",))


def test_its_author_sees_it_as_before(world: World, hidden: Things) -> None:
    for step in READ:
        assert step.ask(world.cast.alice, hidden).status_code == 200, step.path


def test_workers_show_nobody_more(world: World, hidden: Things, hers: set[str]) -> None:
    for job in Job.everyone.filter(space__slug="space-a", state="queued"):
        run_job(job.id)
    for name in FELLOWS:
        found = getattr(world.cast, name).post("/memory/search", routes.question(hidden))
        routes.free_of(found, str(routes.question(hidden)).lower(), hers, ("zanzibaretta",))

"""What is erased through the API is left in no row and no index but its conversation, while that is kept."""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client

from accounts.models import Job
from accounts.services.jobs import run_job
from memory.services.drain import drain_outbox
from sessions_app.models import Summary
from tests.api.cast import Person, person
from tests.visual.conftest import image_dir  # noqa: F401 - a fixture
from tests.visual.pictures import data_url, plain

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("image_dir")]

CANARY = b"heliotrop"  # as it is written, and as the index cuts it
SAID = "I keep my savings in a heliotrope tin."
STEPS = "Here is how to open the heliotrope safe: 1. Turn the dial left. 2. Press the knob. 3. Pull the door."
FILLER = (
    "The locker number {n} at the station by the river belongs to Fellow{n}, who painted it in colour {n}."
)


def traces() -> set[str]:
    """The fields of all rows that bear the word, and the files of the indexes that do."""
    found = {
        f"{model.__name__}.{name}"
        for model in apps.get_models(include_auto_created=True)
        for row in model._base_manager.values()
        for name, value in row.items()
        if CANARY in (bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()).lower()
    }
    files = [path for path in settings.INDEX_DIR.rglob("*") if path.is_file()]
    return found | {path.name for path in files if CANARY in path.read_bytes().lower()}


def work(who: Person) -> None:
    """What workers do until nothing is left to do."""
    space_id = who.principal.space_id
    while job := Job.objects.for_space(space_id).filter(state="queued").first():
        run_job(job.id)
    drain_outbox(space_id)


def ok(reply: Any) -> Any:
    assert reply.status_code in (200, 201, 202), reply.content
    return reply.json()


def say(who: Person, session: str, text: str, **more: Any) -> Any:
    headers = {**who.headers, "Idempotency-Key": str(uuid4())}
    body = {"session_id": session, "message": text, **more}
    return ok(Client().post("/chat/complete", body, "application/json", headers=headers))


@pytest.fixture
def alice(settings: Any) -> Person:
    """Somebody who told of the tin in words, with an image, as steps, and asked for it since."""
    settings.WM_MAX_TOKENS = 1_000
    who = person("alice")
    say(who, "one", SAID, images=[data_url(plain())])
    say(who, "one", STEPS)
    filing = {"session_id": "one", "background": False, "retrieved_context": f"Known: {SAID}"}
    ok(who.post("/memory/consolidate", filing))
    work(who)
    ok(
        who.patch(
            "/memory/session/one/meta", {"topic": "My heliotrope tin", "tags": ["heliotrope tin", "home"]}
        )
    )
    turns = [{"role": "user", "content": FILLER.format(n=n)} for n in range(15)]
    ok(who.post("/memory/append-turns", {"session_id": "one", "turns": turns}))
    say(who, "one", "Whose locker is number 3?")
    say(who, "two", "Where do I keep my savings?")
    ok(who.post("/memory/search", {"query": f"Is it so? {SAID}"}))
    work(who)
    assert Summary.everyone.update(sections={"facts": [SAID]}) == 1, "as a model might have made it"
    return who


def erase_memories(who: Person) -> None:
    for record in ok(who.get("/memory/records", {"q": "heliotrope", "limit": 100}))["items"]:
        ok(who.delete(f"/memory/records/{record['record_id']}"))
    for skill in ok(who.get("/memory/skills"))["items"]:
        ok(who.delete(f"/memory/skills/{skill['skill_id']}"))
    work(who)


def test_erased_memories_are_left_in_their_conversations_alone(alice: Person) -> None:
    assert traces() >= {
        "MemoryRecord.semantic_text",
        "Skill.intent",
        "Summary.sections",
        "Session.title",
        "Session.topic",
        "Session.tags",
        "VisualRecord.words_around",
        "RetrievalLog.query",
        "RetrievalLog.hits",
        "RetrievalLog.plan",
        "RetrievalLog.response_excerpt",
        "IdempotencyKey.body",
        "Job.arguments",
        "IndexedItem.terms",
    }
    erase_memories(alice)
    assert traces() == {"SessionTurn.content", "IndexedItem.terms", "Posting.term"}
    assert alice.get("/memory/session/one").json()["turns"][0]["content"] == SAID


def test_with_the_conversations_nothing_is_left(alice: Person) -> None:
    erase_memories(alice)
    for session in ("one", "two"):
        ok(alice.delete(f"/memory/session/{session}"))
    work(alice)
    assert traces() == set()


def test_nothing_is_left_whichever_goes_first(alice: Person) -> None:
    for session in ("one", "two"):
        ok(alice.delete(f"/memory/session/{session}"))
    work(alice)
    assert "VisualRecord.words_around" not in traces()
    erase_memories(alice)
    assert traces() == set()

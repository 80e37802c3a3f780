"""Vera views: she recalls, and chats only in private sessions that are never filed."""

from uuid import uuid4

import pytest

from accounts.models import Job
from memory.models import MemoryRecord
from sessions_app.models import Session, SessionTurn
from tests.api.cast import problem
from tests.tenancy.world import SHARED, World


def test_a_viewer_recalls_what_the_space_shares(world: World) -> None:
    body = world.cast.vera.post(
        "/memory/search", {"query": "What is the favourite restaurant called?"}
    ).json()
    assert "Zanzibaretta" in body["novelty_retrieved_context"]
    assert world.cast.vera.get("/memory/records").json()["total"] == 1
    assert world.cast.vera.get(f"/memory/session/{world.shared.session}").status_code == 200


def test_a_viewer_chats_in_a_private_session_that_is_never_filed(world: World) -> None:
    reply = world.cast.vera.post(
        "/chat/complete", {"session_id": "mine", "message": "I moved to Oslo in May. What is the restaurant?"}
    )
    assert reply.status_code == 200, reply.content
    session = Session.everyone.get(name="mine")
    assert session.private_to == world.cast.vera.user
    assert set(SessionTurn.everyone.filter(session=session).values_list("is_consolidated", flat=True)) == {
        False
    }
    problem(world.cast.vera.post("/memory/consolidate", {"session_id": "mine"}), 403, "forbidden")
    assert not MemoryRecord.everyone.filter(session_id=session.id).exists()
    problem(world.cast.bob.get(f"/memory/session/{session.id}"), 404, "not_found")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/chat/complete", {"message": "hello"}),
        ("/memory/append-turn", {"role": "user", "content": "hello"}),
        ("/memory/consolidate", {}),
    ],
)
def test_a_viewer_writes_into_no_shared_session(world: World, path: str, fields: dict[str, str]) -> None:
    problem(world.cast.vera.post(path, {"session_id": world.shared.session, **fields}), 403, "forbidden")
    assert SessionTurn.everyone.filter(session_id=world.shared.session).count() == 1


def test_a_viewer_curates_nothing(world: World) -> None:
    record = f"/memory/records/{world.shared.record}"
    problem(world.cast.vera.patch(record, {"semantic_text": "x"}), 403, "forbidden")
    for act in ("expire", "pin", "restore"):
        problem(world.cast.vera.post(f"{record}/{act}"), 403, "forbidden")
    other = {"record_ids": [str(uuid4())]}
    problem(world.cast.vera.post(f"{record}/merge", other), 403, "forbidden")
    problem(world.cast.vera.delete(record), 403, "forbidden")
    assert world.cast.vera.get(f"{record}/history").json() == {"items": []}
    problem(world.cast.vera.delete(f"/memory/session/{world.shared.session}"), 403, "forbidden")
    assert SHARED in world.cast.alice.get("/memory/session/restaurants").content.decode()


def test_a_viewer_rates_what_helped_and_nobody_elses_recall(world: World) -> None:
    rated = world.cast.vera.post(f"/memory/records/{world.shared.record}/feedback", {"outcome": "success"})
    assert (rated.json()["usage"]["success"], rated.json()["outcome"]) == (1, "success")
    world.cast.vera.post(f"/memory/records/{world.shared.record}/feedback", {"outcome": "open"})
    foreign = f"/memory/retrieval-logs/{world.shared.log}/feedback"
    problem(world.cast.vera.post(foreign, {"outcome": "fail"}), 404, "not_found")


def test_what_waits_for_its_vector_in_a_private_session_is_its_authors_to_know(world: World) -> None:
    def waiting() -> list[int]:
        readers = (world.cast.alice, world.cast.bob, world.cast.vera)
        return [who.get("/pipeline/status").json()["unindexed"] for who in readers]

    before = waiting()
    turn = {"session_id": "hideouts", "role": "user", "content": "The hideout has a green door."}
    assert world.cast.alice.post("/memory/append-turn", turn).status_code == 200
    assert [now - then for now, then in zip(waiting(), before, strict=True)] == [1, 0, 0]


def test_a_viewer_tries_no_job_again(world: World) -> None:
    Job.everyone.filter(id=world.shared.job).update(state="failed")
    problem(world.cast.vera.post(f"/jobs/{world.shared.job}/retry", {}), 403, "forbidden")
    assert Job.everyone.get(id=world.shared.job).state == "failed"

"""`/memory/consolidate`, `/jobs/{id}`, `/pipeline/*`: in the background, or waiting."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import Job
from accounts.services.jobs import run_job
from api.rest import consolidation
from memory.models import IndexOutbox
from sessions_app.models import Session
from tests.api.cast import Cast, Person, pointers, problem


def say(who: Person, *texts: str, session: str = "intro") -> None:
    turns = [{"role": "user", "content": text} for text in texts]
    assert who.post("/memory/append-turns", {"session_id": session, "turns": turns}).status_code == 200


def test_in_the_background_it_starts_and_can_be_asked_for(cast: Cast) -> None:
    say(cast.alice, "I live in Lisbon.")
    reply = cast.alice.post("/memory/consolidate", {"session_id": "intro"})
    assert reply.status_code == 202
    body = reply.json()
    assert (body["status"], body["entities_added"], body["skills_added"], body["facts_added"]) == (
        "started",
        0,
        0,
        0,
    )
    job = cast.alice.get(f"/jobs/{body['job_id']}").json()
    assert (job["state"], job["kind"]) == ("queued", "consolidate")
    assert cast.alice.get("/pipeline/last-consolidation").json()["status"] == "pending"
    assert cast.alice.get("/pipeline/status").json()["waiting_jobs"] == 1
    run_job(body["job_id"])
    assert cast.alice.get(f"/jobs/{body['job_id']}").json()["state"] == "done"
    last = cast.alice.get("/pipeline/last-consolidation", {"session_id": "intro"}).json()
    assert (last["status"], last["job_id"]) == ("done", body["job_id"])
    assert last["result"]["records_added"] >= 1


def test_waiting_gives_the_counts_and_done_means_searchable(cast: Cast) -> None:
    say(cast.alice, "I live in Lisbon.", "My cat is called Pixel.")
    reply = cast.alice.post("/memory/consolidate", {"session_id": "intro", "background": False})
    assert reply.status_code == 200
    body = reply.json()
    assert body["status"] == "done"
    assert body["facts_added"] >= 2
    assert (body["segments"], body["segments_skipped"], body["seen_again"]) == (len(body["steps"]), 0, 0)
    assert (body["steps"][0]["turns"][0], body["steps"][-1]["turns"][1]) == (0, 2)
    assert not IndexOutbox.objects.exists()
    assert cast.alice.get("/pipeline/status").json()["records"] == body["facts_added"]


def test_nothing_new_is_skipped_with_the_reason(cast: Cast) -> None:
    say(cast.alice, "Thanks!", "What time is it?")
    body = cast.alice.post("/memory/consolidate", {"session_id": "intro", "background": False}).json()
    assert (body["status"], body["facts_added"]) == ("skipped", 0)
    assert body["steps"][0]["note"]


def test_what_was_recalled_is_not_stored_again(cast: Cast) -> None:
    say(cast.alice, "My cat Pixel sleeps on the grey sofa.")
    body = cast.alice.post(
        "/memory/consolidate",
        {
            "session_id": "intro",
            "background": False,
            "retrieved_context": "My cat Pixel sleeps on the grey sofa.",
        },
    ).json()
    assert body["status"] == "skipped"
    forced = {"session_id": "intro", "background": False, "force_ingest": True}
    assert cast.alice.post("/memory/consolidate", forced).status_code == 200


def test_the_session_may_stand_in_the_address(cast: Cast) -> None:
    say(cast.alice, "I live in Lisbon.", session="a/b c")
    for body in ("", "{}"):
        assert cast.alice.send("POST", "/memory/consolidate/a%2Fb%20c", body).status_code == 202
    reply = cast.alice.post("/memory/consolidate/a%2Fb%20c", {"background": False})
    assert reply.json()["status"] == "done"


def test_an_unknown_session_is_404_and_is_not_made(cast: Cast) -> None:
    problem(cast.alice.post("/memory/consolidate", {"session_id": "missing"}), 404, "not_found")
    problem(cast.alice.post("/memory/consolidate/missing"), 404, "not_found")
    problem(cast.alice.get("/pipeline/last-consolidation", {"session_id": "missing"}), 404, "not_found")
    assert Session.everyone.count() == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("session_id", ""),
        ("session_id", 5),
        ("background", "no"),
        ("force_ingest", 1),
        ("flush_session", None),
        ("retrieved_context", 5),
        ("session_date", "monday"),
    ],
)
def test_a_faulty_field_is_named_and_nothing_is_queued(cast: Cast, field: str, value: Any) -> None:
    say(cast.alice, "I live in Lisbon.")
    document = problem(
        cast.alice.post("/memory/consolidate", {"session_id": "intro", field: value}), 422, "invalid_input"
    )
    assert pointers(document) == {f"/{field}"}
    assert Job.everyone.count() == 0


def test_a_failed_filing_is_503_with_its_reason(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    say(cast.alice, "I live in Lisbon.")

    def fail(job_id: Any) -> Job:
        Job.everyone.filter(id=job_id).update(state="failed", error="The encoder is away; try again.")
        return Job.objects.with_id(job_id).get()

    monkeypatch.setattr(consolidation, "run_job", fail)
    reply = cast.alice.post("/memory/consolidate", {"session_id": "intro", "background": False})
    assert "encoder is away" in problem(reply, 503, "consolidation_failed")["detail"]
    assert cast.alice.get("/pipeline/last-consolidation").json()["status"] == "failed"


def test_a_failed_job_is_tried_again_on_request(cast: Cast) -> None:
    say(cast.alice, "I live in Lisbon.")
    failed = cast.alice.post("/memory/consolidate", {"session_id": "intro"}).json()["job_id"]
    problem(cast.alice.post(f"/jobs/{failed}/retry", {}), 409, "conflict")
    Job.everyone.filter(id=failed).update(state="failed", error="The encoder is away; try again.")
    reply = cast.alice.post(f"/jobs/{failed}/retry", {})
    assert (reply.status_code, reply.json()["state"]) == (202, "queued")
    assert run_job(reply.json()["job_id"]).result["records_added"] == 1
    problem(cast.alice.post(f"/jobs/{uuid4()}/retry", {}), 404, "not_found")


def test_waiting_too_long_is_202(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    say(cast.alice, "I live in Lisbon.")
    monkeypatch.setattr(consolidation, "WAIT_SECONDS", 0)
    monkeypatch.setattr(consolidation, "run_job", lambda job_id: Job.objects.with_id(job_id).get())
    reply = cast.alice.post("/memory/consolidate", {"session_id": "intro", "background": False})
    assert (reply.status_code, reply.json()["status"]) == (202, "started")


@pytest.mark.parametrize("key", ["x", "1", "../", "%00"])
def test_what_is_no_job_id_is_404(cast: Cast, key: str) -> None:
    problem(cast.alice.get(f"/jobs/{key}"), 404, "not_found")


def test_a_missing_job_is_404(cast: Cast) -> None:
    problem(cast.alice.get(f"/jobs/{uuid4()}"), 404, "not_found")


def test_an_empty_space_counts_nothing(cast: Cast) -> None:
    body = cast.alice.get("/pipeline/status").json()
    assert set(body.values()) == {0}
    assert cast.alice.get("/pipeline/last-consolidation").json()["status"] == "none"


def test_a_viewer_files_nothing(cast: Cast) -> None:
    say(cast.alice, "I live in Lisbon.")
    shared = str(Session.everyone.get().id)
    problem(cast.vera.post("/memory/consolidate", {"session_id": shared}), 403, "forbidden")

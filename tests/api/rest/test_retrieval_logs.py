"""`/memory/retrieval-logs` and ratings: what came of recalls, as their asker tells it."""

from typing import Any
from uuid import uuid4

import pytest

from tests.api.cast import Cast, Person, pointers, problem
from tests.api.rest.test_records import remember

LOGS = "/memory/retrieval-logs"


def ask(who: Person, query: str = "What is Nora allergic to?") -> dict[str, Any]:
    """Ask, and give the recall's log."""
    assert who.post("/memory/search", {"query": query}).status_code == 200
    log: dict[str, Any] = who.get(LOGS, {"limit": 1}).json()["items"][0]
    return log


def test_a_log_tells_what_was_asked_planned_and_found(cast: Cast) -> None:
    remember(cast.alice)
    log = ask(cast.alice)
    assert log["query"] == "What is Nora allergic to?"
    assert log["plan"]["routes"]
    assert not any(log["plan"]["action"].values())  # nothing is being done
    assert {"tentative", "constraints", "failure", "missing", "tools"} <= set(log["plan"]["action"])
    assert any("peanuts" in hit["text"] for hit in log["hits"])
    assert (log["outcome"], log["judged_by"], log["judged_at"]) == ("open", "", None)


def test_logs_are_listed_newest_first_by_outcome_and_page(cast: Cast) -> None:
    ids = [ask(cast.alice, f"Question {n}?")["log_id"] for n in range(3)]
    first = cast.alice.get(LOGS, {"limit": 2}).json()
    rest = cast.alice.get(LOGS, {"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [item["log_id"] for item in (*first["items"], *rest["items"])] == ids[::-1]
    assert (first["total"], rest["next_cursor"]) == (3, None)
    cast.alice.post(f"{LOGS}/{ids[0]}/feedback", {"outcome": "success"})
    judged = cast.alice.get(LOGS, {"outcome": "success"}).json()
    assert [item["log_id"] for item in judged["items"]] == ids[:1]
    problem(cast.alice.get(LOGS, {"cursor": "x"}), 422, "invalid_input")


def test_they_are_their_askers_alone(cast: Cast) -> None:
    log = ask(cast.alice)
    assert cast.bob.get(LOGS).json()["total"] == 0
    for path in (f"{LOGS}/{log['log_id']}/feedback", f"{LOGS}/{uuid4()}/feedback"):
        problem(cast.bob.post(path, {"outcome": "fail"}), 404, "not_found")


def test_an_answer_is_rated_and_the_rating_taken_back(cast: Cast) -> None:
    path = f"{LOGS}/{ask(cast.alice)['log_id']}/feedback"
    rated = cast.alice.post(path, {"outcome": "correction"}).json()
    assert (rated["outcome"], rated["judged_by"]) == ("correction", "user")
    assert cast.alice.post(path, {"outcome": "open"}).json()["judged_by"] == ""


@pytest.mark.parametrize("body", [{}, {"outcome": "great"}, {"outcome": None}, {"outcome": 1}])
def test_what_is_no_outcome_is_refused_with_its_field(cast: Cast, body: dict[str, Any]) -> None:
    path = f"{LOGS}/{ask(cast.alice)['log_id']}/feedback"
    assert pointers(problem(cast.alice.post(path, body), 422, "invalid_input")) == {"/outcome"}


def test_a_record_is_rated_by_each_person_once(cast: Cast) -> None:
    record = remember(cast.alice)[0]
    path = f"/memory/records/{record['record_id']}/feedback"
    for who, outcome in ((cast.alice, "success"), (cast.bob, "success"), (cast.alice, "fail")):
        rated = who.post(path, {"outcome": outcome}).json()
    assert rated["record_id"] == record["record_id"]
    assert {name: rated["usage"][name] for name in ("success", "fail")} == {"success": 1, "fail": 1}
    problem(cast.alice.post(f"/memory/records/{uuid4()}/feedback", {"outcome": "fail"}), 404, "not_found")

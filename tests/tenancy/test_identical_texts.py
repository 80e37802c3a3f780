"""Two tenants who said the same: each recalls their own, and no id of the other's."""

from typing import Any

import pytest

from tests.api.cast import Cast, Person
from tests.tenancy.conftest import TEXT
from tests.tenancy.world import ids_of_space

READS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("POST", "/memory/search", {"query": "Where does Nora live?", "top_k": 100, "min_score": 0}),
    (
        "POST",
        "/memory/smart-search",
        {"query": "Where does Nora live?", "mode": "full", "response_level": "full"},
    ),
    ("POST", "/chat/complete", {"session_id": "later", "message": "Where does Nora live?"}),
    ("GET", "/memory/records", None),
    ("GET", "/sessions", None),
    ("GET", "/memory/session/family", None),
    ("GET", "/pipeline/status", None),
    ("GET", "/pipeline/last-consolidation", None),
]


@pytest.mark.parametrize(("method", "path", "body"), READS)
def test_every_read_path_stays_in_its_space(
    twins: Cast, method: str, path: str, body: dict[str, Any] | None
) -> None:
    def ask(who: Person) -> str:
        reply = who.get(path) if method == "GET" else who.post(path, body)
        assert reply.status_code == 200, reply.content
        return str(reply.content.decode())

    for who, own, other in ((twins.alice, "space-a", "space-b"), (twins.charlie, "space-b", "space-a")):
        text = ask(who)
        assert {id_ for id_ in ids_of_space(other) if id_ in text} == set()
        if path not in ("/pipeline/status",):
            assert any(id_ in text for id_ in ids_of_space(own))


def test_another_tenants_rows_move_no_score(twins: Cast) -> None:
    def best() -> tuple[int, float]:
        body = twins.alice.post("/memory/search", {"query": "Where does Nora live?", "effort": "fast"}).json()
        return body["total"], body["semantic_results"][0]["provenance"][0]["score"]

    before = best()
    turns = [{"role": "user", "content": f"{TEXT} Number {n}."} for n in range(200)]
    twins.charlie.post("/memory/append-turns", {"session_id": "noise", "turns": turns})
    assert best() == before

"""What is erased is not answered from the words in which it was said."""

import pytest

from tests.api.cast import person

pytestmark = pytest.mark.django_db(transaction=True)
SAID = "I am Rui. I work as a carpenter. I live in Porto."


def test_an_erased_fact_is_not_recalled_from_its_turn_that_stays_readable() -> None:
    alice = person("alice")

    def ask(question: str) -> str:
        reply = alice.post("/chat/complete", {"session_id": question, "message": question})
        return str(reply.json()["response"])

    alice.post("/memory/append-turn", {"session_id": "one", "role": "user", "content": SAID})
    alice.post("/memory/consolidate", {"session_id": "one", "background": False})
    assert "carpenter" in ask("What job do I have?")
    (job,) = alice.get("/memory/records", {"q": "carpenter"}).json()["items"]
    assert alice.delete(f"/memory/records/{job['record_id']}").status_code == 200
    assert "carpenter" not in ask("Which job do I have?")
    found = alice.post("/memory/search", {"query": "What job do I have?"})
    assert found.json()["semantic_results"] == []
    assert "Porto" in ask("Where do I live?")
    assert alice.get("/memory/session/one").json()["turns"][0]["content"] == SAID

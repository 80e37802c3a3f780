"""What a person has put right is not answered from the words in which it was said."""

from typing import Any

import pytest

from memory.models import MemoryRecord
from tests.api.cast import Person, person

pytestmark = pytest.mark.django_db(transaction=True)
SAID = "I'm Nora Lindqvist, I'm 41 and I live in Hamburg."


@pytest.fixture
def nora() -> Person:
    """Somebody whose home is filed."""
    made = person("nora")
    made.patch("/auth/me", {"display_name": "Nora"})
    made.post("/memory/append-turn", {"session_id": "one", "role": "user", "content": SAID})
    made.post("/memory/consolidate", {"session_id": "one", "background": False})
    return made


def home_of(who: Person) -> Any:
    (record,) = who.get("/memory/records", {"q": "Hamburg"}).json()["items"]
    return record


def edit(who: Person, record: Any, text: str) -> None:
    assert who.patch(f"/memory/records/{record['record_id']}", {"semantic_text": text}).status_code == 200


def ask(who: Person, question: str, *, session: str = "") -> str:
    reply = who.post("/chat/complete", {"session_id": session or question, "message": question})
    return str(reply.json()["response"])


@pytest.mark.parametrize("session", ["one", "another"])
def test_the_correction_answers_and_the_turn_is_not_quoted(nora: Person, session: str) -> None:
    assert "Hamburg" in ask(nora, "Where do I live?", session="before")
    edit(nora, home_of(nora), "Nora lives in Lübeck.")
    for question in ("Where do I live?", "Which town do I live in?"):
        answer = ask(nora, question, session=session)
        assert "Lübeck" in answer
        assert "Hamburg" not in answer


def test_a_correction_that_calls_its_subject_otherwise_keeps_the_attribute(nora: Person) -> None:
    edit(nora, home_of(nora), "Honorata lives in Lübeck.")
    (record,) = nora.get("/memory/records", {"q": "Lübeck"}).json()["items"]
    assert (record["subject"], record["slot"], record["value"]) == ("Nora", "residence", "Lübeck")
    nora.post("/memory/append-turn", {"session_id": "one", "role": "user", "content": "I live in Kiel now."})
    nora.post("/memory/consolidate", {"session_id": "one", "background": False})
    answer = ask(nora, "Where do I live?")
    assert "Kiel" in answer
    assert "Lübeck" not in answer


def test_the_context_says_that_the_words_were_corrected_and_holds_them_nowhere(nora: Person) -> None:
    edit(nora, home_of(nora), "Nora lives in Lübeck.")
    (block,) = nora.post("/memory/search", {"query": "Where do I live?"}).json()["semantic_results"]
    assert "Nora lives in Lübeck." in block["constructed_context"]
    assert "corrected or erased since" in block["constructed_context"]
    assert "Hamburg" not in block["constructed_context"]
    (first, *_) = block["provenance"]
    assert (first["semantic_text"], first["evidence_turns"]) == ("Nora lives in Lübeck.", [0])


def test_other_topics_silence_nothing(nora: Person) -> None:
    record = home_of(nora)
    nora.patch(f"/memory/records/{record['record_id']}", {"topics": ["home"]})
    assert MemoryRecord.everyone.get(id=record["record_id"]).corrected_at is None
    assert "Hamburg" in ask(nora, "Where do I live?")


def test_who_puts_the_first_words_back_hears_the_turn_again(nora: Person) -> None:
    record = home_of(nora)
    edit(nora, record, "Nora lives in Lübeck.")
    edit(nora, record, "Nora lives in Kiel.")
    assert MemoryRecord.everyone.get(id=record["record_id"]).corrected_at
    edit(nora, record, record["semantic_text"])
    assert MemoryRecord.everyone.get(id=record["record_id"]).corrected_at is None
    assert nora.get("/memory/session/one").json()["turns"][0]["content"] == SAID
    assert "Hamburg" in ask(nora, "Where do I live?")

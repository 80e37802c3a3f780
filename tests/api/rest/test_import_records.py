"""`POST /memory/records`: a fact brought along is remembered, found, kept apart and never doubled."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEvent, Space
from memory.models import EvidenceNode, IndexOutbox, MemoryRecord
from memory.services.fuse import fuse_space
from memory.services.reindex import check_space, drain_outbox
from tests.api.cast import Cast, Person, pointers, problem

CAT = "Pixel is the grey cat of Maya."
PATH = "/memory/records"


def bring(who: Person, text: str = CAT, status: int = 201, **more: Any) -> dict[str, Any]:
    reply = who.post(PATH, {"semantic_text": text, **more})
    assert reply.status_code == status, reply.content
    body: dict[str, Any] = reply.json()
    return body


def found(who: Person, query: str = "Which cat has Maya?", **more: Any) -> list[str]:
    blocks = who.post("/memory/search", {"query": query, **more}).json()["semantic_results"]
    return [item["semantic_text"] for block in blocks for item in block["provenance"]]


def test_a_fact_is_a_record_that_rests_on_no_turn(cast: Cast) -> None:
    body = bring(cast.alice)
    assert (body["semantic_text"], body["memory_type"], body["origin"]) == (CAT, "fact", "imported")
    assert (body["evidence"], body["source_session_id"], body["is_confirmed"]) == ([], None, True)
    reply = cast.alice.get(f"{PATH}/{body['record_id']}")
    assert reply.json() == body
    assert reply["ETag"] == '"1"'
    listed = cast.alice.get(PATH).json()["items"]
    assert [item["record_id"] for item in listed] == [body["record_id"]]


@pytest.mark.parametrize("effort", ["fast", "standard", "deep"])
def test_it_is_found_by_its_words_at_once_and_by_meaning_when_the_outbox_is_drained(
    cast: Cast, effort: str
) -> None:
    bring(cast.alice)
    assert found(cast.alice, effort=effort) == [CAT]
    space = cast.alice.principal.space_id
    assert IndexOutbox.objects.filter(space_id=space).count() == 1
    drain_outbox(space)
    assert check_space(space).total == 0
    assert found(cast.alice, "Does Maya have a kitten?", effort=effort) == [CAT]


def test_its_place_in_an_answer_is_told_without_a_turn(cast_committed: Cast) -> None:
    alice = cast_committed.alice
    body = bring(alice)
    blocks = alice.post("/memory/search", {"query": "Which cat has Maya?"}).json()["semantic_results"]
    (item,) = blocks[0]["provenance"]
    assert (item["record_id"], item["source"], item["source_session"]) == (body["record_id"], "record", "")
    assert (item["source_session_id"], item["evidence_turns"]) == (None, [])
    answer = alice.post("/chat/complete", {"session_id": "s", "message": "Which cat has Maya?"}).json()
    assert "Pixel" in answer["response"]


def test_what_is_left_out_is_read_from_the_text(cast: Cast) -> None:
    body = bring(cast.alice, "I moved to Porto on 3 May 2024.", memory_type="event")
    assert (body["subject"], body["entities"]) == (cast.alice.principal.speaker, ["Porto"])
    assert body["temporal"]["t_ref"].startswith("2024-05-0")
    again = bring(cast.alice, f"{cast.alice.principal.speaker} sails.")
    assert again["subject"] == cast.alice.principal.speaker


def test_what_is_given_stands(cast: Cast) -> None:
    given: dict[str, Any] = {
        "memory_type": "preference",
        "subject": "Maya",
        "entities": ["Maya", "Tea House"],
        "topics": ["tea"],
        "valid_from": "2024-05-01T00:00:00Z",
        "valid_to": "2025-05-01T00:00:00Z",
        "said_at": "2024-05-02T10:00:00Z",
    }
    body = bring(cast.alice, "She likes green tea at the Tea House since 1999.", **given)
    times = {"t_valid_from": given.pop("valid_from"), "t_valid_to": given.pop("valid_to")}
    assert {name: body[name] for name in given} == given
    assert {name: body["temporal"][name] for name in times} == times
    learned = MemoryRecord.everyone.get().learned_at
    assert (datetime.now(UTC) - learned).total_seconds() < 60, "known since now, said then"


def test_the_same_again_is_the_record_there_is(cast: Cast) -> None:
    first = bring(cast.alice)
    again = bring(cast.alice, f"  {CAT}\u0000 ", status=200)
    assert again == first
    assert MemoryRecord.everyone.count() == 1
    assert AuditEvent.objects.filter(action="record.imported").count() == 1


def test_an_expired_statement_is_brought_anew(cast: Cast) -> None:
    first = bring(cast.alice)
    cast.alice.post(f"{PATH}/{first['record_id']}/expire", {})
    assert bring(cast.alice)["record_id"] != first["record_id"]


def test_an_erased_statement_does_not_come_back(cast: Cast) -> None:
    first = bring(cast.alice)
    assert cast.alice.delete(f"{PATH}/{first['record_id']}").status_code == 200
    problem(cast.alice.post(PATH, {"semantic_text": CAT}), 409, "erased")
    problem(cast.alice.post(PATH, {"semantic_text": CAT, "memory_type": "event"}), 409, "erased")
    assert not MemoryRecord.everyone.exists()
    bring(cast.charlie)  # whose space erased nothing


def test_secrets_are_not_stored_unless_the_space_wants_them(cast: Cast) -> None:
    text = "The key is sk-proj-abcdefghij0123456789ABCDEFGHIJ0123456789."
    body = bring(cast.alice, text, entities=["sk-proj-abcdefghij0123456789ABCDEFGHIJ0123456789"])
    assert "sk-proj" not in str(body)
    assert "[redacted" in body["semantic_text"]
    Space.objects.filter(pk=cast.alice.principal.space_id).update(is_screening_secrets=False)
    assert "sk-proj" in bring(cast.alice, text)["semantic_text"]


def test_a_private_fact_is_its_bringers_alone(cast: Cast) -> None:
    body = bring(cast.alice, private=True)
    problem(cast.bob.get(f"{PATH}/{body['record_id']}"), 404, "not_found")
    assert found(cast.bob) == []
    assert found(cast.alice) == [CAT]
    shared = bring(cast.bob)
    assert shared["record_id"] != body["record_id"]
    assert found(cast.bob) == [CAT]


@pytest.mark.parametrize("is_private", [True, False])
def test_without_a_word_the_space_decides_who_knows_it(cast: Cast, is_private: bool) -> None:
    Space.objects.filter(pk=cast.alice.principal.space_id).update(are_sessions_private=is_private)
    body = bring(cast.alice)
    assert (cast.bob.get(f"{PATH}/{body['record_id']}").status_code == 404) is is_private


def test_who_may_only_read_brings_nothing(cast: Cast) -> None:
    problem(cast.vera.post(PATH, {"semantic_text": CAT}), 403, "forbidden")
    assert Client().post(PATH, {"semantic_text": CAT}, content_type="application/json").status_code == 401
    assert not MemoryRecord.everyone.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("semantic_text", ""),
        ("semantic_text", None),
        ("semantic_text", "x" * 8_001),
        ("memory_type", "rumour"),
        ("subject", "x" * 129),
        ("entities", ["x" * 129]),
        ("entities", ["x"] * 51),
        ("topics", "tea"),
        ("valid_from", "yesterday"),
        ("said_at", "0001-01-01T00:00:00Z"),
        ("private", "yes"),
        ("slot", "residence"),  # without a value
        ("value", "Porto"),  # without a slot
        ("space", "space-b"),
        ("evidence", []),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_field(cast: Cast, field: str, value: object) -> None:
    reply = cast.alice.post(PATH, {"semantic_text": CAT, field: value})
    pointed = {"slot": "value", "value": "slot"}.get(field, field)
    assert any(pointed in pointer for pointer in pointers(problem(reply, 422, "invalid_input"))), (
        reply.content
    )
    assert not MemoryRecord.everyone.exists()


def test_an_end_before_the_beginning_is_refused(cast: Cast) -> None:
    times = {"valid_from": "2025-01-01T00:00:00Z", "valid_to": "2024-01-01T00:00:00Z"}
    problem(cast.alice.post(PATH, {"semantic_text": CAT, **times}), 422, "invalid_input")


def test_it_hangs_on_its_entities_and_a_newer_value_supersedes_it(cast: Cast) -> None:
    about: dict[str, Any] = {"subject": "Maya", "slot": "residence"}
    old = bring(cast.alice, "Maya lives in Lisbon.", value="Lisbon", said_at="2024-01-01T00:00:00Z", **about)
    new = bring(cast.alice, "Maya lives in Porto.", value="Porto", said_at="2025-01-01T00:00:00Z", **about)
    space = cast.alice.principal.space_id
    labels = EvidenceNode.objects.for_space(space).values_list("label", flat=True)
    assert {"Lisbon", "Porto"} <= set(labels)
    drain_outbox(space)
    fuse_space(space)
    assert cast.alice.get(f"{PATH}/{old['record_id']}").json()["superseded_by"] == new["record_id"]
    assert found(cast.alice, "Where does Maya live?")[0] == "Maya lives in Porto."


def test_it_can_be_corrected_pinned_and_its_history_told(cast: Cast) -> None:
    body = bring(cast.alice)
    path = f"{PATH}/{body['record_id']}"
    changed = cast.alice.patch(path, {"semantic_text": "Pixel is the black cat of Maya."})
    assert (changed.status_code, changed.json()["origin"]) == (200, "imported")
    assert cast.alice.post(f"{path}/pin", {}).status_code == 200
    actions = [line["action"] for line in cast.alice.get(f"{path}/history").json()["items"]]
    assert actions[0] == "pinned"
    assert actions[-1] == "imported"


def test_its_page_says_that_nobody_said_it_here(cast: Cast, client: Client) -> None:
    body = bring(cast.alice)
    client.force_login(cast.alice.user)
    page = client.get(f"/app/s/space-a/memory/{body['record_id']}/").content.decode()
    assert "It was imported as it stands" in page
    assert "The conversation was deleted" not in page

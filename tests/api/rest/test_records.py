"""`/memory/records`: lists, filters, corrections, expiry."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import AuditEvent
from api.rest import versions
from memory.models import MemoryRecord
from sessions_app.models import Session
from tests.api.cast import JSON, Cast, Person, pointers, problem

SAID = (
    "I live in Lisbon and I work as a marine biologist.",
    "My daughter Nora is allergic to peanuts.",
    "I prefer short answers.",
)


def remember(who: Person, session: str = "intro", texts: tuple[str, ...] = SAID) -> list[dict[str, Any]]:
    turns = [{"role": "user", "content": text} for text in texts]
    assert who.post("/memory/append-turns", {"session_id": session, "turns": turns}).status_code == 200
    reply = who.post("/memory/consolidate", {"session_id": session, "background": False})
    assert reply.status_code == 200, reply.content
    items: list[dict[str, Any]] = who.get("/memory/records", {"limit": 100}).json()["items"]
    assert items
    return items


def test_records_tell_what_they_rest_on(cast: Cast) -> None:
    items = remember(cast.alice)
    session = str(Session.everyone.get().id)
    lisbon = next(item for item in items if "Lisbon" in item["semantic_text"])
    assert lisbon["evidence"][0]["turn_index"] == 0
    assert lisbon["evidence"][0]["session_id"] == lisbon["source_session_id"] == session
    assert lisbon["subject"] == "alice"
    assert "Lisbon" in lisbon["entities"]
    assert lisbon["expired_at"] is None
    assert cast.alice.get(f"/memory/records/{lisbon['record_id']}").json() == lisbon


def test_pages_are_disjoint_and_newest_first(cast: Cast) -> None:
    items = remember(cast.alice)
    seen: list[str] = []
    cursor = ""
    while True:
        body = cast.alice.get("/memory/records", {"limit": 1, "cursor": cursor}).json()
        assert body["total"] == len(items)
        seen += [item["record_id"] for item in body["items"]]
        cursor = body["next_cursor"]
        if not cursor:
            break
    assert seen == [item["record_id"] for item in items] == sorted(seen, reverse=True)


def texts(who: Person, **query: Any) -> list[str]:
    reply = who.get("/memory/records", query)
    assert reply.status_code == 200, reply.content
    return [item["semantic_text"] for item in reply.json()["items"]]


def test_filters_narrow(cast: Cast) -> None:
    items = remember(cast.alice)
    remember(cast.alice, "later", ("My brother Otto lives in Graz.",))
    assert all("peanuts" in text for text in texts(cast.alice, q="peanuts"))
    assert texts(cast.alice, q="peanuts")
    assert all("Lisbon" in text for text in texts(cast.alice, entity="Lisbon"))
    assert texts(cast.alice, entity="Lisbon")
    assert all("Otto" in text for text in texts(cast.alice, session="later"))
    for kind in {item["memory_type"] for item in items}:
        found = cast.alice.get("/memory/records", {"type": kind}).json()["items"]
        assert {item["memory_type"] for item in found} == {kind}
    now = datetime.now(UTC)
    assert texts(cast.alice, since=(now + timedelta(days=1)).isoformat()) == []
    assert texts(cast.alice, until=(now - timedelta(days=1)).isoformat()) == []
    assert len(texts(cast.alice, since=(now - timedelta(days=1)).isoformat())) > len(items)
    assert texts(cast.alice, state="expired") == []


@pytest.mark.parametrize("value", ["' OR 1=1 --", '"', "$ne", "%", "_", "a' UNION SELECT", "\u0000", "🍜"])
def test_a_filter_is_a_value_never_a_query(cast: Cast, value: str) -> None:
    remember(cast.alice)
    for name in ("entity", "topic"):
        if value != "\u0000":
            assert texts(cast.alice, **{name: value}) == []
    reply = cast.alice.get("/memory/records", {"q": value})
    assert reply.status_code == 200


FAULTY = [
    ("type", "rumour"),
    ("state", "dead"),
    ("since", "yesterday"),
    ("until", "0"),
    ("as_of", "2026-02-30"),
    ("limit", "0"),
    ("limit", "-1"),
    ("limit", "101"),
    ("limit", "1e9"),
    ("cursor", "x"),
    ("cursor", "' OR 1=1"),
    ("session", "s" * 129),
    ("session", " "),
]


@pytest.mark.parametrize(("name", "value"), FAULTY)
def test_a_faulty_filter_is_named(cast: Cast, name: str, value: str) -> None:
    document = problem(cast.alice.get("/memory/records", {name: value}), 422, "invalid_input")
    assert pointers(document) == {f"/{name}"}


def test_an_unknown_session_is_404(cast: Cast) -> None:
    problem(cast.alice.get("/memory/records", {"session": "missing"}), 404, "not_found")


def test_a_correction_changes_what_is_sent_and_what_is_recalled(cast: Cast) -> None:
    items = remember(cast.alice)
    lisbon = next(item for item in items if "Lisbon" in item["semantic_text"])
    path = f"/memory/records/{lisbon['record_id']}"
    reply = cast.bob.patch(path, {"semantic_text": "  alice lives in Porto.  ", "entities": ["Porto"]})
    assert reply.status_code == 200, reply.content
    changed = reply.json()
    assert (changed["semantic_text"], changed["entities"]) == ("alice lives in Porto.", ["Porto"])
    assert changed["version"] == lisbon["version"] + 1
    assert changed["edited_at"]
    assert changed["evidence"] == lisbon["evidence"]
    found = cast.alice.post("/memory/search", {"query": "Porto", "effort": "fast"}).json()
    assert "Porto" in found["novelty_retrieved_context"]
    event = AuditEvent.objects.filter(object_id=lisbon["record_id"], action="record.edited").get()
    assert "semantic_text" in event.fields
    assert event.user_id == cast.bob.user.id


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("semantic_text", ""),
        ("semantic_text", " \u0000 "),
        ("semantic_text", 5),
        ("memory_type", "rumour"),
        ("memory_type", 1),
        ("subject", "s" * 129),
        ("entities", "Lisbon"),
        ("entities", [""]),
        ("entities", [1]),
        ("entities", ["x"] * 51),
        ("topics", {}),
        ("valid_from", "soon"),
        ("valid_to", 0),
    ],
)
def test_a_faulty_correction_changes_nothing(cast: Cast, name: str, value: Any) -> None:
    record = remember(cast.alice)[0]
    path = f"/memory/records/{record['record_id']}"
    document = problem(cast.alice.patch(path, {name: value}), 422, "invalid_input")
    assert {pointer.split("/")[1] for pointer in pointers(document)} == {name}
    assert cast.alice.get(path).json() == record


def lisbon_path(cast: Cast) -> str:
    items = remember(cast.alice)
    return f"/memory/records/{next(i for i in items if 'Lisbon' in i['semantic_text'])['record_id']}"


def test_a_field_that_there_is_not_is_refused_not_passed_over(cast: Cast) -> None:
    path = f"/memory/records/{remember(cast.alice)[0]['record_id']}"
    document = problem(cast.alice.patch(path, {"text": "Alice lives in Porto."}), 422, "invalid_input")
    assert pointers(document) == {"/text"}


def patch(who: Person, path: str, body: dict[str, Any], **headers: str) -> Any:
    return Client().generic("PATCH", path, json.dumps(body), JSON, headers={**who.headers, **headers})


def test_of_two_who_correct_at_once_nobody_is_overwritten_unseen(cast: Cast) -> None:
    path = lisbon_path(cast)
    read = cast.alice.get(path)
    assert read["ETag"] == f'"{read.json()["version"]}"'
    first = patch(cast.bob, path, {"subject": "Bob"}, **{"If-Match": read["ETag"]})
    assert (first.status_code, first["ETag"]) == (200, f'"{first.json()["version"]}"')
    assert first["ETag"] != read["ETag"]
    second = patch(cast.alice, path, {"subject": "Alice"}, **{"If-Match": read["ETag"]})
    assert "read it again" in problem(second, 412, "precondition_failed")["detail"]
    by_body = cast.alice.patch(path, {"subject": "Alice", "version": read.json()["version"]})
    problem(by_body, 409, "edited_meanwhile")
    assert cast.alice.get(path).json()["subject"] == "Bob"


@pytest.mark.parametrize("header", ['"0"', "1", 'W/"1"', '"x"', '"2", "3"'])
def test_a_version_that_is_not_the_present_one_changes_nothing(cast: Cast, header: str) -> None:
    path = lisbon_path(cast)
    problem(patch(cast.alice, path, {"subject": "x"}, **{"If-Match": header}), 412, "precondition_failed")
    assert cast.alice.get(path)["ETag"] == '"1"'


@pytest.mark.parametrize("header", ["*", '"0", "1"', ""])
def test_any_version_or_one_of_several_may_be_meant(cast: Cast, header: str) -> None:
    path = lisbon_path(cast)
    assert patch(cast.alice, path, {"subject": "x"}, **{"If-Match": header}).status_code == 200


def test_a_change_between_the_look_and_the_lock_is_noticed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lisbon_path(cast)
    monkeypatch.setattr(versions, "matching_version", lambda _header, version: version - 1)
    problem(patch(cast.alice, path, {"subject": "x"}, **{"If-Match": '"1"'}), 412, "precondition_failed")


def test_an_expired_record_is_recalled_no_more(cast: Cast) -> None:
    items = remember(cast.alice)
    peanuts = [item for item in items if "peanuts" in item["semantic_text"]]
    for item in peanuts:
        reply = cast.alice.post(f"/memory/records/{item['record_id']}/expire", {"reason": "outgrown"})
        assert reply.status_code == 200, reply.content
        assert reply.json()["expired_reason"] == "outgrown"
    assert texts(cast.alice, q="peanuts") == []
    assert len(texts(cast.alice, q="peanuts", state="expired")) == len(peanuts)
    body = cast.alice.post("/memory/search", {"query": "allergic to peanuts", "top_k": 100}).json()
    provenance = body["semantic_results"][0]["provenance"] if body["total"] else []
    assert {item["record_id"] for item in peanuts}.isdisjoint(item["record_id"] for item in provenance)


def test_expiring_needs_no_body(cast: Cast) -> None:
    record = remember(cast.alice)[0]
    assert cast.alice.send("POST", f"/memory/records/{record['record_id']}/expire", "").status_code == 200
    assert MemoryRecord.everyone.get(id=record["record_id"]).expired_at is not None


@pytest.mark.parametrize("key", ["x", "123", "../", "01a22be0-dac1-700e-8fc1-3c3efd19a2b", "%00"])
def test_what_is_no_id_is_404(cast: Cast, key: str) -> None:
    problem(cast.alice.get(f"/memory/records/{key}"), 404, "not_found")


def test_a_missing_record_is_404_for_every_verb(cast: Cast) -> None:
    path = f"/memory/records/{uuid4()}"
    problem(cast.alice.get(path), 404, "not_found")
    problem(cast.alice.patch(path, {"semantic_text": "x"}), 404, "not_found")
    problem(cast.alice.post(f"{path}/expire"), 404, "not_found")


def by_word(items: list[dict[str, Any]], word: str) -> str:
    """The address of the record that holds the word."""
    found = next(item for item in items if word in item["semantic_text"])
    return f"/memory/records/{found['record_id']}"


def test_a_record_is_pinned_and_unpinned(cast: Cast) -> None:
    path = lisbon_path(cast)
    reply = cast.alice.send("POST", f"{path}/pin", "")
    assert (reply.json()["is_pinned"], reply["ETag"]) == (True, '"2"')
    assert cast.alice.post(f"{path}/pin", {"pinned": True})["ETag"] == '"2"'
    assert cast.alice.post(f"{path}/pin", {"pinned": False}).json()["is_pinned"] is False
    problem(cast.alice.post(f"{path}/pin", {"pinned": "perhaps"}), 422, "invalid_input")


def test_an_expired_record_comes_back(cast: Cast) -> None:
    path = lisbon_path(cast)
    cast.alice.post(f"{path}/expire", {"reason": "wrong"})
    restored = cast.alice.post(f"{path}/restore").json()
    assert (restored["expired_at"], restored["expired_reason"], restored["version"]) == (None, "", 3)
    assert any("Lisbon" in text for text in texts(cast.alice, q="Lisbon"))


def test_records_are_merged(cast: Cast) -> None:
    items = remember(cast.alice)
    kept, other = by_word(items, "Lisbon"), by_word(items, "biologist")
    other_id = other.rpartition("/")[2]
    merged = cast.alice.post(f"{kept}/merge", {"record_ids": [other_id]})
    assert merged.status_code == 200, merged.content
    gone = cast.alice.get(other).json()
    assert gone["expired_reason"] == f"merged_into:{merged.json()['record_id']}"
    assert pointers(problem(cast.alice.post(f"{kept}/merge", {"record_ids": []}), 422, "invalid_input"))
    problem(cast.alice.post(f"{kept}/merge", {"record_ids": [str(uuid4())]}), 404, "not_found")


def test_an_erased_record_is_gone_for_good(cast: Cast) -> None:
    path = lisbon_path(cast)
    reply = cast.alice.delete(path)
    assert reply.json() == {"status": "purged", "record_id": path.rpartition("/")[2]}
    for answer in (cast.alice.get(path), cast.alice.delete(path), cast.alice.get(f"{path}/history")):
        problem(answer, 404, "not_found")
    again = {"session_id": "intro", "background": False, "force_ingest": True}
    cast.alice.post("/memory/consolidate", again)
    assert not [text for text in texts(cast.alice, state="all") if "Lisbon" in text]


def test_the_history_tells_who_changed_what_into_what(cast: Cast) -> None:
    path = lisbon_path(cast)
    before = cast.alice.get(path).json()["semantic_text"]
    cast.alice.patch(path, {"semantic_text": "alice lives in Porto."})
    cast.bob.post(f"{path}/expire", {"reason": "gone"})
    items = cast.alice.get(f"{path}/history").json()["items"]
    told = [item for item in items if item["action"] != "adapted"]
    assert [(item["action"], item["who"], item["version"]) for item in told] == [
        ("expired", "bob", 3),
        ("edited", "alice", 2),
    ]
    assert items[-1]["changes"]["semantic_text"] == {"before": before, "after": "alice lives in Porto."}


@pytest.mark.parametrize(
    ("method", "act", "body"),
    [("POST", "/expire", {}), ("POST", "/pin", {}), ("DELETE", "", {}), ("POST", "/merge", None)],
)
def test_every_act_heeds_the_version_that_was_read(
    cast: Cast, method: str, act: str, body: dict[str, Any] | None
) -> None:
    items = remember(cast.alice)
    path = by_word(items, "Lisbon")
    other = by_word(items, "peanuts").rpartition("/")[2]
    sent = json.dumps({"record_ids": [other]} if body is None else body)
    cast.alice.patch(path, {"topics": ["home"]})

    def send(version: str) -> Any:
        headers = {**cast.alice.headers, "If-Match": version}
        return Client().generic(method, path + act, sent, JSON, headers=headers)

    problem(send('"1"'), 412, "precondition_failed")
    assert send('"2"').status_code == 200


@pytest.mark.parametrize("act", ["/pin", "/restore", "/history", "/merge", ""])
def test_a_missing_record_is_404_for_every_act(cast: Cast, act: str) -> None:
    path = f"/memory/records/{uuid4()}{act}"
    if act == "/history":
        reply = cast.alice.get(path)
    elif act:
        reply = cast.alice.post(path, {"record_ids": [str(uuid4())]} if act == "/merge" else {})
    else:
        reply = cast.alice.delete(path)
    problem(reply, 404, "not_found")

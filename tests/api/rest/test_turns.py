"""`/memory/append-turn(s)`: limits, hygiene, order, all or none."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import Job
from sessions_app.models import Session, SessionTurn
from tests.api.cast import Cast, Person, pointers, problem

TURN = {"session_id": "notes", "role": "user", "content": "My cat is called Pixel."}


def transcript(who: Person, session: str) -> list[dict[str, Any]]:
    reply = who.get(f"/memory/session/{session}")
    assert reply.status_code == 200, reply.content
    turns: list[dict[str, Any]] = reply.json()["turns"]
    return turns


def test_a_turn_is_appended_and_numbered_from_0(cast: Cast) -> None:
    first = cast.alice.post("/memory/append-turn", TURN)
    assert first.status_code == 200, first.content
    assert first.json() == {"status": "appended", "session_id": "notes", "turn_count": 1, "turn_index": 0}
    second = cast.alice.post("/memory/append-turn", {**TURN, "role": "assistant", "content": "Noted."})
    assert (second.json()["turn_count"], second.json()["turn_index"]) == (2, 1)
    assert [(t["index"], t["role"], t["content"]) for t in transcript(cast.alice, "notes")] == [
        (0, "user", "My cat is called Pixel."),
        (1, "assistant", "Noted."),
    ]


def test_it_is_found_by_its_words_at_once(cast: Cast) -> None:
    cast.alice.post("/memory/append-turn", TURN)
    body = cast.alice.post("/memory/search", {"query": "What is my cat called?", "effort": "fast"}).json()
    assert body["total"] >= 1
    assert body["semantic_results"][0]["provenance"][0]["display_text"] == "alice: My cat is called Pixel."


def test_waiting_for_the_index_means_found_by_meaning(cast: Cast) -> None:
    assert cast.alice.post("/memory/append-turn?wait=index", TURN).status_code == 200
    assert cast.alice.get("/pipeline/status").json()["unindexed"] == 0


def test_what_to_wait_for_is_checked(cast: Cast) -> None:
    document = problem(cast.alice.post("/memory/append-turn?wait=coffee", TURN), 422, "invalid_input")
    assert pointers(document) == {"/wait"}


def test_text_is_cleaned(cast: Cast) -> None:
    raw = (
        '{"session_id": " no\\u0000tes ", "role": "user", "speaker": " Zoe\\u0308 ",'
        ' "content": " cafe\\u0301 \\ud83d\\u0000 \\ud83c\\udf5c ", "metadata": {" k ": "v\\ud800"}}'
    )
    reply = cast.alice.send("POST", "/memory/append-turn", raw)
    assert reply.status_code == 200, reply.content
    (turn,) = transcript(cast.alice, "notes")
    assert (turn["content"], turn["speaker"], turn["metadata"]) == ("café  🍜", "Zoë", {"k": "v"})


def test_a_naive_time_is_meant_in_the_users_zone(cast: Cast) -> None:
    cast.alice.patch("/auth/me", {"time_zone": "Asia/Shanghai"})
    for given in ("2026-07-01T23:30:00", "2026-07-01T15:30:00Z", "2026-07-01T17:30:00+02:00"):
        cast.alice.post("/memory/append-turn", {**TURN, "created_at": given})
    assert {turn["created_at"] for turn in transcript(cast.alice, "notes")} == {"2026-07-01T15:30:00Z"}


FAULTY = [
    ("session_id", ""),
    ("session_id", " "),
    ("session_id", "s" * 129),
    ("session_id", 123),
    ("session_id", None),
    ("role", "robot"),
    ("role", ""),
    ("role", 1),
    ("content", ""),
    ("content", " \n "),
    ("content", "\u0000"),
    ("content", 5),
    ("content", None),
    ("content", ["x"]),
    ("speaker", "s" * 129),
    ("speaker", 5),
    ("created_at", "yesterday"),
    ("created_at", ""),
    ("created_at", 0),
    ("created_at", "0001-01-01T00:00:00+14:00"),
    ("created_at", "2026-13-01"),
    ("token_count", -1),
    ("token_count", "5"),
    ("token_count", 10**40),
    ("metadata", {"space": "space-b"}),
    ("metadata", {" User_ID ": "x"}),
    ("metadata", {"tenant": None}),
    ("metadata", {"deep": {"tenant": "x"}}),
    ("metadata", {"": "x"}),
    ("metadata", {"k" * 129: "x"}),
    ("metadata", {"big": "x" * 16_001}),
    ("metadata", []),
    ("metadata", "text"),
    ("consolidate", "no"),
]


@pytest.mark.parametrize(("field", "value"), FAULTY)
def test_a_faulty_field_is_named_and_nothing_is_stored(cast: Cast, field: str, value: Any) -> None:
    document = problem(cast.alice.post("/memory/append-turn", {**TURN, field: value}), 422, "invalid_input")
    assert {pointer.split("/")[1] for pointer in pointers(document)} == {field}
    assert not SessionTurn.everyone.exists()
    assert not Session.everyone.exists()


def test_a_message_above_the_limit_is_too_large(cast: Cast, settings: Any) -> None:
    settings.MAX_MESSAGE_CHARS = 10
    document = problem(
        cast.alice.post("/memory/append-turn", {**TURN, "content": "x" * 11}), 413, "too_large"
    )
    assert pointers(document) == {"/content"}
    assert Session.everyone.count() == 0
    assert cast.alice.post("/memory/append-turn", {**TURN, "content": "x" * 10}).status_code == 200


def test_many_turns_keep_their_order(cast: Cast) -> None:
    turns = [{"role": "user", "content": f"Turn {n}."} for n in range(1_000)]
    reply = cast.alice.post("/memory/append-turns", {"session_id": "long", "turns": turns})
    assert reply.json()["turn_count"] == 1_000, reply.content
    assert reply.json()["turn_indexes"] == list(range(1_000))
    assert [t["content"] for t in transcript(cast.alice, "long")] == [f"Turn {n}." for n in range(100)]


@pytest.mark.parametrize("turns", [[], None, "x", {}, [{}], [None], ["x"]])
def test_what_is_no_list_of_turns_is_refused(cast: Cast, turns: Any) -> None:
    body = {"session_id": "long", "turns": turns}
    problem(cast.alice.post("/memory/append-turns", body), 422, "invalid_input")


def test_more_than_a_thousand_turns_are_refused(cast: Cast) -> None:
    turns = [{"role": "user", "content": "x"}] * 1_001
    problem(
        cast.alice.post("/memory/append-turns", {"session_id": "long", "turns": turns}), 422, "invalid_input"
    )


def test_one_faulty_turn_refuses_them_all(cast: Cast) -> None:
    turns = [
        {"role": "user", "content": "good"},
        {"role": "user", "content": "good", "metadata": {"space": 1}},
    ]
    document = problem(
        cast.alice.post("/memory/append-turns", {"session_id": "long", "turns": turns}), 422, "invalid_input"
    )
    assert pointers(document) == {"/turns/1/metadata/space"}
    assert not Session.everyone.exists()


def test_a_faulty_turn_for_a_new_session_has_nothing_filed(cast: Cast) -> None:
    cast.alice.post("/memory/append-turn", TURN)
    faulty = {**TURN, "session_id": "next", "metadata": {"space": "space-b"}}
    problem(cast.alice.post("/memory/append-turn", faulty), 422, "invalid_input")
    assert not Job.objects.for_space(cast.alice.principal.space_id).exists()


@pytest.mark.parametrize("name", ["../", "a/b", "böb", "bo\u0308b", "🍜", "BOB", "x" * 128, "50%", "a?b"])
def test_a_session_may_have_any_name(cast: Cast, name: str) -> None:
    from unicodedata import normalize
    from urllib.parse import quote

    assert cast.alice.post("/memory/append-turn", {**TURN, "session_id": name}).status_code == 200
    reply = cast.alice.get(f"/memory/session/{quote(name, safe='')}")
    assert reply.status_code == 200, reply.content
    assert reply.json()["session_id"] == normalize("NFC", name)


@pytest.mark.parametrize("field", ["space", "user_id", "tenant"])
def test_the_space_never_comes_from_a_body(cast: Cast, field: str) -> None:
    reply = cast.charlie.post("/memory/append-turn", {**TURN, field: "space-a"})
    assert pointers(problem(reply, 422, "invalid_input")) == {f"/{field}"}
    assert not Session.everyone.exists()


def test_a_viewers_session_is_private(cast: Cast) -> None:
    assert cast.vera.post("/memory/append-turn", TURN).status_code == 200
    assert Session.everyone.get().private_to == cast.vera.user
    assert not SessionTurn.everyone.get().is_consolidated


def test_a_viewer_adds_nothing_to_a_shared_session(cast: Cast) -> None:
    cast.alice.post("/memory/append-turn", TURN)
    shared = str(Session.everyone.get().id)
    problem(cast.vera.post("/memory/append-turn", {**TURN, "session_id": shared}), 403, "forbidden")
    assert SessionTurn.everyone.count() == 1


def test_others_address_a_session_by_its_id(cast: Cast) -> None:
    cast.alice.post("/memory/append-turn", TURN)
    shared = str(Session.everyone.get().id)
    reply = cast.bob.post("/memory/append-turn", {**TURN, "session_id": shared})
    assert reply.json()["turn_count"] == 2
    cast.bob.post("/memory/append-turn", TURN)
    assert Session.everyone.count() == 2


def test_an_id_of_nobody_is_a_name_like_any_other(cast: Cast) -> None:
    name = str(uuid4())
    assert cast.alice.post("/memory/append-turn", {**TURN, "session_id": name}).status_code == 200
    assert Session.everyone.get().name == name

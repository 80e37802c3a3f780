"""`/sessions` and `/memory/session/{id}`: lists, pages, deletion."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import Job
from accounts.services.jobs import run_job
from sessions_app.models import Session
from sessions_app.services.answers import begin_answer, clean_question
from sessions_app.services.compress import request_compression
from tests.api.cast import Cast, Person, pointers, problem


def say(who: Person, session: str, *texts: str) -> None:
    turns = [{"role": "user", "content": text} for text in texts]
    reply = who.post("/memory/append-turns", {"session_id": session, "turns": turns})
    assert reply.status_code == 200, reply.content


def test_sessions_are_listed_last_used_first_with_true_totals(cast: Cast) -> None:
    say(cast.alice, "one", "first", "second")
    say(cast.bob, "two", "third")
    body = cast.alice.get("/sessions").json()
    assert body["total"] == 2
    assert body["next_cursor"] is None
    two, one = body["items"]
    assert (one["session_id"], one["is_own"], one["turn_count"]) == ("one", True, 2)
    assert one["last_message"] == "second"
    assert (two["session_id"], two["is_own"], two["author"]) == (two["session_uuid"], False, "bob")
    assert one["token_total"] > 0


def test_pages_are_disjoint_and_complete(cast: Cast) -> None:
    for n in range(5):
        say(cast.alice, f"s{n}", "x")
    seen: list[str] = []
    cursor = ""
    while True:
        body = cast.alice.get("/sessions", {"limit": 2, "cursor": cursor}).json()
        seen += [item["session_id"] for item in body["items"]]
        assert body["total"] == 5
        cursor = body["next_cursor"]
        if not cursor:
            break
    assert seen == [f"s{n}" for n in (4, 3, 2, 1, 0)]


def test_a_list_can_be_searched(cast: Cast) -> None:
    say(cast.alice, "cats", "x")
    say(cast.alice, "dogs", "x")
    assert [i["session_id"] for i in cast.alice.get("/sessions", {"q": "cat"}).json()["items"]] == ["cats"]


@pytest.mark.parametrize("path", ["/sessions", "/memory/session/one"])
@pytest.mark.parametrize("limit", ["0", "-1", "101", "1e9", "ten", "", "10.5", "9" * 40])
def test_a_faulty_page_size_is_422(cast: Cast, path: str, limit: str) -> None:
    say(cast.alice, "one", "x")
    assert pointers(problem(cast.alice.get(path, {"limit": limit}), 422, "invalid_input")) == {"/limit"}


@pytest.mark.parametrize("path", ["/sessions", "/memory/session/one"])
@pytest.mark.parametrize("cursor", ["x", "-1", "~", "2026-01-01~x", "\u0000", "9" * 30, "é", "' OR 1=1 --"])
def test_a_faulty_cursor_is_422(cast: Cast, path: str, cursor: str) -> None:
    say(cast.alice, "one", "x")
    assert pointers(problem(cast.alice.get(path, {"cursor": cursor}), 422, "invalid_input")) == {"/cursor"}


def test_a_transcript_comes_in_pages_from_either_end(cast: Cast) -> None:
    say(cast.alice, "one", *[f"t{n}" for n in range(5)])
    first = cast.alice.get("/memory/session/one", {"limit": 2}).json()
    assert [turn["content"] for turn in first["turns"]] == ["t0", "t1"]
    second = cast.alice.get("/memory/session/one", {"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [turn["content"] for turn in second["turns"]] == ["t2", "t3"]
    newest = cast.alice.get("/memory/session/one", {"limit": 2, "newest": "true"}).json()
    assert [turn["content"] for turn in newest["turns"]] == ["t3", "t4"]
    assert newest["turn_count"] == 5
    assert newest["unfiled"]["end_turn"] == 5


def test_a_transcript_tells_what_a_model_would_see_of_it(cast: Cast, settings: Any) -> None:
    settings.WM_MAX_TOKENS = 2_000
    say(
        cast.alice, "one", *[f"My friend number {n} lives at {n} Harbour Street in Porto." for n in range(60)]
    )
    whole = cast.alice.get("/memory/session/one").json()
    assert whole["summaries"] == []
    assert (whole["window"]["level"], whole["window"]["budget_tokens"]) == ("block", 1_000)
    request_compression(Session.objects.for_space(cast.alice.principal.space_id).get())
    run_job(Job.objects.for_space(cast.alice.principal.space_id).get(kind="compress").id)

    told = cast.alice.get("/memory/session/one").json()
    (summary,) = told["summaries"]
    window = told["window"]
    assert (summary["first_turn"], summary["made_by"]) == (0, "offline")
    assert "Harbour Street" in str(summary["facts"])
    assert set(summary) >= {
        "goals",
        "decisions",
        "facts",
        "open_points",
        "tool_results",
        "tokens",
        "created_at",
    }
    assert [turn["is_summarised"] for turn in told["turns"]] == [n < summary["end_turn"] for n in range(60)]
    seen = [turn["seen_as"] for turn in told["turns"]]
    assert seen.count("summary") == summary["end_turn"]
    assert seen.count("nothing") == window["left_out"]
    assert seen[-1] == "whole"
    assert (window["summarised_turns"], window["summary_tokens"]) == (summary["end_turn"], summary["tokens"])
    assert told["wm_token_usage"] == window["tokens"] <= window["budget_tokens"]
    assert window["session_tokens"] == told["token_total"] > window["used_tokens"]
    assert (window["warn_tokens"], window["block_tokens"]) == (700, 900)
    assert window["pressure"] == pytest.approx(window["used_tokens"] / 1_000)
    assert cast.bob.get(f"/memory/session/{told['session_uuid']}").json()["summaries"] == [summary]


def test_of_a_turn_longer_than_the_window_the_excerpt_is_told(cast: Cast, settings: Any) -> None:
    settings.WM_MAX_TOKENS = 2_000
    say(cast.alice, "one", "Hello.", f"Here is my list: {'apples and pears, ' * 900}and that is all.")
    hello, long = cast.alice.get("/memory/session/one").json()["turns"]
    assert (hello["seen_as"], hello["excerpt"]) == ("nothing", "")
    assert long["seen_as"] == "excerpt"
    assert "characters left out" in long["excerpt"]
    assert long["excerpt"].endswith("and that is all.")
    assert long["content"].count("apples") == 900


@pytest.mark.parametrize("name", ["missing", "../", "é", "a/b", "x" * 129, " "])
def test_reading_an_unknown_session_is_404_and_makes_none(cast: Cast, name: str) -> None:
    from urllib.parse import quote

    reply = cast.alice.get(f"/memory/session/{quote(name, safe='')}")
    assert reply.status_code in (404, 422)
    assert reply["Content-Type"] == "application/problem+json"
    assert Session.everyone.count() == 0


def test_a_deleted_session_is_gone_and_its_name_is_free(cast: Cast) -> None:
    say(cast.alice, "one", "My cat is called Pixel.")
    reply = cast.alice.delete("/memory/session/one")
    assert reply.json() == {"status": "deleted", "session_id": "one", "memories": "keep"}
    problem(cast.alice.get("/memory/session/one"), 404, "not_found")
    problem(cast.alice.delete("/memory/session/one"), 404, "not_found")
    assert cast.alice.get("/sessions").json()["total"] == 0
    say(cast.alice, "one", "anew")
    assert cast.alice.get("/memory/session/one").json()["turn_count"] == 1


def test_erasing_is_not_available_yet_and_deletes_nothing(cast: Cast) -> None:
    say(cast.alice, "one", "x")
    document = problem(cast.alice.delete("/memory/session/one?memories=erase"), 422, "invalid_input")
    assert "not available yet" in document["detail"]
    problem(cast.alice.delete("/memory/session/one?memories=burn"), 422, "invalid_input")
    assert cast.alice.get("/memory/session/one").status_code == 200


def test_only_its_author_or_an_owner_deletes_a_session(cast: Cast) -> None:
    say(cast.alice, "one", "x")
    shared = str(Session.everyone.get().id)
    problem(cast.bob.delete(f"/memory/session/{shared}"), 403, "forbidden")
    problem(cast.vera.delete(f"/memory/session/{shared}"), 403, "forbidden")
    say(cast.bob, "two", "x")
    bobs = str(Session.everyone.get(name="two").id)
    assert cast.alice.delete(f"/memory/session/{bobs}").status_code == 200


def test_a_foreign_session_and_a_missing_one_look_alike(cast: Cast) -> None:
    say(cast.alice, "one", "x")
    foreign = str(Session.everyone.get().id)

    def seen(name: str) -> dict[str, Any]:
        document = problem(cast.charlie.get(f"/memory/session/{name}"), 404, "not_found")
        return {key: value for key, value in document.items() if key != "instance"}

    assert seen(foreign) == seen(str(uuid4()))


def test_a_session_is_renamed_and_tagged(cast: Cast) -> None:
    say(cast.alice, "one", "first")
    changed = cast.alice.patch("/memory/session/one/meta", {"title": "Plans", "tags": ["garden", "spring"]})
    assert changed.status_code == 200, changed.content
    assert (changed.json()["title"], changed.json()["tags"]) == ("Plans", ["garden", "spring"])
    cast.alice.patch("/memory/session/one/meta", {"topic": "beds"})
    listed = cast.alice.get("/sessions").json()["items"][0]
    assert (listed["title"], listed["topic"], listed["tags"]) == ("Plans", "beds", ["garden", "spring"])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({"title": " "}, "/title"), ({"topic": "x" * 201}, "/topic"), ({"tags": ["x" * 65]}, "/tags/0")],
)
def test_a_faulty_name_or_tag_is_422(cast: Cast, body: dict[str, Any], pointer: str) -> None:
    say(cast.alice, "one", "first")
    reply = cast.alice.patch("/memory/session/one/meta", body)
    assert pointers(problem(reply, 422, "invalid_input")) == {pointer}
    assert cast.alice.get("/sessions").json()["items"][0]["title"] == "first"


def test_an_editor_renames_a_shared_session_by_its_id_and_a_viewer_does_not(cast: Cast) -> None:
    say(cast.alice, "one", "first")
    uuid = cast.alice.get("/sessions").json()["items"][0]["session_uuid"]
    problem(cast.vera.patch(f"/memory/session/{uuid}/meta", {"title": "Mine"}), 403, "forbidden")
    assert cast.bob.patch(f"/memory/session/{uuid}/meta", {"title": "Ours"}).json()["title"] == "Ours"


def test_its_author_makes_a_session_private_and_shares_it_again(cast: Cast) -> None:
    say(cast.alice, "one", "first")
    uuid = cast.alice.get("/sessions").json()["items"][0]["session_uuid"]
    problem(cast.bob.patch(f"/memory/session/{uuid}/meta", {"private": True}), 403, "forbidden")
    hidden = cast.alice.patch("/memory/session/one/meta", {"private": True, "title": "Mine"})
    assert (hidden.status_code, hidden.json()["is_private"], hidden.json()["title"]) == (200, True, "Mine")
    problem(cast.bob.get(f"/memory/session/{uuid}"), 404, "not_found")
    problem(cast.bob.patch(f"/memory/session/{uuid}/meta", {"private": False}), 404, "not_found")
    assert cast.bob.get("/sessions").json()["total"] == 0
    assert cast.alice.patch("/memory/session/one/meta", {"private": False}).json()["is_private"] is False
    assert cast.bob.get(f"/memory/session/{uuid}").json()["title"] == "Mine"


def test_a_viewer_does_not_share_their_session(cast: Cast) -> None:
    say(cast.vera, "mine", "first")
    problem(cast.vera.patch("/memory/session/mine/meta", {"private": False}), 403, "forbidden")


@pytest.mark.parametrize("value", ["yes", 1, [], "true"])
def test_only_true_and_false_say_who_sees_a_session(cast: Cast, value: Any) -> None:
    say(cast.alice, "one", "first")
    reply = cast.alice.patch("/memory/session/one/meta", {"private": value})
    assert pointers(problem(reply, 422, "invalid_input")) == {"/private"}
    assert cast.alice.get("/sessions").json()["items"][0]["is_private"] is False


def test_a_session_that_is_answering_changes_hands_later(cast: Cast) -> None:
    say(cast.alice, "one", "first")
    session = Session.everyone.get(name="one")
    begin_answer(cast.alice.principal, session, clean_question(cast.alice.principal, "Who?"))
    reply = cast.alice.patch("/memory/session/one/meta", {"private": True, "title": "Mine"})
    problem(reply, 409, "session_busy")
    assert reply.headers["Retry-After"]
    assert cast.alice.get("/sessions").json()["items"][0]["title"] == "first"

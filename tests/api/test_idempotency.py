"""`Idempotency-Key` through the doors: done once, answered the same, refused in words."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from accounts.models import IdempotencyKey, Membership
from api.rest.docs import DocumentedAPI
from api.rest.root import api
from sessions_app.models import SessionTurn
from tests.api.cast import JSON, Cast, Person, pointers, problem
from tests.api.live import Live
from tests.api.scripted import Script, hit, script, whole_answer

__all__ = ["script"]

TURN = {"session_id": "notes", "role": "user", "content": "My cat is called Pixel."}
CHAT = {"session_id": "intro", "message": "Where do I live?"}
APPEND = "/memory/append-turn"


def send(who: Person, body: Any = TURN, *, path: str = APPEND, key: str = "k-1", method: str = "post") -> Any:
    headers = {**who.headers, "Idempotency-Key": key}
    return getattr(Client(), method)(path, body, JSON, headers=headers)


def turns(who: Person) -> int:
    return SessionTurn.objects.for_space(who.principal.space_id).count()


def test_a_repeated_write_is_answered_as_before_and_does_nothing(cast: Cast) -> None:
    first, second = send(cast.alice), send(cast.alice)
    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert first["Content-Type"] == second["Content-Type"]
    assert (first.headers.get("Idempotent-Replayed"), second["Idempotent-Replayed"]) == (None, "true")
    assert turns(cast.alice) == 1


def test_without_a_key_or_with_another_it_is_a_new_write(cast: Cast) -> None:
    send(cast.alice)
    send(cast.alice, key="k-2")
    cast.alice.post(APPEND, TURN)
    assert turns(cast.alice) == 3


@pytest.mark.parametrize(
    ("body", "path", "space"),
    [
        ({**TURN, "content": "My cat is called Byte."}, APPEND, "space-a"),
        (TURN, f"{APPEND}?wait=index", "space-a"),
        (TURN, APPEND, "alice"),
    ],
)
def test_another_request_with_the_same_key_is_refused(cast: Cast, body: Any, path: str, space: str) -> None:
    send(cast.alice)
    other = cast.alice.in_space(cast.alice.user.personal_space.slug if space == "alice" else space)
    problem(send(other, body, path=path), 409, "idempotency_key_reused")
    assert turns(cast.alice) == 1


def test_what_was_refused_may_be_mended_under_the_same_key(cast: Cast) -> None:
    assert send(cast.alice, {**TURN, "role": "pirate"}).status_code == 422
    assert send(cast.alice).status_code == 200
    assert turns(cast.alice) == 1


def test_keys_are_each_users_own(cast: Cast) -> None:
    send(cast.alice)
    assert send(cast.bob).headers.get("Idempotent-Replayed") is None
    assert turns(cast.alice) == 2


def test_a_stranger_with_the_key_learns_nothing(cast: Cast) -> None:
    send(cast.alice)
    problem(send(cast.charlie.in_space("space-a")), 404, "not_found")
    stolen = Client().post(APPEND, TURN, JSON, headers={"Idempotency-Key": "k-1"})
    problem(stolen, 401, "not_authenticated")


def test_who_has_left_the_space_is_not_told_again(cast: Cast) -> None:
    send(cast.bob)
    Membership.objects.filter(user=cast.bob.user, space__slug="space-a").delete()
    problem(send(cast.bob), 404, "not_found")


def upload(who: Person, content: bytes) -> Any:
    """A file, under a boundary of its own as each client makes one."""
    body = (
        b'--%s\r\nContent-Disposition: form-data; name="files"; filename="SKILL.md"\r\n\r\n%s\r\n--%s--\r\n'
    )
    boundary = uuid4().hex
    headers = {**who.headers, "Idempotency-Key": "file"}
    filled = body % (boundary.encode(), content, boundary.encode())
    form = f"multipart/form-data; boundary={boundary}"
    return Client().post("/memory/skills/import", filled, form, headers=headers)


def test_an_upload_is_known_by_what_it_holds(cast: Cast) -> None:
    first = upload(cast.alice, b"---\nname: bake\n---\n1. Heat")
    again = upload(cast.alice, b"---\nname: bake\n---\n1. Heat")
    assert (first.status_code, again["Idempotent-Replayed"], again.json()) == (200, "true", first.json())
    assert len(first.json()["added"]) == 1
    problem(upload(cast.alice, b"---\nname: boil\n---\n1. Heat"), 409, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", " ", "ключ", "k" * 256])
def test_a_malformed_key_is_refused_and_nothing_is_written(cast: Cast, key: str) -> None:
    document = problem(send(cast.alice, key=key), 422, "invalid_input")
    assert pointers(document) == {"/Idempotency-Key"}
    assert turns(cast.alice) == 0


def test_an_edit_keeps_its_version_and_a_deletion_its_answer(cast: Cast) -> None:
    cast.alice.post(APPEND, TURN)
    address = "/memory/session/notes"
    first = send(cast.alice, {}, path=address, method="delete")
    assert first.status_code == 200, first.content
    again = send(cast.alice, {}, path=address, method="delete")
    assert (again.status_code, again.content) == (200, first.content)


def test_what_a_deletion_erases_is_no_longer_answered(cast: Cast) -> None:
    send(cast.alice)
    cast.alice.delete("/memory/session/notes")
    problem(send(cast.alice), 409, "reply_not_kept")


def test_credentials_are_never_stored(cast: Cast) -> None:
    body = {"username": "dora", "password": "correct horse battery"}
    headers = {"Idempotency-Key": "k-1"}
    assert Client().post("/auth/register", body, JSON, headers=headers).status_code == 201
    assert Client().post("/auth/login", body, JSON, headers=headers).status_code == 200
    assert not IdempotencyKey.objects.exists()


def test_reading_pays_no_heed_to_it(cast: Cast) -> None:
    headers = {**cast.alice.headers, "Idempotency-Key": "k-1"}
    assert Client().get("/sessions", headers=headers).status_code == 200
    assert not IdempotencyKey.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_writes(cast_committed: Cast) -> None:
    def one(_: int) -> Any:
        try:
            return send(cast_committed.alice)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(one, range(6)))
    assert {reply.status_code for reply in replies} <= {200, 409}
    assert turns(cast_committed.alice) == 1
    for reply in replies:
        if reply.status_code == 409:
            assert problem(reply, 409, "request_in_progress")
            assert reply["Retry-After"]


@pytest.mark.django_db(transaction=True)
async def test_a_chat_is_answered_once(live: Live, live_cast: Cast, script: Script) -> None:
    script.say(*whole_answer(hit()))
    async with live.client(live_cast.alice) as client:
        client.headers["Idempotency-Key"] = "k-1"
        first = await client.post("/chat/complete", json=CHAT)
        second = await client.post("/chat/complete", json=CHAT)
    assert first.status_code == 200, first.text
    assert first.json() == second.json()
    assert second.headers["X-Memory-Status"] == first.headers["X-Memory-Status"]
    assert len(script.requests) == 1


@pytest.mark.django_db(transaction=True)
async def test_a_stream_is_not_repeated_but_said_to_be_done(
    live: Live, live_cast: Cast, script: Script
) -> None:
    script.say(*whole_answer(hit()))
    async with live.client(live_cast.alice) as client:
        client.headers["Idempotency-Key"] = "k-1"
        assert (await client.post("/chat", json=CHAT)).status_code == 200
        second = await client.post("/chat", json=CHAT)
    assert (second.status_code, second.json()["code"]) == (409, "reply_not_kept")
    assert len(script.requests) == 1


def test_every_write_says_so_in_the_document(db: None) -> None:
    assert isinstance(api, DocumentedAPI)
    document: dict[str, Any] = Client().get("/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            named = {each["name"] for each in operation.get("parameters", [])}
            is_write = method in ("post", "put", "patch", "delete") and not path.startswith("/auth/")
            assert ("Idempotency-Key" in named) is is_write, (method, path)

"""What is written or deleted says no to what it does not know; reading ignores it."""

from uuid import uuid4

import pytest

from api.rest.root import api
from sessions_app.models import Session
from tests.api.cast import Cast, pointers, problem

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stray", ["erase=maybe", "Memories=keep", "memories=keep&force=1"])
def test_a_stray_parameter_deletes_nothing(cast: Cast, stray: str) -> None:
    alice = cast.alice
    alice.post("/memory/append-turn", {"session_id": "one", "role": "user", "content": "Hello."})
    document = problem(alice.delete(f"/memory/session/one?{stray}"), 422, "invalid_input")
    assert pointers(document) == {f"/{stray.rpartition('&')[2].partition('=')[0]}"}
    assert "memories" in document["detail"]
    assert Session.everyone.filter(deleted_at=None).count() == 1
    assert alice.delete("/memory/session/one?memories=keep").status_code == 200


def test_an_address_without_parameters_says_so(cast: Cast) -> None:
    document = problem(cast.alice.delete(f"/memory/records/{uuid4()}?really=no"), 422, "invalid_input")
    assert "Known here: none." in document["detail"]


def test_reading_ignores_what_it_does_not_know(cast: Cast) -> None:
    assert cast.alice.get("/sessions", {"colour": "blue"}).status_code == 200


def test_writing_ignores_a_parameter_and_refuses_a_field_that_it_does_not_know(cast: Cast) -> None:
    body = {"session_id": "one", "role": "user", "content": "Hello."}
    assert cast.alice.post("/memory/append-turn?colour=blue", body).status_code == 200
    refused = cast.alice.post("/memory/append-turn", {**body, "colour": "blue"})
    assert pointers(problem(refused, 422, "invalid_input")) == {"/colour"}


def test_its_description_tells_which_value_is_refused_for_now() -> None:
    deletion = api.get_openapi_schema()["paths"]["/memory/session/{session_id}"]["delete"]
    assert "`memories=erase` is refused with 422" in deletion["description"]

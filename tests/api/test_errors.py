"""Every refusal is a problem document that says what to do and gives nothing away."""

import json
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.http import Http404
from django.test import Client, RequestFactory

from accounts import errors
from api.errors import REFUSALS, problem_from, refusal, status_of, within_source
from api.faults import invalid_input
from tests.api.cast import FORMS_OF_NO_FORM, JSON, PASSWORD, Cast, pointers, problem


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.InvalidInput(), 422),
        (errors.NotAuthenticated(), 401),
        (errors.Forbidden(), 403),
        (errors.NotFound(), 404),
        (errors.Conflict(), 409),
        (errors.SessionBusy(), 409),
        (errors.TooLarge(), 413),
        (errors.TooManyRequests(), 429),
        (errors.ProviderUnavailable(), 503),
        (errors.IndexMismatch(), 503),
        (errors.LycheeError(), 400),
    ],
)
def test_each_error_has_its_status(error: errors.LycheeError, status: int) -> None:
    assert status_of(error) == status
    response = problem_from(RequestFactory().get("/x"), error)
    problem(response_with_json(response), status, error.error_code)


def test_what_an_error_says_by_itself_is_a_sentence() -> None:
    assert errors.ReplyRefused().detail == "The model declines to answer this."
    assert errors.ReplyRefused("Not this one.").detail == "Not this one."


def response_with_json(response: Any) -> Any:
    response.json = lambda: json.loads(response.content)
    return response


def test_a_busy_session_says_when_to_come_back() -> None:
    request = RequestFactory().get("/x")
    assert problem_from(request, errors.SessionBusy(retry_after=7))["Retry-After"] == "7"
    assert problem_from(request, errors.SessionBusy())["Retry-After"] == "1"
    assert "Retry-After" not in problem_from(request, errors.Conflict())


@pytest.mark.parametrize("status", [*REFUSALS, 418, 502])
def test_every_refusal_by_status_alone_has_a_code(status: int) -> None:
    response = response_with_json(refusal(RequestFactory().get("/x"), status, allow="GET"))
    problem(response, status, response.json()["code"])


def test_a_location_becomes_a_json_pointer() -> None:
    fault = {"loc": ["body", "payload", "turns", 0, "a/b~c"], "type": "missing", "msg": "Field required"}
    assert invalid_input([fault], within=within_source).errors[0].pointer == "/turns/0/a~1b~0c"
    fault["loc"] = ["query", "limit"]
    assert invalid_input([fault], within=within_source).errors[0].pointer == "/limit"


@pytest.mark.parametrize("path", ["/nothing", "/memory/nothing", "/auth", "/spaces/x/y", "/%00", "/é"])
def test_an_unknown_address_is_a_problem_document(db: None, path: str) -> None:
    problem(Client().get(path), 404, "not_found")


def test_a_page_that_is_missing_stays_a_page(db: None) -> None:
    assert Client().get("/static/nothing.css")["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/auth/login"), ("DELETE", "/spaces"), ("OPTIONS", "/auth/me")]
)
def test_an_unsupported_method_names_the_supported_ones(db: None, method: str, path: str) -> None:
    reply = Client().generic(method, path)
    document = problem(reply, 405, "method_not_allowed")
    assert reply["Allow"]
    assert all(name in document["detail"] for name in reply["Allow"].split(", "))


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "nonsense",
        "{'a': 1}",
        '{"username": NaN}',
        '{"username": Infinity}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 5_000,
        '"\\u12"',
        b"\xff\xfe",
        b"\x00",
    ],
)
def test_malformed_json_is_400(db: None, body: str | bytes) -> None:
    problem(Client().generic("POST", "/auth/login", body, JSON), 400, "bad_request")


@pytest.mark.parametrize("body", ["", "null", "{}"])
def test_nothing_where_something_is_needed_is_422(db: None, body: str) -> None:
    problem(Client().generic("POST", "/auth/login", body, JSON), 422, "invalid_input")


@pytest.mark.parametrize("body", ["[]", "5", '"text"', "true", "[{}]"])
def test_every_door_says_that_a_body_is_an_object(cast: Cast, body: str) -> None:
    doors = ["/auth/login", "/memory/search", "/memory/records", "/visual/memories", "/visual/search"]
    doors += ["/memory/consolidate", "/chat", "/spaces"]
    for door in doors:
        document = problem(cast.alice.send("POST", door, body), 422, "invalid_input")
        assert document["detail"] == "Send a JSON object: names and values in braces.", door
        assert [error["pointer"] for error in document["errors"]] == [""]
    reply = cast.alice.send("PATCH", "/auth/me", body)
    assert "object" in problem(reply, 422, "invalid_input")["detail"]


@pytest.mark.parametrize("kind", FORMS_OF_NO_FORM)
@pytest.mark.parametrize("header", ["X-CSRFToken", "Idempotency-Key"])
def test_json_that_is_called_a_form_is_read_or_refused(cast: Cast, header: str, kind: str) -> None:
    headers = {header: "x" * 32}
    browser = Client(enforce_csrf_checks=True)
    if header == "Idempotency-Key":
        headers |= cast.alice.headers
    else:
        browser.force_login(cast.alice.user, backend="django.contrib.auth.backends.ModelBackend")
        browser.cookies[settings.CSRF_COOKIE_NAME] = headers[header]
    body = json.dumps({"session_id": "one", "role": "user", "content": "&a=1" * 1_200})
    reply = browser.post("/memory/append-turn", body, content_type=kind, headers=headers)
    assert reply.status_code in (200, 400)
    if reply.status_code == 400:
        problem(reply, 400, "bad_request")


def test_a_lone_surrogate_never_reaches_a_vendor(db: None) -> None:
    body = '{"username": "\\ud83d", "password": "\\ud83d and more"}'
    problem(Client().generic("POST", "/auth/register", body, JSON), 422, "invalid_input")


def test_a_body_over_the_limit_is_413(cast: Cast, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    reply = cast.alice.post("/spaces", {"slug": "x", "name": "n" * 200})
    problem(reply, 413, "too_large")


def test_an_unexpected_failure_is_logged_and_tells_nothing(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_arguments: object) -> None:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr("api.rest.spaces.list_spaces", fail)
    reply = cast.alice.get("/spaces")
    document = problem(reply, 500, "internal_error")
    assert "secret" not in reply.content.decode()
    assert "X-Request-ID" in document["detail"]
    assert "secret of the house" in caplog.text


def test_a_database_that_fails_is_503_with_a_time_to_come_back(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("api.rest.spaces.list_spaces", fail)
    reply = cast.alice.get("/spaces")
    problem(reply, 503, "storage_unavailable")
    assert int(reply.headers["Retry-After"]) > 0


def test_a_404_raised_in_a_view_gives_nothing_away(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise Http404("row 17 of another tenant")

    monkeypatch.setattr("api.rest.spaces.list_spaces", fail)
    reply = cast.alice.get("/spaces")
    problem(reply, 404, "not_found")
    assert "tenant" not in reply.content.decode()


def test_many_faults_are_all_named(db: None) -> None:
    reply = Client().post("/auth/register", {"username": "", "password": "x", "email": 5}, JSON)
    assert pointers(problem(reply, 422, "invalid_input")) == {"/username", "/password", "/email"}


def test_a_strange_host_is_a_problem_document(db: None) -> None:
    reply = Client().post(
        "/auth/login", {"username": "ann", "password": PASSWORD}, JSON, headers={"Host": "evil.example"}
    )
    problem(reply, 400, "bad_request")

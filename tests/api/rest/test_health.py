"""`/health`, `/livez`, `/readyz`: what each says when a part is away."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.core import checks
from django.db import DatabaseError
from django.test import Client
from kombu.exceptions import OperationalError

from api.rest import health
from memory.errors import ProviderError, ProviderRefused
from memory.models import ModelStatus
from memory.providers.registry import language_model, reranker
from tests.memory.prompting import question
from tests.model_server import ModelServer, chat, fail
from tests.model_server.configured import configured

WORKER = [{"worker@here": {"ok": "pong"}}]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that answers; every request really asks."""
    monkeypatch.setattr(health, "PACE_SECONDS", 0.0)
    for name in ("database", "folder", "index", "worker"):
        monkeypatch.setitem(health.PROBES, name, health.Paced(getattr(health, f"_{name}")))
    monkeypatch.setattr(current_app.control, "ping", lambda **_: WORKER)


def parts() -> dict[str, str]:
    return {part["name"]: part["status"] for part in Client().get("/readyz").json()["parts"]}


@pytest.mark.parametrize("path", ["/health", "/livez"])
def test_the_server_tells_its_version_without_asking_anybody(path: str, settings: Any) -> None:
    """No database fixture: a query would fail this test."""
    assert Client().get(path).json() == {"status": "ok", "version": settings.VERSION}
    assert Client().head(path).status_code == 200


def test_it_is_ready_when_every_part_is(db: None) -> None:
    reply = Client().get("/readyz")
    assert (reply.status_code, reply.json()["status"]) == (200, "ready"), reply.content
    assert parts() == dict.fromkeys(
        ["database", "folder", "index", "worker", "models", "images", "warm_up"], "ok"
    )


def test_while_it_warms_up_it_says_so_and_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "is_warming", lambda: True)
    reply = Client().get("/readyz")
    assert (reply.status_code, reply.json()["status"]) == (503, "warming")
    assert "being loaded" in reply.content.decode()
    monkeypatch.setattr(current_app.control, "ping", lambda **_: [])
    assert Client().get("/readyz").json()["status"] == "not_ready", "a failure is more than a delay"
    assert Client().get("/livez").status_code == 200


def test_asking_often_writes_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(health, "PACE_SECONDS", 60.0)
    monkeypatch.setattr(health, "write_to_database", lambda: written.append("row"))
    monkeypatch.setattr(health, "write_to_folder", lambda _folder: written.append("block"))

    def ping(**_: Any) -> list[Any]:
        written.append("ping")
        return WORKER

    monkeypatch.setattr(current_app.control, "ping", ping)
    assert [Client().get("/readyz").status_code for _ in range(5)] == [200] * 5
    assert written == ["row", "block", "ping"]


def test_a_failure_and_its_end_are_told_at_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PACE_SECONDS", 60.0)
    monkeypatch.setattr(current_app.control, "ping", lambda **_: [])
    assert [parts()["worker"], parts()["worker"]] == ["failed", "failed"]
    monkeypatch.setattr(current_app.control, "ping", lambda **_: WORKER)
    assert parts()["worker"] == "ok"


def test_a_database_that_only_reads_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError("database or disk is full")

    monkeypatch.setattr(health, "write_to_database", fail)
    reply = Client().get("/readyz")
    assert (reply.status_code, parts()["database"]) == (503, "failed")
    assert "disk is full" in reply.content.decode()


@pytest.mark.parametrize(
    ("fault", "words"),
    [(errno.ENOSPC, "disk of the data folder is full"), (errno.EACCES, "LYCHEE_DATA_DIR")],
)
def test_a_data_folder_that_takes_nothing_is_told_with_its_remedy(
    db: None, monkeypatch: pytest.MonkeyPatch, fault: int, words: str
) -> None:
    def fail(_fd: int) -> None:
        raise OSError(fault, "canary")

    monkeypatch.setattr(os, "fsync", fail)
    reply = Client().get("/readyz")
    assert (reply.status_code, parts()["folder"]) == (503, "failed")
    assert words in reply.content.decode()
    assert "canary" not in reply.content.decode()


def test_without_a_worker_it_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app.control, "ping", lambda **_: [])
    reply = Client().get("/readyz")
    assert (reply.status_code, reply.json()["status"]) == (503, "not_ready")
    assert parts()["worker"] == "failed"


def test_without_a_broker_it_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise OperationalError("redis://secret@host")

    monkeypatch.setattr(current_app.control, "ping", fail)
    reply = Client().get("/readyz")
    assert reply.status_code == 503
    assert "secret" not in reply.content.decode()


def test_without_a_database_it_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def cursor(self) -> None:
            raise DatabaseError("password=secret")

    monkeypatch.setattr(health, "connection", Away())
    reply = Client().get("/readyz")
    assert reply.status_code == 503
    assert "secret" not in reply.content.decode()


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (checks.Warning("Other vectors.", hint="Run `manage.py rebuild_index`."), "degraded", 200),
        (checks.Error("No model.", hint="Install it."), "failed", 503),
    ],
)
def test_what_the_checks_find_is_told_with_its_remedy(
    db: None, monkeypatch: pytest.MonkeyPatch, message: Any, status: str, code: int
) -> None:
    monkeypatch.setattr(health, "check_stored_vectors", lambda _configs: [message])
    reply = Client().get("/readyz")
    assert reply.status_code == code
    assert parts()["index"] == status
    assert message.hint in reply.content.decode()


def test_a_model_that_fails_is_told_and_the_server_stays_ready(db: None) -> None:
    with ModelServer(default=fail(401)) as server, configured(server):
        assert model_part() == ("ok", "language: openai/test-model.")
        with pytest.raises(ProviderRefused):
            language_model().plan(question("Where?"))
        status, detail = model_part()
        assert status == "degraded"
        assert "LLM_API_KEY" in detail
        assert Client().get("/readyz").status_code == 200
        server.default = chat()
        language_model().plan(question("Where?"))
        assert model_part()[0] == "ok"


def test_a_reranker_that_fails_is_told_and_the_server_stays_ready(db: None, tmp_path: Path) -> None:
    local = {
        "EXPERIMENTAL_TRANSFORMER_RERANK": True,
        "TRANSFORMER_RERANK_MODEL_PATH": str(tmp_path / "nowhere"),
    }
    with ModelServer() as server, configured(server, **local):
        assert "reranking:" in model_part()[1]
        model = reranker()
        assert model is not None
        with pytest.raises(ProviderError):
            model.rerank("Where?", ["Here."])
        status, detail = model_part()
        assert status == "degraded"
        assert str(tmp_path) in detail
        assert Client().get("/readyz").status_code == 200


def test_what_another_process_saw_of_a_model_is_told(db: None) -> None:
    with ModelServer() as server, configured(server):
        origin = server.url.removeprefix("http://").removesuffix("/v1")
        since = datetime(2026, 3, 1, 12, tzinfo=UTC)
        seen = {"task": "language", "model": "openai/test-model", "is_failing": True, "origin": origin}
        ModelStatus.objects.create(**seen, failing_since=since, failure="It is away.", noted_at=since)
        told = ("degraded", "openai/test-model has not answered since 2026-03-01 12:00 UTC: It is away.")
        assert model_part() == told


def test_while_the_database_is_away_nothing_is_known_of_models(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise DatabaseError

    monkeypatch.setattr(health, "model_states", away)
    assert model_part() == ("degraded", "Not known while the database does not answer.")


def model_part() -> tuple[str, str]:
    parts = {part["name"]: part for part in Client().get("/readyz").json()["parts"]}
    return parts["models"]["status"], parts["models"]["detail"]

"""What one process knows of a model becomes a row that every process reads."""

from datetime import UTC, datetime, timedelta

import pytest

from memory import selectors
from memory.models import ModelStatus
from memory.providers.model_health import ModelHealth
from memory.selectors import ModelState, model_states
from memory.services import model_status
from memory.services.model_status import publish_model_status

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Process:
    """One process with its own knowledge of a model."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, model: str = "openai/m") -> None:
        self.health = ModelHealth(model, "here:80")
        self._monkeypatch = monkeypatch

    def _enter(self) -> None:
        for module in (selectors, model_status):
            self._monkeypatch.setattr(module, "model_healths", lambda: {"language": self.health})

    def failed(self, minute: int, failure: str = "It is away.") -> None:
        at = NOON + timedelta(minutes=minute)
        since = self.health.failing_since or at
        self.health = ModelHealth(self.health.model, "here:80", True, since, at, failure, at)
        self._enter()
        publish_model_status()

    def answered(self, minute: int) -> None:
        self.health.is_failing, self.health.failing_since = False, None
        self.health.noted_at = NOON + timedelta(minutes=minute)
        self._enter()
        publish_model_status()

    def sees(self) -> ModelState:
        self._enter()
        (state,) = model_states()
        return state


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Process:
    return Process(monkeypatch)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Process:
    return Process(monkeypatch)


def test_a_model_never_called_is_not_known_to_fail(web: Process) -> None:
    assert not web.sees().is_failing
    publish_model_status()
    assert not ModelStatus.objects.exists()


def test_what_one_sees_fail_the_other_knows(web: Process, worker: Process) -> None:
    worker.failed(1)
    seen = web.sees()
    assert (seen.is_failing, seen.failure) == (True, "It is away.")
    assert seen.failing_since == NOON + timedelta(minutes=1)


def test_whoever_sees_it_answer_again_tells_the_other(web: Process, worker: Process) -> None:
    worker.failed(1)
    web.answered(2)
    assert not worker.sees().is_failing
    assert worker.sees().failure == "It is away.", "the last failure stays to be read"


def test_an_outage_began_when_the_first_saw_it(web: Process, worker: Process) -> None:
    worker.failed(1)
    web.failed(5, "Still away.")
    seen = worker.sees()
    assert (seen.failing_since, seen.failure) == (NOON + timedelta(minutes=1), "Still away.")


def test_older_news_do_not_replace_newer_ones(web: Process, worker: Process) -> None:
    web.answered(5)
    worker.failed(1)
    assert not web.sees().is_failing


def test_a_model_that_goes_on_answering_is_not_written_again(web: Process) -> None:
    web.answered(1)
    web.answered(9)
    assert ModelStatus.objects.get().noted_at == NOON + timedelta(minutes=1)


def test_one_that_goes_on_failing_is_written_once_a_minute(web: Process) -> None:
    web.failed(0)
    web.failed(1)
    assert ModelStatus.objects.get().noted_at == NOON
    web.failed(2)
    assert ModelStatus.objects.get().noted_at == NOON + timedelta(minutes=2)


def test_another_model_begins_anew(web: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    web.failed(1)
    other = Process(monkeypatch, model="openai/other")
    assert not other.sees().is_failing
    other.answered(2)
    row = ModelStatus.objects.get()
    assert (row.model, row.is_failing, row.failure) == ("openai/other", False, "")


def test_a_long_sentence_fits_its_column(web: Process) -> None:
    web.failed(1, "away " * 200)
    assert len(ModelStatus.objects.get().failure) == 300

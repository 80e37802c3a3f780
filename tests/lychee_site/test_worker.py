"""The worker inside the server's process: tasks run, enqueue tasks, and end with it."""

import threading

import pytest
from celery import shared_task

from accounts.models import User
from lychee_site import worker
from lychee_site.worker import embedded_worker

WAIT_SECONDS = 20

pytestmark = pytest.mark.django_db(transaction=True)

second_ran = threading.Event()
seen: dict[str, object] = {}


@shared_task
def first(name):
    seen["thread"] = threading.current_thread().name
    seen["users"] = User.objects.count()
    second.delay(name)


@shared_task
def second(name):
    seen["name"] = name
    second_ran.set()


@pytest.fixture
def quiet_start(monkeypatch):
    """Without the sweeps of a real start."""
    started: list[str] = []
    monkeypatch.setattr("lychee_site.worker.sweep.delay", lambda: started.append("sweep"))
    monkeypatch.setattr("lychee_site.worker.sweep_outboxes.delay", lambda: started.append("outboxes"))
    monkeypatch.setattr(worker, "release_claims", lambda: started.append("release"))
    return started


def test_a_task_enqueues_a_task_in_the_same_process(quiet_start):
    second_ran.clear()
    with embedded_worker():
        first.delay("hello")
        assert second_ran.wait(WAIT_SECONDS)
    assert seen["name"] == "hello"
    assert seen["users"] == 0
    assert seen["thread"] != threading.current_thread().name


def test_a_start_takes_up_what_was_left(quiet_start):
    with embedded_worker():
        pass
    assert quiet_start == ["release", "sweep", "outboxes"]


def test_beside_other_processes_no_claim_is_touched(quiet_start, settings):
    settings.REDIS_URL = "redis://localhost"
    with embedded_worker():
        pass
    assert quiet_start == ["sweep", "outboxes"]


def test_both_threads_end_with_the_block(quiet_start):
    with embedded_worker() as running:
        assert running.thread.is_alive()
        assert running.scheduler.is_alive()
    assert not running.thread.is_alive()
    running.scheduler.join(WAIT_SECONDS)
    assert not running.scheduler.is_alive()


def test_the_scheduler_writes_no_file(quiet_start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with embedded_worker():
        pass
    assert list(tmp_path.iterdir()) == []

"""Waking workers: after the commit, by the fitting task, and never at the write's cost."""

from uuid import uuid4

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError

from accounts.registries import set_wake, wake_on_commit
from lychee_site import wake


class Task:
    """Keeps what it was sent; may have no broker."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, ...]] = []
        self.error: Exception | None = None

    def apply_async(self, args, **options):
        if self.error:
            raise self.error
        self.sent.append(args)


@pytest.fixture
def tasks(monkeypatch):
    tasks = {"index": Task(), "job": Task()}
    monkeypatch.setattr(wake, "_TASKS", tasks)
    return tasks


def test_every_kind_of_queue_has_its_task():
    assert wake._TASKS["index"].name == "memory.tasks.drain_space"
    assert wake._TASKS["job"].name == "sessions_app.tasks.run_space_jobs"


def test_the_fitting_task_is_told_the_space(tasks):
    space_id = uuid4()
    wake.wake("job", space_id)
    assert tasks["job"].sent == [(str(space_id),)]
    assert tasks["index"].sent == []


def test_a_broker_that_is_away_does_not_fail_the_write(tasks, caplog):
    tasks["job"].error = OperationalError("refused")
    wake.wake("job", uuid4())
    assert "the sweep will find" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_workers_are_woken_after_the_commit_only(tasks):
    wake.install()
    space_id = uuid4()
    with transaction.atomic():
        wake_on_commit("job", space_id)
        assert tasks["job"].sent == []
    assert tasks["job"].sent == [(str(space_id),)]
    with transaction.atomic():
        wake_on_commit("job", space_id)
        transaction.set_rollback(True)
    assert len(tasks["job"].sent) == 1


@pytest.mark.django_db(transaction=True)
def test_even_an_unforeseen_failure_to_wake_leaves_the_commit_standing(caplog):
    def fail(kind, space_id):
        raise ValueError("unforeseen")

    set_wake(fail)
    try:
        with transaction.atomic():
            wake_on_commit("job", uuid4())
    finally:
        wake.install()

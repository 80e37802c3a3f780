"""Tasks carry ids and call the service of the same meaning."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Space
from memory import tasks
from memory.domain.types import Kind
from memory.errors import IndexMismatch, ProviderUnavailable
from memory.models import IndexOutbox, RetrievalLog
from memory.services.index import index_items, turn_item
from memory.services.reindex import drain_outbox
from tests.memory.indexing import make_space, make_turn, make_user
from tests.memory.services.conftest import Indexes, indexes, space

__all__ = ["indexes", "space"]


def owe(indexes: Indexes, space: Space) -> None:
    turn = make_turn(space, "abc")
    indexes.shelf.put(turn)
    index_items([turn_item(turn)])


def test_draining_a_space_by_its_id(indexes: Indexes, space: Space):
    owe(indexes, space)
    assert tasks.drain_space(str(space.id)) == 1
    assert len(indexes.vectors.seqs(space.id, Kind.TURN)) == 1


def test_the_sweep_drains_every_space_that_is_owed_vectors(indexes: Indexes, space: Space):
    for place in (space, make_space("space-b")):
        owe(indexes, place)
    assert tasks.sweep_outboxes() == 2
    assert not IndexOutbox.objects.exists()
    assert tasks.sweep_outboxes() == 0


def test_one_failing_space_does_not_keep_the_sweep_from_the_others(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    other = make_space("space-b")
    for place in (space, other):
        owe(indexes, place)

    def drain(space_id: object) -> int:
        if space_id == space.id:
            raise ProviderUnavailable("busy")
        return drain_outbox(other.id)

    monkeypatch.setattr(tasks, "drain_outbox", drain)
    assert tasks.sweep_outboxes() == 1
    assert str(space.id) in caplog.text
    assert list(IndexOutbox.objects.values_list("space_id", flat=True)) == [space.id]


def test_a_failure_is_one_line_and_vectors_of_another_model_are_none(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    owe(indexes, space)
    failures = [ProviderUnavailable("It is away."), IndexMismatch()]

    def drain(space_id: object) -> int:
        raise failures.pop(0)

    monkeypatch.setattr(tasks, "drain_outbox", drain)
    assert [tasks.drain_space(str(space.id)), tasks.sweep_outboxes()] == [0, 0]
    warned = [record for record in caplog.records if record.levelname == "WARNING"]
    assert [record.getMessage() for record in warned] == [
        f"The outbox of space {space.id} stays queued: It is away."
    ]
    assert all(record.exc_info is None for record in warned)
    assert IndexOutbox.objects.count() == 1


def test_maintenance_that_fails_does_not_fail_the_drain(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    owe(indexes, space)

    def fail() -> None:
        raise ProviderUnavailable("conflict")

    monkeypatch.setattr(indexes.vectors, "optimize", fail)
    assert tasks.drain_space(str(space.id)) == 1
    assert "could not be optimised" in caplog.text


def test_feedback_is_folded_in_every_space_and_old_logs_go(space: Space):
    user = make_user("alice")
    for place, days in ((space, 0), (make_space("space-b"), 100)):
        log = RetrievalLog.objects.for_space(place.id).create(
            space_id=place.id, private_to=user, user_id=user.id, query="?", effort="fast"
        )
        at = timezone.now() - timedelta(days=days)
        RetrievalLog.objects.for_space(place.id).filter(pk=log.pk).update(created_at=at)
    assert tasks.fold_feedback() == 2
    (left,) = RetrievalLog.everyone.all()
    assert (left.space_id, left.is_folded) == (space.id, True)
    assert tasks.fold_feedback() == 0

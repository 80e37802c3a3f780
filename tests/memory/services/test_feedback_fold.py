"""Logs are counted exactly once, whatever becomes of them later."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from memory.models import RetrievalLog, UsageCount
from memory.services import feedback_fold
from memory.services.feedback import close_log
from memory.services.feedback_fold import expire_logs, fold_logs
from memory.services.feedback_rate import rate_log, rate_record
from tests.memory.curating import principal, remember
from tests.memory.indexing import make_user

pytestmark = pytest.mark.django_db


def log_of(who, *records, **values) -> RetrievalLog:
    hits = [{"kind": "record", "id": str(record.id)} for record in records]
    log: RetrievalLog = RetrievalLog.objects.for_space(who.space_id).create(
        space_id=who.space_id,
        private_to_id=who.user_id,
        user_id=who.user_id,
        query="?",
        effort="fast",
        hits=[*hits, {"kind": "turn", "id": str(uuid4())}],
        **values,
    )
    return log


def counts(record) -> tuple[int, int, int, int]:
    row = UsageCount.objects.for_space(record.space_id).get(item_id=record.id)
    return row.retrievals, row.kept, row.success, row.fail


@pytest.fixture
def pair(space):
    return remember(space), remember(space, "I have a dog.")


def test_recalls_and_what_answers_rest_on_are_counted(alice, pair):
    first, second = pair
    kept = log_of(alice, first, second)
    close_log(kept.id, alice.space_id, kept_ids=[first.id], excerpt="In Paris [1].")
    log_of(alice, first)
    assert fold_logs(alice.space_id) == 2
    assert (counts(first), counts(second)) == ((2, 1, 0, 0), (1, 0, 0, 0))
    row = UsageCount.objects.for_space(alice.space_id).get(item_id=first.id)
    assert row.last_used_at is not None
    assert UsageCount.objects.for_space(alice.space_id).count() == 2  # turns have none


def test_folding_again_counts_nothing_twice(alice, pair):
    log_of(alice, pair[0])
    assert [fold_logs(alice.space_id) for _ in range(3)] == [1, 0, 0]
    assert counts(pair[0]) == (1, 0, 0, 0)


def test_what_came_of_it_counts_for_what_the_answer_rests_on(alice, pair):
    first, second = pair
    log = log_of(alice, first, second)
    close_log(log.id, alice.space_id, kept_ids=[first.id], excerpt="In Paris [1].")
    rate_log(alice, log.id, "success")
    fold_logs(alice.space_id)
    assert (counts(first), counts(second)) == ((1, 1, 1, 0), (1, 0, 0, 0))


def test_without_an_answer_it_counts_for_all_that_was_handed_over(alice, pair):
    log = log_of(alice, *pair)
    rate_log(alice, log.id, "correction")
    fold_logs(alice.space_id)
    assert [counts(record) for record in pair] == [(1, 0, 0, 1), (1, 0, 0, 1)]


def test_a_judgement_that_changes_later_moves_the_counters(alice, pair):
    log = log_of(alice, pair[0])
    for outcome, wanted in (("success", (1, 0)), ("fail", (0, 1)), ("open", (0, 0)), ("success", (1, 0))):
        rate_log(alice, log.id, outcome)
        fold_logs(alice.space_id)
        assert counts(pair[0])[2:] == wanted
    assert counts(pair[0])[0] == 1


def test_an_answer_that_is_finished_after_the_first_fold_is_counted_too(alice, pair):
    log = log_of(alice, pair[0])
    fold_logs(alice.space_id)
    close_log(log.id, alice.space_id, kept_ids=[pair[0].id], excerpt="In Paris [1].")
    fold_logs(alice.space_id)
    assert counts(pair[0]) == (1, 1, 0, 0)


def test_ratings_and_logs_add_up(alice, pair):
    rate_record(alice, pair[0].id, "success")
    rate_log(alice, log_of(alice, pair[0]).id, "success")
    fold_logs(alice.space_id)
    assert counts(pair[0]) == (1, 0, 2, 0)


def test_what_is_gone_is_not_counted(alice, space):
    record = remember(space)
    log_of(alice, record)
    record.delete()
    assert fold_logs(alice.space_id) == 1
    assert not UsageCount.objects.for_space(space.id).exists()


def test_the_counters_of_a_private_record_are_its_owners(space, alice):
    bob = principal(make_user("bob"), space)
    record = remember(space, owner=bob.user_id)
    log_of(bob, record)
    fold_logs(space.id)
    assert UsageCount.objects.visible_to(space.id, bob.user_id).count() == 1
    assert UsageCount.objects.visible_to(space.id, alice.user_id).count() == 0


def test_batches_hold_so_many_logs(alice, pair, monkeypatch):
    monkeypatch.setattr(feedback_fold, "BATCH", 2)
    for _ in range(5):
        log_of(alice, pair[0])
    assert fold_logs(alice.space_id, most=2) == 2
    assert counts(pair[0])[0] == 2
    assert fold_logs(alice.space_id) == 3
    assert counts(pair[0])[0] == 5


def test_old_logs_expire_once_they_are_counted(alice, pair):
    now = timezone.now()

    def aged(days: int) -> UUID:
        log = log_of(alice, pair[0])
        rows = RetrievalLog.objects.for_space(alice.space_id).filter(pk=log.pk)
        rows.update(created_at=now - timedelta(days=days))
        return log.pk

    old, young = aged(91), aged(89)
    assert expire_logs(alice.space_id, now=now) == 0
    fold_logs(alice.space_id)
    assert expire_logs(alice.space_id, now=now) == 1
    left = set(RetrievalLog.objects.for_space(alice.space_id).values_list("pk", flat=True))
    assert left == {young}
    assert old not in left
    assert counts(pair[0]) == (2, 0, 0, 0)

"""A person's word on an answer or a record."""

from uuid import uuid4

import pytest

from accounts.errors import Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent
from memory.models import ItemRating, RetrievalLog, UsageCount
from memory.services.curate_purge import purge_record
from memory.services.feedback_rate import correct_outcome, rate_log, rate_record
from tests.memory.curating import principal, remember
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db


def log_of(who, **values) -> RetrievalLog:
    log: RetrievalLog = RetrievalLog.objects.for_space(who.space_id).create(
        space_id=who.space_id,
        private_to_id=who.user_id,
        user_id=who.user_id,
        query="?",
        effort="fast",
        **values,
    )
    return log


class TestAnAnswer:
    def test_its_asker_says_what_came_of_it_and_may_change_their_mind(self, alice):
        log = log_of(alice, is_folded=True)
        assert rate_log(alice, log.id, "success").judged_by == "user"
        rated = rate_log(alice, log.id, "fail")
        assert (rated.outcome, rated.is_folded) == ("fail", False)
        taken_back = rate_log(alice, log.id, "open")
        assert (taken_back.outcome, taken_back.judged_by) == ("open", "")
        told = [event.changes["outcome"] for event in AuditEvent.objects.order_by("id")]
        assert told == [["open", "success"], ["success", "fail"], ["fail", "open"]]

    def test_saying_it_twice_changes_nothing(self, alice):
        log = log_of(alice)
        first = rate_log(alice, log.id, "success")
        assert rate_log(alice, log.id, "success").judged_at == first.judged_at
        assert AuditEvent.objects.count() == 1

    def test_a_persons_word_counts_before_what_rules_read(self, alice):
        log = log_of(alice, outcome="success", judged_by="rules")
        assert rate_log(alice, log.id, "fail").judged_by == "user"

    def test_viewers_rate_their_own(self, vera):
        assert rate_log(vera, log_of(vera).id, "success").outcome == "success"

    def test_a_fellow_members_a_strangers_and_a_missing_one_look_alike(self, space, alice):
        bob = principal(make_user("bob"), space)
        charlie = principal(make_user("charlie"), make_space("b"))
        for log_id in (log_of(bob).id, log_of(charlie).id, uuid4()):
            with pytest.raises(NotFound):
                rate_log(alice, log_id, "success")

    @pytest.mark.parametrize("outcome", ["", "great", None, 1])
    def test_an_outcome_that_is_none_is_told(self, alice, outcome):
        with pytest.raises(InvalidInput) as raised:
            rate_log(alice, log_of(alice).id, outcome)
        assert [error.pointer for error in raised.value.errors] == ["/outcome"]

    def test_curators_correct_it_and_viewers_do_not(self, alice, vera):
        assert correct_outcome(alice, log_of(alice).id, "correction").judged_by == "curator"
        with pytest.raises(Forbidden):
            correct_outcome(vera, log_of(vera).id, "fail")
        with pytest.raises(NotFound):
            correct_outcome(alice, log_of(vera).id, "fail")
        assert correct_outcome(alice, log_of(vera).id, "fail", is_administrator=True).outcome == "fail"


class TestARecord:
    def counts(self, record) -> tuple[int, int]:
        row = UsageCount.objects.for_space(record.space_id).get(item_id=record.id)
        return row.success, row.fail

    def test_each_person_has_one_rating_that_may_change(self, space, alice, vera):
        record = remember(space)
        rate_record(alice, record.id, "success")
        rate_record(vera, record.id, "success")
        rate_record(alice, record.id, "success")
        assert self.counts(record) == (2, 0)
        rate_record(alice, record.id, "correction")
        assert self.counts(record) == (1, 1)
        assert rate_record(alice, record.id, "open") is None
        assert self.counts(record) == (1, 0)
        assert ItemRating.objects.for_space(space.id).count() == 1

    def test_taking_back_what_was_never_said_is_nothing(self, space, alice):
        record = remember(space)
        assert rate_record(alice, record.id, "open") is None
        assert not UsageCount.objects.for_space(space.id).exists()

    def test_a_foreign_private_or_missing_one_looks_alike(self, space, alice):
        foreign = remember(make_space("b"))
        private = remember(space, owner=make_user("bob").id)
        for record_id in (foreign.id, private.id, uuid4()):
            with pytest.raises(NotFound):
                rate_record(alice, record_id, "success")

    def test_erasing_the_record_erases_its_ratings_and_counters(self, space, alice):
        record = remember(space)
        rate_record(alice, record.id, "success")
        purge_record(alice, record.id)
        assert not UsageCount.objects.for_space(space.id).exists()
        assert not ItemRating.objects.for_space(space.id).exists()

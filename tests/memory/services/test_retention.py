"""What a space keeps only for a time: by type, from filing or the last telling, never what is pinned."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.errors import Forbidden, InvalidInput
from accounts.models import AuditEvent, Membership
from memory.domain.types import Kind, MemoryType
from memory.models import CompositeRecord, IndexedItem, MemoryRecord, RecordEvidence, RetentionPolicy
from memory.services import retention
from memory.services.curate_state import pin_record, restore_record
from memory.services.fuse import fuse_space
from memory.services.retention import apply_retention, set_retention
from memory.tasks import apply_retentions
from tests.memory.curating import JUNE, principal, remember, statements, tell, trail
from tests.memory.indexing import make_space, make_user
from tests.memory.recalling import Memory

pytestmark = pytest.mark.django_db

FACT = MemoryType.FACT


@pytest.fixture
def owner(space):
    return principal(make_user("olga"), space, Membership.Role.OWNER)


def after(days: float) -> datetime:
    """So long after everything was filed."""
    return JUNE + timedelta(days=days)


def told_on(when: datetime, record: MemoryRecord) -> None:
    """Its evidence was stored then."""
    RecordEvidence.objects.for_space(record.space_id).filter(record=record).update(created_at=when)


@pytest.fixture
def record(space) -> MemoryRecord:
    row = remember(space)
    told_on(JUNE, row)
    return row


class TestKeeping:
    def test_without_a_policy_nothing_ever_goes(self, space, record):
        assert apply_retention(space.id, after(10_000)) == 0
        assert len(statements(space)) == 1

    def test_what_is_older_is_expired_and_what_is_not_stays(self, owner, space, record):
        set_retention(owner, FACT, 30)
        assert apply_retention(space.id, after(30)) == 0, "the last instant belongs to it"
        assert apply_retention(space.id, after(30) + timedelta(seconds=1)) == 1
        record.refresh_from_db()
        assert record.expired_reason == "retention: 30 days"
        assert record.version == 2
        assert trail(record) == ["record.expired"]
        assert AuditEvent.objects.get(action="record.expired").user_id is None
        assert not IndexedItem.objects.filter(space_id=space.id, kind=Kind.RECORD).exists()
        assert apply_retention(space.id, after(60)) == 0, "once is enough"

    def test_only_the_types_that_are_named(self, owner, space, record):
        set_retention(owner, MemoryType.EVENT, 1)
        assert apply_retention(space.id, after(100)) == 0

    def test_what_was_told_again_counts_from_then(self, owner, space, record):
        set_retention(owner, FACT, 30)
        told_on(after(20), record)
        assert apply_retention(space.id, after(49)) == 0
        assert apply_retention(space.id, after(51)) == 1

    def test_pinned_ones_are_exempt(self, owner, space, record):
        set_retention(owner, FACT, 30)
        pin_record(owner, record.id)
        assert apply_retention(space.id, after(1_000)) == 0

    def test_one_that_is_restored_stays_from_then_on(self, owner, space, record):
        set_retention(owner, FACT, 30)
        apply_retention(space.id, after(31))
        assert restore_record(owner, record.id).is_pinned
        assert apply_retention(space.id, after(1_000)) == 0

    def test_private_ones_are_held_to_it_too(self, owner, space):
        mine = remember(space, owner=owner.user_id)
        told_on(JUNE, mine)
        set_retention(owner, FACT, 30)
        assert apply_retention(space.id, after(31)) == 1

    def test_another_space_is_not_touched(self, owner, space):
        other = make_space("space-b")
        told_on(JUNE, remember(other))
        set_retention(owner, FACT, 30)
        assert apply_retentions() == 0
        assert apply_retention(other.id, after(31)) == 0

    def test_many_go_in_batches(self, owner, space, monkeypatch):
        monkeypatch.setattr(retention, "BATCH", 2)
        for city in ("Paris", "Rome", "Oslo", "Bern", "Graz"):
            told_on(JUNE, tell(space, f"I have seen {city}.").file()[0])
        kinds = set(MemoryRecord.objects.for_space(space.id).values_list("memory_type", flat=True))
        for kind in kinds:
            set_retention(owner, kind, 30)
        assert apply_retention(space.id, after(31)) == 5
        assert statements(space) == set()

    def test_composites_lose_what_went(self, memory: Memory):
        olga = principal(memory.user, memory.space, Membership.Role.OWNER)
        for text in ("Alice has a dog, Rex.", "The puppy of Alice likes balls.", "Her pet is brown."):
            memory.learn(text, *memory.say(("Alice", f"So: {text}")))
        fuse_space(memory.space.id)
        assert CompositeRecord.everyone.count() == 1
        set_retention(olga, FACT, 1)
        MemoryRecord.everyone.update(learned_at=JUNE)
        RecordEvidence.everyone.update(created_at=JUNE)
        assert apply_retention(memory.space.id, after(2)) == 3
        assert not CompositeRecord.everyone.exists()
        assert memory.ask("What dog has Alice?").hits == ()


class TestSetting:
    def test_it_is_set_changed_and_taken_back_and_noted(self, owner, space):
        for days in (30, 60, 60):
            kept = set_retention(owner, "fact", days)
            assert kept is not None
            assert kept.days == days
        assert set_retention(owner, "fact", None) is None
        assert set_retention(owner, "fact", None) is None
        assert not RetentionPolicy.everyone.exists()
        lines = AuditEvent.objects.filter(action="space.retention_set").order_by("id")
        assert [line.changes["fact"] for line in lines] == [[None, 30], [30, 60], [60, None]]

    @pytest.mark.parametrize("role", [Membership.Role.EDITOR, Membership.Role.VIEWER])
    def test_only_owners_may(self, space, role):
        with pytest.raises(Forbidden):
            set_retention(principal(make_user("eve"), space, role), "fact", 30)

    @pytest.mark.parametrize(("kind", "days"), [("fact", 0), ("fact", -1), ("fact", 36_501), ("rumour", 30)])
    def test_what_cannot_be_meant_is_refused(self, owner, kind, days):
        with pytest.raises(InvalidInput):
            set_retention(owner, kind, days)
        assert not RetentionPolicy.everyone.exists()

    def test_the_database_holds_one_a_type_and_sane_days(self, space):
        rows = RetentionPolicy.objects.for_space(space.id)
        rows.create(space_id=space.id, memory_type="fact", days=1)
        for kind, days in (("fact", 2), ("event", 0)):
            with pytest.raises(IntegrityError), transaction.atomic():
                rows.create(space_id=space.id, memory_type=kind, days=days)

"""Pinned records stay, expired ones come back."""

from uuid import uuid4

import pytest

from accounts.errors import Conflict
from accounts.models import AuditEvent
from memory.domain.types import Kind
from memory.models import IndexedItem, IndexOutbox, MemoryRecord
from memory.services.curate import expire_record
from memory.services.curate_state import pin_record, restore_record
from memory.services.drain import drain_outbox
from memory.services.fuse import fuse_fully, fuse_space
from tests.memory.curating import principal, remember, settle, statements, tell, trail
from tests.memory.fusing import current_texts
from tests.memory.recalling import Memory

pytestmark = pytest.mark.django_db


class TestPinning:
    def test_it_is_noted_once_and_ended_once(self, space, alice):
        record = remember(space)
        assert pin_record(alice, record.id).is_pinned
        assert pin_record(alice, record.id).version == 2
        assert not pin_record(alice, record.id, is_pinned=False).is_pinned
        assert pin_record(alice, record.id, is_pinned=False).version == 3
        assert trail(record) == ["record.pinned", "record.unpinned"]

    def test_an_expired_record_is_not_pinned(self, space, alice):
        record = remember(space)
        expire_record(alice, record.id)
        with pytest.raises(Conflict) as raised:
            pin_record(alice, record.id)
        assert raised.value.error_code == "expired"

    def test_a_pinned_record_outlives_encoding_its_segment_otherwise(self, space, alice):
        told = tell(space)
        (record,) = told.file()
        rows = MemoryRecord.objects.for_space(space.id).filter(id=record.id)
        rows.update(content_hash="of another encoder", semantic_text="Alice: Paris.")
        pin_record(alice, record.id)
        told.file()
        assert statements(space) == {"Alice: Paris."}  # its turn yields nothing beside it


class TestRestoring:
    def test_an_expired_record_is_found_again(self, space, alice):
        record = remember(space)
        expire_record(alice, record.id, "a mistake")
        restored = restore_record(alice, record.id)
        assert (restored.expired_at, restored.expired_reason, restored.is_pinned) == (None, "", False)
        assert IndexedItem.objects.filter(kind=Kind.RECORD, uid=record.id).exists()
        assert IndexOutbox.objects.filter(uid=record.id).exists()
        assert trail(record) == ["record.expired", "record.restored"]

    def test_restoring_a_live_record_changes_nothing(self, space, alice):
        record = remember(space)
        assert restore_record(alice, record.id).version == 1
        assert not AuditEvent.objects.exists()

    def test_what_was_taken_out_automatically_is_pinned_lest_it_happens_again(self, space, alice):
        record = remember(space)
        expire_record(alice, record.id, f"duplicate_of:{uuid4()}")
        assert restore_record(alice, record.id).is_pinned

    def test_it_conflicts_while_the_same_statement_is_live(self, space, alice):
        record = remember(space)
        expire_record(alice, record.id)
        remember(space)
        with pytest.raises(Conflict) as raised:
            restore_record(alice, record.id)
        assert raised.value.error_code == "same_statement"
        record.refresh_from_db()
        assert (record.expired_at is None, record.version) == (False, 2)


class TestAgainstFusion:
    """A person's word outlives every later fusion."""

    def test_a_pinned_record_is_not_superseded(self, memory: Memory):
        older, newer = settle(memory, "Paris", 0), settle(memory, "Berlin", 9)
        pin_record(principal(memory.user, memory.space), older.id)
        fuse_space(memory.space.id)
        assert current_texts(memory.space.id) == [older.semantic_text, newer.semantic_text]

    def test_a_superseded_value_is_current_while_it_is_pinned(self, memory: Memory):
        older, newer = settle(memory, "Paris", 0), settle(memory, "Berlin", 9)
        alice = principal(memory.user, memory.space)
        for is_pinned, current in ((False, [newer]), (True, [older, newer]), (False, [newer])):
            pin_record(alice, older.id, is_pinned=is_pinned)
            fuse_space(memory.space.id)
            assert current_texts(memory.space.id) == [row.semantic_text for row in current]

    def test_a_restored_value_is_current_beside_the_newer_and_stays_so(self, memory: Memory):
        older, newer = settle(memory, "Paris", 0), settle(memory, "Berlin", 9)
        fuse_space(memory.space.id)
        assert current_texts(memory.space.id) == [newer.semantic_text]
        restored = restore_record(principal(memory.user, memory.space), older.id)
        assert (restored.is_pinned, restored.superseded_by, restored.valid_to) == (True, None, None)
        assert fuse_fully(memory.space.id, lambda stage, done, total: None).superseded == 0
        assert current_texts(memory.space.id) == [older.semantic_text, newer.semantic_text]

    def test_a_restored_duplicate_has_its_turns_and_is_not_dropped_again(self, memory: Memory):
        segment_ids = uuid4(), uuid4()
        rows = [
            memory.learn(text, *memory.say(("Alice", text)), segment_id=segment_id)
            for text, segment_id in zip(
                ("Alice has a dog.", "Alice has a dog named Rex."), segment_ids, strict=True
            )
        ]
        for row in rows:
            row.evidence.update(segment_id=row.segment_id)
        own = set(rows[0].evidence.values_list("turn_id", flat=True))
        assert fuse_space(memory.space.id).duplicates == 1
        rows[0].refresh_from_db()
        assert rows[0].expired_reason == f"duplicate_of:{rows[1].id}"
        restored = restore_record(principal(memory.user, memory.space), rows[0].id)
        assert set(restored.evidence.values_list("turn_id", flat=True)) == own
        drain_outbox(memory.space.id)
        fuse_fully(memory.space.id, lambda stage, done, total: None)
        restored.refresh_from_db()
        assert restored.expired_at is None

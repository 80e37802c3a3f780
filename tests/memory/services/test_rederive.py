"""What was read from a record's text follows the text; what people set by hand stays."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from accounts.models import AuditEvent, Membership
from accounts.principals import Principal
from memory.models import MemoryRecord
from memory.services.curate import edit_record
from memory.services.ingest import ingest_segment
from tests.memory.indexing import make_space, make_user
from tests.memory.talking import segment

pytestmark = pytest.mark.django_db
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def day(month: int, day: int) -> datetime:
    return datetime(2026, month, day, tzinfo=UTC)


@pytest.fixture
def alice() -> Principal:
    user, space = make_user("alice"), make_space("space-a")
    return Principal(user.id, "Alice", "alice", "UTC", space.id, space.slug, Membership.Role.EDITOR)


def remember(alice: Principal, *texts: str) -> MemoryRecord:
    """The first record of what Alice and Bob said."""
    said = segment(*(("Alice" if n == 0 else "Bob", text) for n, text in enumerate(texts)))
    done = ingest_segment(
        space_id=alice.space_id,
        private_to=None,
        session_id=said.turns[0].session_id,
        segment_id=uuid4(),
        segment=said,
        now=JUNE,
    )
    record: MemoryRecord = MemoryRecord.objects.for_space(alice.space_id).get(id=done.record_ids[0])
    return record


def correct(alice: Principal, record: MemoryRecord, text: str, **changes: object) -> MemoryRecord:
    return edit_record(alice, record.id, {"semantic_text": text, **changes})


def times(record: MemoryRecord) -> tuple[datetime | None, ...]:
    return record.time_ref, record.valid_from, record.valid_to


@pytest.fixture
def trip(alice: Principal) -> MemoryRecord:
    record = remember(alice, "I flew to Porto on 3 March 2026 with Carla.")
    assert times(record) == (day(3, 3), day(3, 3), day(3, 4))
    assert {"Porto", "Carla"} <= set(record.entities)
    return record


def test_another_date_in_the_text_is_the_records_date(alice, trip):
    edited = correct(alice, trip, "Alice flew to Porto on 5 April 2026 with Carla.")
    assert times(edited) == (day(4, 5), day(4, 5), day(4, 6))


def test_a_date_that_the_text_no_longer_holds_is_gone(alice, trip):
    assert times(correct(alice, trip, "Alice flew to Porto with Carla.")) == (None, None, None)


def test_relative_words_are_read_as_of_when_it_was_said(alice):
    record = remember(alice, "I like tea.")
    moved = correct(alice, record, "Alice drank tea yesterday.")
    assert moved.time_ref is not None
    assert (record.said_at.date() - moved.time_ref.date()).days == 1


def test_a_slip_of_the_pen_changes_no_date(alice, trip):
    MemoryRecord.objects.for_space(alice.space_id).update(valid_to=day(3, 9))  # as a model knew it
    edited = correct(alice, trip, "Alice flew to Porto on 3 March 2026 with Carla!")
    assert times(edited) == (day(3, 3), day(3, 3), day(3, 9))


def test_dates_that_no_text_told_stay(alice):
    record = remember(alice, "I like tea.")
    MemoryRecord.objects.for_space(alice.space_id).update(time_ref=JUNE)
    assert correct(alice, record, "Alice likes green tea.").time_ref == JUNE


@pytest.mark.parametrize("is_before", [True, False])
def test_a_validity_set_by_hand_stays_in_this_edit_and_in_later_ones(alice, trip, is_before):
    text = "Alice flew to Porto on 5 April 2026."
    if is_before:
        edit_record(alice, trip.id, {"valid_from": JUNE, "valid_to": None})
        edited = correct(alice, trip, text)
    else:
        edited = correct(alice, trip, text, valid_from=JUNE, valid_to=None)
    assert times(edited) == (day(4, 5), JUNE, None)


def test_names_and_topics_come_and_go_with_the_text(alice, trip):
    MemoryRecord.objects.for_space(alice.space_id).update(topics=["travel", "porto"])
    edited = correct(alice, trip, "Alice flew to Madrid on 3 March 2026 with Carla.")
    assert {"Carla", "Madrid"} <= set(edited.entities)
    assert "Porto" not in edited.entities
    assert "travel" in edited.topics, "no text ever held it"
    assert "porto" not in edited.topics


def test_names_and_topics_set_by_hand_stay(alice, trip):
    edit_record(alice, trip.id, {"entities": ["Porto"]})
    edited = correct(alice, trip, "Alice flew to Madrid.", topics=["flights"])
    assert (edited.entities, edited.topics) == (["Porto"], ["flights"])


def test_whom_it_is_about_follows_where_the_text_says_so(alice):
    record = remember(alice, "I like tea.", "I like coffee.")
    assert correct(alice, record, "Bob likes tea.").subject == "Bob"
    assert correct(alice, record, "Somebody likes tea.").subject == ""


def test_a_name_that_begins_like_an_indefinite_word_is_a_name(alice):
    record = remember(alice, "I like tea.", "I like coffee.")
    before = record.subject
    assert correct(alice, record, "Manuela likes tea.").subject == before


def test_a_subject_that_the_text_never_named_stays(alice):
    record = remember(alice, "I like tea.")
    MemoryRecord.objects.for_space(alice.space_id).update(subject="The household")
    assert correct(alice, record, "Alice likes green tea.").subject == "The household"


def test_what_followed_is_told_apart_from_what_the_person_did(alice, trip):
    correct(alice, trip, "Alice flew to Porto with Carla.")
    events = {event.action: event.fields for event in AuditEvent.objects.filter(object_id=trip.id)}
    assert events["record.edited"] == ["semantic_text"]
    assert {"time_ref", "valid_from", "valid_to"} <= set(events["record.adapted"])


def test_without_another_text_nothing_follows(alice, trip):
    edited = edit_record(alice, trip.id, {"memory_type": "fact"})
    assert times(edited) == times(trip)
    assert edited.entities == trip.entities

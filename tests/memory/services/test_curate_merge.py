"""Several records become one, and nothing they rest on is lost."""

from uuid import UUID, uuid4

import pytest

from accounts.errors import Conflict, Forbidden, InvalidInput, NotFound
from accounts.models import AuditEvent
from memory.domain.types import Kind
from memory.models import IndexedItem
from memory.services.curate import expire_record
from memory.services.curate_merge import MAX_MERGED, merge_records
from memory.services.curate_state import pin_record, restore_record
from tests.memory.curating import principal, remember, statements, trail
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(space):
    return remember(space, "I live in Paris."), remember(space, "I have lived in Paris since May.")


def turns_of(record) -> set[UUID]:
    return set(record.evidence.values_list("turn_id", flat=True))


def test_the_kept_record_gains_what_the_other_rests_on_and_keeps_its_wording(space, alice, pair):
    kept, other = pair
    wanted = turns_of(kept) | turns_of(other)
    merged = merge_records(alice, kept.id, [other.id])
    assert merged.semantic_text == kept.semantic_text
    assert turns_of(merged) == wanted
    assert len(wanted) == merged.seen_count == 2
    assert set(merged.entities) >= set(other.entities)
    assert merged.edited_at is not None
    assert statements(space) == {kept.semantic_text}


def test_the_other_is_expired_with_its_reason_and_not_found_any_more(space, alice, pair):
    kept, other = pair
    merge_records(alice, kept.id, [other.id])
    other.refresh_from_db()
    assert other.expired_reason == f"merged_into:{kept.id}"
    assert not IndexedItem.objects.filter(kind=Kind.RECORD, uid=other.id).exists()
    assert (trail(kept), trail(other)) == (["record.merged"], ["record.expired"])
    (event,) = AuditEvent.objects.filter(object_id=kept.id)
    assert event.changes["merged"] == [[], [str(other.id)]]


def test_a_merge_sent_again_changes_nothing(alice, pair):
    kept, other = pair
    first = merge_records(alice, kept.id, [other.id], version=1)
    again = merge_records(alice, kept.id, [other.id, other.id], version=1)
    assert (first.version, again.version, AuditEvent.objects.count()) == (2, 2, 2)


def test_what_was_merged_can_be_restored_with_its_own_evidence(alice, pair):
    kept, other = pair
    own = turns_of(other)
    merge_records(alice, kept.id, [other.id])
    assert turns_of(restore_record(alice, other.id)) == own != set()


def test_a_pinned_one_makes_the_kept_one_pinned(alice, pair):
    kept, other = pair
    pin_record(alice, other.id)
    assert merge_records(alice, kept.id, [other.id]).is_pinned


def test_shared_turns_are_linked_once(space, alice, pair):
    kept, other = pair
    merge_records(alice, kept.id, [other.id])
    third = remember(space, "I really love Paris and I live there.")
    merge_records(alice, third.id, [kept.id])
    assert third.evidence.count() == len(turns_of(third)) == 3


def test_an_expired_one_conflicts(alice, pair):
    kept, other = pair
    expire_record(alice, other.id)
    for first, second in ((kept, other), (other, kept)):
        with pytest.raises(Conflict) as raised:
            merge_records(alice, first.id, [second.id])
        assert raised.value.error_code == "expired"


def test_a_private_memory_never_flows_into_a_shared_one(space, alice, pair):
    secret = remember(space, "I dream of Rome.", owner=alice.user_id)
    for first, second in ((pair[0], secret), (secret, pair[0])):
        with pytest.raises(Conflict) as raised:
            merge_records(alice, first.id, [second.id])
        assert raised.value.error_code == "other_audience"
    assert AuditEvent.objects.count() == 0


def test_another_version_of_the_kept_one_conflicts(alice, pair):
    kept, other = pair
    pin_record(alice, kept.id)
    with pytest.raises(Conflict):
        merge_records(alice, kept.id, [other.id], version=1)
    other.refresh_from_db()
    assert other.expired_at is None


@pytest.mark.parametrize("count", [0, MAX_MERGED + 1])
def test_so_many_others_are_named(space, alice, count):
    record = remember(space)
    with pytest.raises(InvalidInput) as raised:
        merge_records(alice, record.id, [uuid4() for _ in range(count)])
    assert [error.pointer for error in raised.value.errors] == ["/record_ids"]


def test_a_record_is_not_merged_into_itself(space, alice):
    record = remember(space)
    with pytest.raises(InvalidInput):
        merge_records(alice, record.id, [record.id])


def test_viewers_strangers_and_the_missing(space, alice, vera, pair):
    kept, other = pair
    with pytest.raises(Forbidden):
        merge_records(vera, kept.id, [other.id])
    foreign = remember(make_space("space-b"))
    private = remember(space, "I dream of Rome.", owner=principal(make_user("bob"), space).user_id)
    for record_id in (foreign.id, private.id, uuid4()):
        with pytest.raises(NotFound):
            merge_records(alice, kept.id, [record_id])
        with pytest.raises(NotFound):
            merge_records(alice, record_id, [kept.id])

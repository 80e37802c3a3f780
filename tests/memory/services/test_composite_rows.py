"""What a person corrects or takes away leaves no trace in the tree above it."""

import pytest

from accounts.models import Membership
from accounts.principals import Principal
from accounts.registries import set_wake
from memory.domain.types import Kind
from memory.models import CompositeRecord, IndexedItem, MemoryRecord, Posting
from memory.services.composite_rows import in_batches
from memory.services.curate import edit_record, expire_record
from memory.services.fuse import fuse_space
from memory.services.reindex import check_space, drain_outbox
from memory.tasks import fuse_records, sweep_fusions
from tests.memory.fusing import tree_of
from tests.memory.recalling import Memory

pytestmark = pytest.mark.django_db
DOGS = ("Alice has a dog.", "The puppy is called Rex.", "Her pet likes to bark.")


@pytest.fixture
def alice(memory: Memory) -> Principal:
    user = memory.user
    Membership.objects.create(space=memory.space, user=user, role=Membership.Role.OWNER)
    return Principal(
        user.id, user.username, "Alice", "UTC", memory.space.id, memory.space.slug, Membership.Role.OWNER
    )


@pytest.fixture
def dogs(memory: Memory) -> list[MemoryRecord]:
    rows = [memory.learn(text, confidence=0.9 - place / 10) for place, text in enumerate(DOGS)]
    fuse_space(memory.space.id)
    assert tree_of(memory.space.id) == {frozenset(DOGS)}
    return rows


def texts_above(memory: Memory) -> list[str]:
    return list(CompositeRecord.objects.for_space(memory.space.id).values_list("semantic_text", flat=True))


def test_an_expired_leaf_takes_its_composite_along_at_once(memory: Memory, alice, dogs):
    expire_record(alice, dogs[0].id)
    assert texts_above(memory) == []
    assert not IndexedItem.objects.filter(kind=Kind.COMPOSITE).exists()
    assert not Posting.objects.filter(scope__kind=Kind.COMPOSITE).exists()
    fuse_space(memory.space.id)
    assert tree_of(memory.space.id) == {frozenset(DOGS[1:])}
    assert texts_above(memory) == [DOGS[1]]


def test_a_corrected_leaf_leaves_nothing_of_its_old_words(memory: Memory, alice, dogs):
    edit_record(alice, dogs[0].id, {"semantic_text": "Alice has a puppy."})
    assert texts_above(memory) == []
    fuse_space(memory.space.id)
    assert texts_above(memory) == ["Alice has a puppy."]
    drain_outbox(memory.space.id)
    assert check_space(memory.space.id).total == 0


def test_a_leaf_whose_meaning_changed_leaves_the_group(memory: Memory, alice, dogs):
    edit_record(alice, dogs[0].id, {"semantic_text": "Alice drinks tea."})
    fuse_space(memory.space.id)
    assert tree_of(memory.space.id) == {frozenset(DOGS[1:])}


def test_workers_are_woken_and_the_sweep_is_the_net_under_them(
    memory: Memory, alice, dogs, django_capture_on_commit_callbacks
):
    woken: list[str] = []
    set_wake(lambda kind, space_id: woken.append(kind))
    try:
        with django_capture_on_commit_callbacks(execute=True):
            expire_record(alice, dogs[0].id)
    finally:
        set_wake(None)
    assert "fuse" in woken
    assert sweep_fusions() == 1
    assert tree_of(memory.space.id) == {frozenset(DOGS[1:])}
    assert sweep_fusions() == fuse_records(str(memory.space.id)) == 0


def test_correcting_a_superseded_record_keeps_it_in_history(memory: Memory, alice):
    paris = memory.learn("Alice lives in Paris.", slot="residence", value="Paris")
    memory.learn("Alice lives in Berlin.", slot="residence", value="Berlin")
    fuse_space(memory.space.id)
    edit_record(alice, paris.id, {"semantic_text": "Alice lives in Paris, near the river."})
    fuse_space(memory.space.id)
    paris.refresh_from_db()
    assert paris.superseded_by_id is not None
    edit_record(alice, paris.id, {"semantic_text": "Alice likes rivers."})
    rows = MemoryRecord.objects.for_space(memory.space.id).filter(id=paris.id)
    names = ("slot", "superseded_by_id", "superseded_at", "valid_to")
    assert rows.values_list(*names).get() == ("", None, None, None)


def test_batches_hold_everything_once():
    assert [list(batch) for batch in in_batches(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert list(in_batches([], 2)) == []

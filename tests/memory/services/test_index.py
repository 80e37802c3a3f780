"""Indexing a row: words now, its vector owed, all or nothing with the row."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from accounts.models import Space
from accounts.registries import set_wake
from memory.domain.types import Kind
from memory.models import IndexedItem, IndexOutbox, IndexScope, Posting, RecordEvidence
from memory.services.index import index_items, record_items, turn_item, unindex_items
from tests.memory.indexing import make_item, make_record, make_space, make_turn


@pytest.fixture
def space(db: None) -> Space:
    return make_space("space-a")


@pytest.fixture
def woken() -> list[tuple[str, UUID]]:
    calls: list[tuple[str, UUID]] = []
    set_wake(lambda kind, space_id: calls.append((kind, space_id)))
    yield calls
    set_wake(None)


def test_an_indexed_item_has_its_words_and_owes_its_vector(space: Space):
    item = make_item(space, "cello and dog")
    index_items([item])
    row = IndexedItem.objects.get(uid=item.id)
    assert (row.kind, row.length, row.seq, row.position) == ("turn", 2, None, 0)
    assert set(Posting.objects.values_list("term", "item")) == {("cello", row.id), ("dog", row.id)}
    assert IndexOutbox.objects.values_list("kind", "uid", "item").get() == ("turn", item.id, row.id)


def test_indexing_again_replaces_the_words_and_owes_a_new_vector(space: Space):
    item = make_item(space, "cello")
    index_items([item])
    IndexedItem.objects.update(seq=7)
    index_items([replace(item, text="dog", position=3)])
    row = IndexedItem.objects.get()
    assert (row.seq, row.position) == (None, 3)
    assert [posting.term for posting in Posting.objects.all()] == ["dog"]
    assert IndexOutbox.objects.count() == 2


def test_unindexing_removes_the_words_and_queues_the_vectors_removal(space: Space):
    item = make_item(space, "cello")
    index_items([item])
    number = IndexedItem.objects.get().id
    IndexOutbox.objects.all().delete()
    unindex_items(space.id, Kind.TURN, [item.id, uuid4()])
    assert not IndexedItem.objects.exists()
    assert not Posting.objects.exists()
    assert IndexScope.objects.values_list("items", "total_length").get() == (0, 0)
    assert IndexOutbox.objects.values_list("uid", "item").get() == (item.id, number)


def test_nothing_to_do_touches_nothing(space: Space, django_assert_num_queries):
    with django_assert_num_queries(0):
        index_items([])
        unindex_items(space.id, Kind.TURN, [])


def test_items_of_two_spaces_and_kinds_may_come_together(space: Space):
    other = make_space("space-b")
    index_items([make_item(space, "a1"), make_item(other, "b1"), make_item(space, "c1", kind=Kind.RECORD)])
    places = set(IndexOutbox.objects.values_list("space_id", "kind"))
    assert places == {(space.id, "turn"), (other.id, "turn"), (space.id, "record")}


def test_the_drainer_is_woken_once_the_rows_are_there(
    space: Space, woken: list[tuple[str, UUID]], django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        index_items([make_item(space, "cello")])
        assert woken == []
    assert woken == [("index", space.id)]


@pytest.mark.django_db(transaction=True)
def test_a_row_that_is_rolled_back_leaves_no_words_and_wakes_nobody(woken: list[tuple[str, UUID]]):
    space = make_space("space-a")

    def write_and_fail() -> None:
        with transaction.atomic():
            index_items([make_item(space, "cello")])
            raise InterruptedError

    with pytest.raises(InterruptedError):
        write_and_fail()
    assert not Posting.objects.exists()
    assert not IndexOutbox.objects.exists()
    assert woken == []


def test_a_record_stands_at_its_first_evidence_turn(space: Space):
    cited, bare = make_record(space, "Alice plays the cello"), make_record(space, "Alice has a dog")
    for index in (7, 3, 9):
        RecordEvidence.everyone.create(
            space=space, record=cited, session_id=cited.session_id, turn_id=uuid4(), turn_index=index
        )
    items = record_items([cited, bare])
    assert [(item.id, item.position) for item in items] == [(cited.id, 3), (bare.id, 0)]
    assert items[0].text == "Alice plays the cello"
    assert items[0].speaker == "Alice"


def test_a_turn_stands_at_its_index_under_its_speaker(space: Space):
    turn = replace(make_turn(space, "I play the cello"), index=12)
    item = turn_item(turn)
    assert (item.kind, item.id, item.position, item.speaker) == (Kind.TURN, turn.id, 12, "Alice")
    assert item.text == "I play the cello"

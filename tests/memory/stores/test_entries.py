"""Index rows by number: what a recall reads of them."""

import pytest

from memory.domain.types import Kind
from memory.models import IndexedItem, IndexOutbox
from memory.ports import session_code
from memory.services.index import index_items
from memory.stores.entries import Entry, awaiting_of, entries_of, places_of
from tests.memory.indexing import make_item, make_space

pytestmark = pytest.mark.django_db


@pytest.fixture
def stored():
    space = make_space("a")
    item = make_item(space, "my two cats, two dogs")
    index_items([item])
    return space, item, IndexedItem.objects.get(uid=item.id).id


def test_an_entry_names_its_row_and_terms(stored):
    space, item, number = stored
    row = entries_of(space.id, [number, number + 1])[number]
    assert row.length == 4
    assert Entry.of(row) == Entry(number, item.id, "Alice", frozenset({"two", "cat", "dog"}))


def test_places_are_columns_of_those_that_exist(stored):
    space, item, number = stored
    items, sessions, positions = places_of(space.id, [number + 1, number])
    assert items.tolist() == [number]
    assert sessions.tolist() == [session_code(item.session_id)]
    assert positions.tolist() == [0]


def test_an_item_awaits_its_vector_while_it_is_queued(stored):
    space, _, number = stored
    assert awaiting_of(space.id, Kind.TURN).tolist() == [number]
    assert awaiting_of(space.id, Kind.RECORD).tolist() == []
    assert awaiting_of(make_space("b").id, Kind.TURN).tolist() == []
    IndexOutbox.objects.all().delete()
    assert awaiting_of(space.id, Kind.TURN).tolist() == []


def test_rows_of_another_space_and_no_rows_give_nothing(stored):
    _, _, number = stored
    other = make_space("b")
    assert entries_of(other.id, [number]) == {}
    assert [len(column) for column in places_of(other.id, [number])] == [0, 0, 0]
    assert entries_of(other.id, []) == {}


def test_more_than_one_statement_can_name_are_read(stored):
    space, _, number = stored
    assert list(entries_of(space.id, list(range(number, number + 1_700)))) == [number]

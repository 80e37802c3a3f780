"""The names a reader's memories know."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.services.index import index_items, unindex_items
from memory.stores.names import known_names
from tests.memory.indexing import make_item, make_space, make_user, reader_of

pytestmark = pytest.mark.django_db


def put(space, name, *, owner=None):
    from dataclasses import replace

    item = replace(make_item(space, "hello", owner=owner), speaker=name)
    index_items([item])
    return item


def test_each_is_named_once_and_the_nameless_are_not():
    space, user = make_space("a"), make_user("ann")
    for name in ("Ann", "Ben", "Ann", "", "小明"):
        put(space, name)
    assert sorted(known_names(reader_of(space, user))) == ["Ann", "Ben", "小明"]


def test_private_names_of_others_and_names_of_other_spaces_stay_unknown():
    space, ann, ben = make_space("a"), make_user("ann"), make_user("ben")
    put(space, "Ann")
    put(space, "Secret", owner=ben)
    put(make_space("b"), "Elsewhere")
    assert known_names(reader_of(space, ann)) == ["Ann"]
    assert sorted(known_names(reader_of(space, ben))) == ["Ann", "Secret"]


def test_a_name_goes_with_its_last_item():
    space, user = make_space("a"), make_user("ann")
    item = put(space, "Ann")
    unindex_items(space.id, item.kind, [item.id])
    assert known_names(reader_of(space, user)) == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL scans a table this small")
def test_they_are_read_by_steps_of_an_index_not_by_a_scan():
    space, user = make_space("a"), make_user("ann")
    put(space, "Ann")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        known_names(reader_of(space, user))
    sql = queries.captured_queries[-1]["sql"]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        plan = " ".join(row[-1] for row in cursor.fetchall())
    assert "item_by_speaker" in plan
    assert "SCAN memory_indexeditem" not in plan

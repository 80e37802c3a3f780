"""Records as a recall reads them: current, in the reader's sight, by key."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from memory.domain.types import MemoryType
from memory.models import RecordEvidence
from memory.stores import entries, live
from memory.stores.live import Fate, evidence_of, fates_of, record_rows
from sessions_app.stores import turns
from tests.memory.indexing import NOON, make_record, make_space, make_user, reader_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return make_space("a"), make_user("ann"), make_user("ben")


def link(record, *turn_ids):
    for index, turn_id in enumerate(turn_ids):
        RecordEvidence.everyone.create(
            space=record.space, record=record, session_id=uuid4(), turn_id=turn_id, turn_index=index
        )


def test_a_row_is_read_as_it_is_now(people):
    space, ann, _ = people
    record = make_record(space, "Ann lives in Berlin.")
    record.entities, record.valid_from, record.slot = ["Berlin"], NOON, "residence"
    record.expired_at = NOON + timedelta(days=1)
    record.save()
    (row,) = record_rows(reader_of(space, ann), [record.id])
    assert (row.id, row.semantic_text, row.slot) == (record.id, "Ann lives in Berlin.", "residence")
    assert (row.memory_type, row.entities, row.is_confirmed) == (MemoryType.FACT, ("Berlin",), True)
    assert (row.valid_from, row.valid_to, row.said_at) == (NOON, None, NOON)
    assert row.expired_at == NOON + timedelta(days=1)


def test_what_is_private_to_another_or_of_another_space_is_not_read(people):
    space, ann, ben = people
    shared, secret = make_record(space, "shared"), make_record(space, "secret", owner=ben)
    elsewhere = make_record(make_space("b"), "elsewhere")
    ids = [shared.id, secret.id, elsewhere.id, uuid4()]
    assert {row.semantic_text for row in record_rows(reader_of(space, ann), ids)} == {"shared"}
    assert {row.semantic_text for row in record_rows(reader_of(space, ben), ids)} == {"shared", "secret"}


def test_the_fates_of_turns_are_two_queries_by_their_ids(people, django_assert_num_queries):
    space, ann, ben = people
    gone, alive, secret = (
        make_record(space, text, owner=o) for text, o in (("1", None), ("2", None), ("3", ben))
    )
    gone.expired_at = NOON
    gone.save()
    both, one, none = uuid4(), uuid4(), uuid4()
    link(gone, both, one)
    link(alive, both)
    link(secret, one)
    with django_assert_num_queries(2):  # of their records, and of what was erased
        found = fates_of(reader_of(space, ann), [both, one, none])
    assert {turn: set(fates) for turn, fates in found.items()} == {
        both: {Fate(NOON), Fate()},
        one: {Fate(NOON)},
    }
    assert fates_of(reader_of(make_space("b"), ann), [both, one]) == {}
    assert fates_of(reader_of(space, ann), []) == {}


@pytest.mark.parametrize(("slot", "is_ended"), [("", True), ("employer", False)])
def test_a_value_is_ended_by_what_states_no_next_one(people, slot, is_ended):
    space, ann, _ = people
    old, later = make_record(space, "Ann works at Siemens."), make_record(space, "later")
    later.slot = slot
    later.save()
    old.slot, old.superseded_at, old.superseded_by = "employer", NOON, later
    old.save()
    turn = uuid4()
    link(old, turn)
    assert fates_of(reader_of(space, ann), [turn]) == {turn: (Fate(ended_at=NOON if is_ended else None),)}


def test_a_correction_rewords_the_turns_that_were_linked_before_it(people):
    space, ann, _ = people
    record = make_record(space, "Ann lives in Berlin.")
    before, after = uuid4(), uuid4()
    link(record, before)
    record.corrected_at = timezone.now()
    record.save()
    link(record, after)
    found = fates_of(reader_of(space, ann), [before, after])
    assert found == {before: (Fate(None, record.corrected_at),), after: (Fate(),)}


def test_evidence_comes_in_the_order_in_which_it_was_linked(people):
    space, _, _ = people
    record, bare = make_record(space, "one"), make_record(space, "two")
    first, second = uuid4(), uuid4()
    link(record, first, second)
    assert evidence_of(space.id, [record.id, bare.id]) == {record.id: (first, second)}
    assert evidence_of(make_space("b").id, [record.id]) == {}


def test_nothing_asked_is_nothing_read(people, django_assert_num_queries):
    space, ann, _ = people
    with django_assert_num_queries(0):
        assert record_rows(reader_of(space, ann), []) == []
        assert evidence_of(space.id, []) == {}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's planner is what may go astray")
@pytest.mark.parametrize(
    ("sql", "table"),
    [
        (live._RECORDS, "memory_memoryrecord"),
        (live._EVIDENCE, "memory_recordevidence"),
        (entries._ENTRIES, "memory_indexeditem"),
        (entries._PLACES, "memory_indexeditem"),
        (turns._CURRENT, "t"),
        (turns._NEIGHBOURS, "c"),
    ],
)
def test_rows_are_found_by_their_ids_not_by_a_walk_through_the_space(sql, table):
    sql = sql.format(", ".join(["%s"] * 24))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", ["x"] * sql.count("%s"))
        steps = [row[-1] for row in cursor.fetchall()]
    (search,) = [step for step in steps if step.startswith(f"SEARCH {table} ")]
    assert "space_id=" not in search
    assert not any(step.startswith("SCAN") for step in steps)

"""A posting's weight: length and frequency in one number. Writers side by side."""

import threading
from dataclasses import replace

import pytest
from django.db import connections, transaction

from memory.domain.text import index_terms
from memory.domain.types import IndexItem, Kind
from memory.models import IndexedItem, IndexScope, Posting
from memory.stores.posting_rows import MAX_FREQUENCY, MAX_LENGTH, pack_weight, write_entries
from tests.memory.indexing import make_item, make_space

WAIT_SECONDS = 30


@pytest.mark.parametrize(("frequency", "length"), [(1, 1), (3, 40), (255, 65_535)])
def test_both_parts_come_out_as_they_went_in(frequency: int, length: int):
    weight = pack_weight(frequency, length)
    assert (weight & MAX_FREQUENCY, weight >> 8 & MAX_LENGTH) == (frequency, length)


def test_parts_beyond_their_bits_saturate_and_leave_each_other_alone():
    assert pack_weight(100_000, 7) == 7 << 8 | MAX_FREQUENCY
    assert pack_weight(1, 10**9) == MAX_LENGTH << 8 | 1


def side_by_side(*works):
    """Carry out each in a thread and transaction of its own, beginning together; what they raised."""
    start = threading.Barrier(len(works))
    raised = []

    def run(work):
        start.wait(WAIT_SECONDS)
        try:
            with transaction.atomic():
                work()
        except Exception as error:
            raised.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    return raised


def write(item: IndexItem):
    write_entries(item.space_id, item.kind, [item])


@pytest.mark.django_db(transaction=True)
def test_two_who_write_one_item_leave_the_postings_and_the_sums_of_one():
    space = make_space("a")
    item = make_item(space, "first words")
    write(item)
    for n in range(8):
        texts = [f"left{n} one two", f"right{n} three four five"]
        assert side_by_side(*[lambda t=text: write(replace(item, text=t)) for text in texts]) == []
        entry, scope = IndexedItem.objects.get(), IndexScope.objects.get()
        assert (scope.items, scope.total_length) == (1, entry.length)
        assert set(Posting.objects.values_list("term", flat=True)) == set(entry.terms.split())
        assert set(entry.terms.split()) in [set(index_terms(text)) for text in texts]


@pytest.mark.django_db(transaction=True)
def test_two_who_write_the_same_kinds_in_another_order_do_not_wait_for_each_other():
    space = make_space("a")
    turn, record = make_item(space, "a turn"), make_item(space, "a record", kind=Kind.RECORD)
    write(turn)
    write(record)

    def both(*items):
        for item in items:
            write(item)

    for _ in range(8):
        assert side_by_side(lambda: both(turn, record), lambda: both(record, turn)) == []
    assert list(IndexScope.objects.values_list("items", flat=True)) == [1, 1]

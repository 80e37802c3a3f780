"""However records come, and however often they are fused, the picture is the same."""

from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.domain.types import Kind, MemoryType
from memory.models import CompositeRecord, MemoryRecord
from memory.services.composite_rows import withdraw_records
from memory.services.drain import drain_outbox
from memory.services.fuse import fuse_fully, fuse_space
from memory.services.index import index_items, record_items, unindex_items
from memory.services.reindex import check_space
from tests.memory.fusing import tree_of
from tests.memory.indexing import NOON, make_space
from tests.memory.services.conftest import Indexes

pytestmark = pytest.mark.django_db
WORDS = ("abba", "abab", "baab", "cede", "deed", "ceed", "fig", "gif", "fog", "hill", "lihl")
RECORDS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        st.sampled_from(["Alice", "Ben"]),
        st.sampled_from([(), ("rex",)]),
    ),
    min_size=2,
    max_size=14,
)


def learn(space, drawn) -> list[MemoryRecord]:
    rows = [
        MemoryRecord(
            space=space, memory_type=MemoryType.FACT, semantic_text=f"{' '.join(text)} {number}",
            normalized_text="", subject=subject, entities=list(entities), learned_at=NOON,
            said_at=NOON + timedelta(minutes=number), content_hash=str(number), session_id=UUID(int=1),
        )
        for number, (text, subject, entities) in enumerate(drawn)
    ]  # fmt: skip
    MemoryRecord.objects.for_space(space.id).bulk_create(rows)
    return rows


def pictures(space) -> tuple[object, object]:
    """The tree, and what each composite says of its records."""
    rows = CompositeRecord.objects.for_space(space.id)
    names = ("level", "semantic_text", "leaf_count", "subjects", "entities", "said_at", "centroid")
    return tree_of(space.id), sorted(str(values) for values in rows.values_list(*names))


def fuse_in_turn(space, rows, cuts) -> None:
    """Some of the rows, then some more; those to come are kept out as expired."""
    stored = MemoryRecord.objects.for_space(space.id)
    stored.update(expired_at=NOON)
    for start, end in pairwise([0, *sorted(cut % (len(rows) + 1) for cut in cuts), len(rows)]):
        index_items(record_items(rows[start:end]))
        stored.filter(id__in=[row.id for row in rows[start:end]]).update(expired_at=None)
        fuse_space(space.id)


@contextmanager
def fresh_space(name: str):
    space = make_space(name)
    try:
        yield space
    finally:
        space.delete()


def in_full(space) -> None:
    fuse_fully(space.id, lambda stage, done, total: None)


RELAXED = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(RECORDS, st.lists(st.integers(0, 20), max_size=4), st.randoms())
@RELAXED
def test_one_by_one_in_any_order_gives_what_all_at_once_gives(indexes: Indexes, drawn, cuts, random):
    with fresh_space("grown") as space:
        rows = learn(space, drawn)
        fuse_in_turn(space, random.sample(rows, len(rows)), cuts)
        grown = pictures(space)
        in_full(space)
        assert pictures(space) == grown
        CompositeRecord.objects.for_space(space.id).delete()
        in_full(space)
        assert pictures(space) == grown


@given(RECORDS, st.sets(st.integers(0, 13), max_size=5))
@RELAXED
def test_what_is_taken_out_leaves_what_would_be_there_without_it(indexes: Indexes, drawn, places):
    with fresh_space("shrunk") as space:
        rows = learn(space, drawn)
        index_items(record_items(rows))
        fuse_space(space.id)
        gone = [row for place, row in enumerate(rows) if place in places]
        for row in gone:
            unindex_items(space.id, Kind.RECORD, [row.id])
            MemoryRecord.objects.for_space(space.id).filter(id=row.id).update(expired_at=NOON)
            withdraw_records(space.id, [row.id])
        told = " ".join(CompositeRecord.objects.for_space(space.id).values_list("semantic_text", flat=True))
        assert not any(row.semantic_text in told for row in gone)
        fuse_space(space.id)
        shrunk = pictures(space)
        CompositeRecord.objects.for_space(space.id).delete()
        in_full(space)
        assert pictures(space) == shrunk


def test_levels_are_stacked_and_every_index_holds_them(indexes: Indexes):
    space = make_space("stacked")
    rows = learn(space, [(["abba"] * (1 + n % 3) + ["cede"] * (n // 20), "Alice", ()) for n in range(70)])
    index_items(record_items(rows))
    fuse_space(space.id)
    levels = set(CompositeRecord.objects.for_space(space.id).values_list("level", flat=True))
    assert levels >= {1, 2}
    assert max(levels) <= 4
    drain_outbox(space.id)
    assert check_space(space.id).total == 0

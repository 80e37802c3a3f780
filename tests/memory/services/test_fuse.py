"""Records become one picture: incrementally as in full, at once as one after the other."""

import threading
from datetime import timedelta

import pytest
from django.db import connections

from accounts.models import Space
from memory.domain.types import Kind, MemoryType, Role, Turn
from memory.errors import ProviderUnavailable
from memory.models import (
    CompositeLink,
    CompositeRecord,
    IndexedItem,
    IndexState,
    MemoryRecord,
    Posting,
    RecordEvidence,
)
from memory.services import fuse
from memory.services.composite_rows import CONFIG, make_due, withdraw_records
from memory.services.curate import edit_record
from memory.services.fuse import Fused, fuse_fully, fuse_space
from memory.services.fuse_tree import grow_level
from memory.services.lease import claim_fusion
from memory.services.record_rows import build_evidence
from memory.services.reindex import check_space, rebuild_space
from tests.memory.curating import principal
from tests.memory.fusing import current_texts, tree_of
from tests.memory.indexing import make_space, make_user
from tests.memory.recalling import MONDAY, Memory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
NEXT = MONDAY + DAY
DOGS = ("Alice has a dog.", "The puppy is called Rex.", "Her pet likes to bark.")


def in_full(space: Space) -> Fused:
    return fuse_fully(space.id, lambda stage, done, total: None)


def residence(memory: Memory, city: str, day: int, *turns, **fields) -> MemoryRecord:
    said_at = MONDAY + day * DAY
    return memory.learn(
        f"Alice lives in {city}.",
        *turns,
        slot="residence",
        value=city,
        said_at=said_at,
        learned_at=said_at,
        **fields,
    )


def said_again(memory: Memory, turn: Turn) -> bool:
    """Add the turn to the current record that says the same, if there is one, as ingest does."""
    rows = MemoryRecord.objects.for_space(memory.space.id).filter(expired_at=None, superseded_at=None)
    row = next((row for row in rows if row.value in turn.text), None)
    if row is not None:
        (link,) = build_evidence(row, [turn], None)
        link.save()
        row.said_at = min(row.said_at, turn.said_at)
        row.save()
        make_due(memory.space.id, [row.id])
    return row is not None


def reload(row: MemoryRecord) -> MemoryRecord:
    row.refresh_from_db()
    return row


class TestTheTree:
    def test_what_is_alike_and_about_one_person_stands_under_one_composite(self, memory: Memory):
        for text in (*DOGS, "Alice drinks tea.", "Alice is tired."):
            memory.learn(text)
        assert fuse_space(memory.space.id).composites == 1
        assert tree_of(memory.space.id) == {frozenset(DOGS)}

    def test_a_composite_bears_the_surest_then_newest_text_and_all_names(self, memory: Memory):
        memory.learn(DOGS[0], confidence=0.9, entities=["Rex"], said_at=MONDAY)
        memory.learn(
            DOGS[1], confidence=0.9, entities=["rex", "Porto"], said_at=MONDAY + DAY, topics=["pets"]
        )
        memory.learn(DOGS[2], confidence=0.5, said_at=MONDAY + 2 * DAY, tags={"tool_tags": ["vet"]})
        fuse_space(memory.space.id)
        row = CompositeRecord.objects.for_space(memory.space.id).get()
        assert (row.semantic_text, row.level, row.leaf_count) == (DOGS[1], 1, 3)
        assert (row.entities, row.topics, row.tags) == (["Rex", "Porto"], ["pets"], {"tool_tags": ["vet"]})
        assert (row.subjects, row.said_at) == (["Alice"], MONDAY + 2 * DAY)

    def test_strangers_without_a_common_thing_stay_apart(self, memory: Memory):
        memory.learn("Alice has a dog.")
        memory.learn("Ben has a puppy.", subject="Ben")
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == set()

    def test_a_common_entity_or_topic_joins_two_people(self, memory: Memory):
        memory.learn("Alice has a dog.", entities=["Rex"])
        memory.learn("Ben has a puppy.", subject="Ben", entities=["rex"])
        fuse_space(memory.space.id)
        assert len(tree_of(memory.space.id)) == 1

    @pytest.mark.parametrize(
        "fields",
        [
            {"source_role": Role.ASSISTANT, "is_confirmed": False},
            {"is_suspicious": True},
            {"expired_at": MONDAY},
        ],
        ids=["said by the assistant alone", "an order to a model", "expired"],
    )
    def test_what_is_not_trusted_takes_no_part(self, memory: Memory, fields):
        memory.learn("Alice has a dog.")
        memory.learn("Alice has a puppy.", **fields)
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == set()
        assert not fuse._audiences(memory.space.id, fuse._due_records(memory.space.id))

    def test_a_new_record_joins_the_composite_there_is(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        fuse_space(memory.space.id)
        before = CompositeRecord.objects.for_space(memory.space.id).get()
        memory.learn("Rex is a good dog.")
        assert fuse_space(memory.space.id).composites == 1
        after = CompositeRecord.objects.for_space(memory.space.id).get()
        assert (after.id, after.version, after.leaf_count) == (before.id, before.version + 1, 4)

    def test_what_a_new_record_does_not_touch_is_not_written(self, memory: Memory):
        for text in (*DOGS, "Alice drinks tea.", "Alice likes coffee."):
            memory.learn(text)
        fuse_space(memory.space.id)
        before = dict(CompositeRecord.objects.for_space(memory.space.id).values_list("id", "updated_at"))
        memory.learn("Alice has a cup.")
        assert fuse_space(memory.space.id).composites == 1
        after = dict(CompositeRecord.objects.for_space(memory.space.id).values_list("id", "updated_at"))
        assert sum(before[id_] != after[id_] for id_ in before) == 1

    def test_fusing_again_changes_nothing(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        fuse_space(memory.space.id)
        assert fuse_space(memory.space.id) == in_full(memory.space) == Fused()


class TestSharedAndPrivate:
    def test_only_what_the_same_people_see_is_fused(self, memory: Memory):
        ben = make_user("ben")
        for owner in (None, memory.user, ben):
            for text in DOGS[:2]:
                memory.learn(text, owner=owner)
        fuse_space(memory.space.id)
        rows = CompositeRecord.objects.for_space(memory.space.id)
        assert {row.private_to for row in rows} == {None, memory.user, ben}
        for link in CompositeLink.objects.for_space(memory.space.id).select_related("record", "parent"):
            assert link.private_to_id == link.record.private_to_id == link.parent.private_to_id

    def test_a_private_value_supersedes_no_shared_one(self, memory: Memory):
        shared = residence(memory, "Paris", 0)
        private = residence(memory, "Berlin", 1, owner=memory.user)
        fuse_space(memory.space.id)
        assert reload(shared).superseded_by_id is None
        assert reload(private).superseded_by_id is None

    def test_a_private_duplicate_of_a_shared_statement_stays(self, memory: Memory):
        memory.learn("Alice has a dog.")
        memory.learn("Alice has a dog named Rex.", owner=memory.user)
        assert fuse_space(memory.space.id).duplicates == 0

    def test_another_space_is_left_alone(self, memory: Memory):
        other = Memory(make_space("space-b"), memory.user, memory.shelf)
        for each in (memory, other):
            for text in DOGS:
                each.learn(text)
        fuse_space(memory.space.id)
        assert tree_of(other.space.id) == set()
        assert MemoryRecord.objects.for_space(other.space.id).filter(fusion_due=0).count() == 0
        fuse_space(other.space.id)
        assert tree_of(other.space.id) == {frozenset(DOGS)}
        links = CompositeLink.objects.for_space(other.space.id).select_related("record")
        assert {link.record.space_id for link in links} == {other.space.id}


class TestDuplicates:
    def test_the_fuller_is_kept_with_what_both_rest_on(self, memory: Memory):
        turns = memory.say(("Alice", "I have a dog."), ("Alice", "I have a dog named Rex."))
        less = memory.learn("Alice has a dog.", turns[0])
        more = memory.learn("Alice has a dog named Rex.", turns[1], seen_count=2)
        assert fuse_space(memory.space.id).duplicates == 1
        less, more = reload(less), reload(more)
        assert less.expired_reason == f"duplicate_of:{more.id}"
        assert (more.expired_at, more.seen_count, more.said_at) == (None, 3, turns[0].said_at)
        links = RecordEvidence.objects.for_space(memory.space.id)
        assert {(link.record_id, link.turn_id) for link in links} == {(more.id, turn.id) for turn in turns}
        assert not IndexedItem.objects.filter(uid=less.id).exists()

    def test_composites_over_the_one_that_goes_are_made_anew(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        fuse_space(memory.space.id)
        memory.learn("Alice has a dog named Rex.")
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == {frozenset({"Alice has a dog named Rex.", *DOGS[1:]})}

    @pytest.mark.parametrize(
        "fields",
        [
            {"memory_type": MemoryType.PREFERENCE},
            {"subject": "Ben", "entities": ["Rex"]},
            {"time_ref": MONDAY},
            {"is_confirmed": False},
        ],
        ids=["type", "subject", "time", "confirmation"],
    )
    def test_what_differs_otherwise_is_no_duplicate(self, memory: Memory, fields):
        memory.learn("Alice has a dog.")
        memory.learn("Alice has a dog named Rex.", **fields)
        assert fuse_space(memory.space.id).duplicates == 0

    def test_events_of_two_days_are_two(self, memory: Memory):
        for day in (0, 7):
            memory.learn(
                f"Alice went home{' with Ben' * bool(day)}.",
                memory_type=MemoryType.EVENT,
                said_at=MONDAY + day * DAY,
            )
        assert fuse_space(memory.space.id).duplicates == 0

    def test_words_propose_where_there_is_no_vector(self, memory: Memory):
        for text in ("12 34", "12 34, 56"):
            memory.learn(text)
        assert fuse_space(memory.space.id) == Fused(duplicates=1)
        assert current_texts(memory.space.id) == ["12 34, 56"]

    def test_a_person_s_own_wording_never_goes(self, memory: Memory):
        memory.learn("Alice has a dog.", edited_at=MONDAY)
        memory.learn("Alice has a dog named Rex.")
        assert fuse_space(memory.space.id).duplicates == 0


class TestUpdates:
    def test_the_newer_value_supersedes_and_both_stay(self, memory: Memory):
        paris, berlin = residence(memory, "Paris", 0), residence(memory, "Berlin", 1)
        assert fuse_space(memory.space.id).superseded == 1
        paris = reload(paris)
        assert (paris.superseded_by_id, paris.valid_to) == (berlin.id, MONDAY + DAY)
        assert (paris.expired_at, paris.superseded_at) == (None, berlin.learned_at)
        assert reload(berlin).superseded_by_id is None

    def test_the_newer_value_supersedes_one_that_was_corrected(self, memory: Memory):
        paris, kiel = residence(memory, "Paris", 0), residence(memory, "Kiel", 1)
        alice = principal(memory.user, memory.space)
        edit_record(alice, paris.id, {"semantic_text": paris.semantic_text.replace("Paris", "Lyon")})
        assert reload(paris).value == "Lyon"
        fuse_space(memory.space.id)
        assert (reload(paris).superseded_by_id, reload(kiel).superseded_by_id) == (kiel.id, None)

    @pytest.mark.parametrize("days", [(0, 5, 9), (9, 5, 0), (5, 0, 9), (5, 9, 0), (9, 0, 5), (0, 9, 5)])
    def test_paris_berlin_paris_is_three_records_in_whatever_order(self, memory: Memory, days):
        city = {0: "Paris", 5: "Berlin", 9: "Paris"}
        for day in days:
            (turn,) = memory.say(("Alice", f"I live in {city[day]}."), at=MONDAY + day * DAY)
            said_again(memory, turn) or residence(memory, city[day], day, turn, content_hash=city[day])
            fuse_space(memory.space.id)
        rows = MemoryRecord.objects.for_space(memory.space.id).filter(expired_at=None).order_by("said_at")
        assert [(row.value, row.said_at, row.valid_to) for row in rows] == [
            ("Paris", MONDAY, MONDAY + 5 * DAY),
            ("Berlin", MONDAY + 5 * DAY, MONDAY + 9 * DAY),
            ("Paris", MONDAY + 9 * DAY, None),
        ]
        first, second, third = rows
        assert (first.superseded_by_id, second.superseded_by_id) == (second.id, third.id)

    def test_news_of_a_move_supersedes_what_was_said_before_it_was_told(self, memory: Memory):
        lisbon = residence(memory, "Lisbon", 10)
        porto = residence(memory, "Porto", 11, valid_from=MONDAY + 3 * DAY)
        fuse_space(memory.space.id)
        assert reload(lisbon).superseded_by_id == porto.id
        assert reload(lisbon).valid_to == MONDAY + 3 * DAY
        assert reload(porto).superseded_by_id is None

    def test_importing_an_old_chat_supersedes_nothing(self, memory: Memory):
        berlin, paris = residence(memory, "Berlin", 30), residence(memory, "Paris", 0)
        fuse_space(memory.space.id)
        assert reload(berlin).superseded_by_id is None
        assert reload(paris).superseded_by_id == berlin.id

    def test_from_when_it_holds_counts_before_when_it_was_said(self, memory: Memory):
        berlin = residence(memory, "Berlin", 0, valid_from=MONDAY - 10 * DAY)
        paris = residence(memory, "Paris", 1, valid_from=MONDAY - 300 * DAY)
        fuse_space(memory.space.id)
        assert reload(paris).superseded_by_id == berlin.id
        assert reload(paris).valid_to == MONDAY - 10 * DAY

    def test_what_had_ended_when_it_was_said_is_no_newer_value(self, memory: Memory):
        berlin = residence(memory, "Berlin", 0)
        rome = residence(memory, "Rome", 1, valid_to=MONDAY - 400 * DAY)
        assert fuse_space(memory.space.id).superseded == 0
        assert reload(berlin).superseded_by_id is None
        assert reload(rome).valid_to == MONDAY - 400 * DAY

    def test_likes_that_are_no_attribute_stand_side_by_side(self, memory: Memory):
        memory.learn("Alice likes Messi.", memory_type=MemoryType.PREFERENCE)
        memory.learn("Alice likes Ronaldo.", memory_type=MemoryType.PREFERENCE)
        assert fuse_space(memory.space.id).superseded == 0
        assert current_texts(memory.space.id) == ["Alice likes Messi.", "Alice likes Ronaldo."]

    def test_two_dogs_are_two(self, memory: Memory):
        for name in ("Rex", "Fido"):
            memory.learn(f"Alice's dog is called {name}.", slot="dog_name", value=name)
        assert fuse_space(memory.space.id).superseded == 0

    def test_when_the_newer_one_goes_the_older_holds_again(self, memory: Memory):
        paris = residence(memory, "Paris", 0, valid_to=MONDAY + 90 * DAY)
        berlin = residence(memory, "Berlin", 1)
        fuse_space(memory.space.id)
        assert reload(paris).valid_to == MONDAY + DAY
        memory.expire(berlin, MONDAY + 2 * DAY)
        withdraw_records(memory.space.id, [berlin.id])
        assert fuse_space(memory.space.id).superseded == 1
        paris = reload(paris)
        assert (paris.superseded_by_id, paris.superseded_at) == (None, None)
        assert (paris.valid_to, paris.stated_valid_to) == (MONDAY + 90 * DAY, None)

    def test_a_statement_that_holds_again_joins_the_same_one_said_since(self, memory: Memory):
        first = residence(memory, "Paris", 0, content_hash="paris")
        berlin = residence(memory, "Berlin", 5)
        fuse_space(memory.space.id)
        second = residence(memory, "Paris", 9, content_hash="paris")
        fuse_space(memory.space.id)
        memory.expire(berlin, MONDAY + 10 * DAY)
        withdraw_records(memory.space.id, [berlin.id])
        fuse_space(memory.space.id)
        assert current_texts(memory.space.id) == ["Alice lives in Paris."]
        gone, kept = sorted((reload(first), reload(second)), key=lambda row: row.expired_at is None)
        assert gone.expired_reason == f"duplicate_of:{kept.id}"
        assert kept.said_at == MONDAY

    def test_what_is_superseded_stands_under_no_composite(self, memory: Memory):
        residence(memory, "Paris", 0)
        memory.learn("Alice has a flat.")
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == {frozenset({"Alice lives in Paris.", "Alice has a flat."})}
        residence(memory, "Berlin", 1)
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == {frozenset({"Alice lives in Berlin.", "Alice has a flat."})}

    def test_slots_are_settled_though_the_embedder_fails(self, memory: Memory, monkeypatch):
        paris = residence(memory, "Paris", 0)
        berlin = residence(memory, "Berlin", 1)
        IndexedItem.objects.update(seq=None)
        monkeypatch.setattr(fuse, "drain_outbox", _unavailable)
        assert fuse_space(memory.space.id).superseded == 1
        assert reload(paris).superseded_by_id == berlin.id
        assert reload(berlin).fusion_due > 0


class TestIndexes:
    def test_composites_are_indexed_by_words_and_meaning(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        fuse_space(memory.space.id)
        row = CompositeRecord.objects.for_space(memory.space.id).get()
        entry = IndexedItem.objects.get(kind=Kind.COMPOSITE)
        assert (entry.uid, entry.seq is not None) == (row.id, True)
        assert check_space(memory.space.id).kinds[Kind.COMPOSITE].total == 0

    def test_recall_returns_records_and_turns_but_no_composite(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        fuse_space(memory.space.id)
        hits = memory.ask("Which dog does Alice have?").hits
        assert hits
        assert {hit.kind for hit in hits} == {Kind.RECORD}

    def test_an_index_of_another_embedder_leaves_the_records_due(self, memory: Memory):
        memory.learn(DOGS[0])
        IndexState.objects.update(embedder="another")
        assert fuse_space(memory.space.id) == Fused()
        assert MemoryRecord.objects.for_space(memory.space.id).get().fusion_due > 0


class TestLease:
    def test_a_consolidation_leaves_its_records_to_the_fusion_in_progress(self, memory: Memory):
        for text in DOGS:
            memory.learn(text)
        with claim_fusion(memory.space.id, CONFIG) as lease:
            assert lease is not None
            assert fuse_space(memory.space.id) == Fused()
            with pytest.raises(ProviderUnavailable):
                in_full(memory.space)
        assert fuse_space(memory.space.id).composites == 1

    def test_what_becomes_due_meanwhile_is_done_by_the_holder(self, memory: Memory, monkeypatch):
        memory.learn(DOGS[0])
        grow = grow_level

        def and_another(*args):
            monkeypatch.setattr(fuse, "grow_level", grow)
            memory.learn(DOGS[1])
            assert fuse_space(memory.space.id) == Fused()  # the lease is taken
            return grow(*args)

        monkeypatch.setattr(fuse, "grow_level", and_another)
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == {frozenset(DOGS[:2])}

    def test_a_holder_that_lost_its_lease_leaves_the_rest(self, memory: Memory, monkeypatch):
        memory.learn(DOGS[0])
        monkeypatch.setattr("memory.services.lease.Lease.renew", lambda self: False)
        with claim_fusion(memory.space.id, CONFIG) as lease:
            assert lease is not None
            assert fuse._fuse_held(memory.space.id, lease, CONFIG, fuse._silent) == Fused()
        assert MemoryRecord.objects.for_space(memory.space.id).get().fusion_due > 0


@pytest.mark.django_db(transaction=True)
def test_two_fusions_at_once_make_the_tree_of_one_after_the_other(memory: Memory):
    texts = (*DOGS, "Alice drinks tea.", "Alice likes coffee.", "Alice has a cup.")
    for day, text in enumerate(texts):
        memory.learn(text, said_at=MONDAY + day * DAY)
    residence(memory, "Paris", 0)
    residence(memory, "Berlin", 1)
    start, failures = threading.Barrier(4), []

    def fuse_at_once() -> None:
        try:
            start.wait()
            fuse_space(memory.space.id)
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=fuse_at_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    at_once = tree_of(memory.space.id)
    assert at_once == {frozenset(DOGS), frozenset(texts[3:])}
    assert in_full(memory.space).composites == 0
    assert tree_of(memory.space.id) == at_once


def test_rebuilding_the_index_makes_composites_findable_again(memory: Memory, indexes):
    for text in ("abba", "baba", "abab"):
        memory.learn(text)
    fuse_space(memory.space.id)
    assert len(tree_of(memory.space.id)) == 1
    terms = Posting.objects.count()
    rebuild_space(memory.space.id)
    assert Posting.objects.count() == terms
    assert check_space(memory.space.id).total == 0


def _unavailable(*args, **kwargs):
    raise ProviderUnavailable("down")

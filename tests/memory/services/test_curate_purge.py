"""What is erased leaves nothing behind, and comes back only when it is said anew."""

import json
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import serializers

from accounts.errors import NotFound
from accounts.models import AuditEvent, Tombstone
from memory.domain.types import Kind
from memory.models import (
    CompositeRecord,
    IndexedItem,
    MemoryRecord,
    RecordEvidence,
    RetrievalLog,
    SilencedTurn,
)
from memory.services.curate import edit_record, expire_record
from memory.services.curate_purge import purge_record
from memory.services.drain import drain_outbox
from memory.services.fuse import fuse_space
from tests.memory.curating import principal, remember, settle, statements, tell
from tests.memory.fusing import current_texts, tree_of
from tests.memory.indexing import make_user
from tests.memory.recalling import Memory, texts

pytestmark = pytest.mark.django_db
SECRET = "I collect zanzibarettas."


def every_row() -> str:
    """All that the database holds, as text."""
    return "".join(serializers.serialize("json", model._base_manager.all()) for model in apps.get_models())


def test_no_row_holds_a_word_of_it_any_more(space, alice):
    record = remember(space, SECRET)
    edit_record(alice, record.id, {"semantic_text": "Alice collects quixotembras.", "topics": ["quixotry"]})
    assert {word for word in ("zanzibaretta", "quixot") if word in every_row()} == {"zanzibaretta", "quixot"}
    purge_record(alice, record.id)
    assert {word for word in ("zanzibaretta", "quixot") if word in every_row()} == set()
    assert not MemoryRecord.objects.for_space(space.id).exists()
    assert not RecordEvidence.objects.for_space(space.id).exists()
    assert not IndexedItem.objects.filter(uid=record.id).exists()


def test_the_trail_keeps_who_and_when_and_a_keyed_hash(space, alice):
    record = remember(space, SECRET)
    edit_record(alice, record.id, {"subject": "Al"})
    purge_record(alice, record.id)
    purged, edited = AuditEvent.objects.filter(object_id=record.id)
    assert (purged.action, purged.user_id, purged.fields) == ("record.purged", alice.user_id, [])
    assert (edited.action, edited.fields, edited.changes) == ("record.edited", ["subject"], {})
    (stone,) = Tombstone.objects.for_space(space.id)
    assert (len(stone.digest), purged.digest) == (64, stone.digest)


def test_vectors_and_tokens_go_with_the_outbox(space, alice, indexes):
    record = remember(space, SECRET)
    drain_outbox(space.id)
    (item,) = IndexedItem.objects.filter(uid=record.id).values_list("id", flat=True)
    assert indexes.vectors.vectors(space.id, Kind.RECORD, [item])
    purge_record(alice, record.id)
    drain_outbox(space.id)
    assert not indexes.vectors.vectors(space.id, Kind.RECORD, [item])
    assert indexes.tokens.read(space.id, Kind.RECORD, [item]) == [None]


def test_erasing_twice_finds_nothing_the_second_time(space, alice):
    record = remember(space)
    purge_record(alice, record.id)
    with pytest.raises(NotFound):
        purge_record(alice, record.id)
    assert AuditEvent.objects.count() == Tombstone.objects.for_space(space.id).count() == 1


def test_an_expired_record_can_be_erased(space, alice):
    record = remember(space, SECRET)
    expire_record(alice, record.id, "zanzibarettas no more")
    purge_record(alice, record.id)
    assert "zanzibaretta" not in every_row()


class TestItsReturn:
    def test_encoding_the_segment_again_brings_nothing_back(self, space, alice):
        told = tell(space)
        purge_record(alice, told.file()[0].id)
        assert told.file() == []
        assert statements(space) == set()

    def test_nor_does_another_wording_of_the_same_turn(self, space, alice):
        told = tell(space)
        (record,) = told.file()
        edit_record(alice, record.id, {"semantic_text": "Alice: Paris."})
        purge_record(alice, record.id)
        assert told.file() == []

    def test_nor_an_older_turn_that_is_filed_only_now(self, space, alice):
        older = tell(space, "I live in Paris!")
        purge_record(alice, remember(space).id)
        assert older.file() == []

    def test_what_else_the_segment_tells_stays(self, space, alice):
        told = tell(space, "I live in Paris. I have a dog named Rex.")
        records = told.file()
        home = next(record for record in records if "Paris" in record.semantic_text)
        purge_record(alice, home.id)
        left = statements(space)
        told.file()
        assert statements(space) == left != set()

    def test_it_returns_once_it_is_said_anew(self, space, alice):
        told = tell(space)
        purge_record(alice, told.file()[0].id)
        (record,) = tell(space).file()
        assert record.semantic_text == "Alice lives in Paris."
        told.file()
        assert record.evidence.count() == 1  # the erased turn stays silent

    def test_a_correction_does_not_let_the_statement_before_it_return(self, space, alice):
        older = tell(space)
        record = remember(space)
        edit_record(alice, record.id, {"semantic_text": "Alice lives in Lyon."})
        purge_record(alice, record.id)
        assert older.file() == []

    def test_it_is_blocked_among_those_who_could_see_it_only(self, space, alice):
        bob = principal(make_user("bob"), space)
        shared = tell(space)
        purge_record(bob, remember(space, owner=bob.user_id).id)
        assert [record.semantic_text for record in shared.file()] == ["Alice lives in Paris."]


class TestRecall:
    def test_the_turn_it_rested_on_is_silent(self, memory: Memory):
        said = memory.say(("Alice", "my dog Rex drinks tea"))
        record = memory.learn("Alice's dog Rex drinks tea", *said)
        who = principal(memory.user, memory.space)
        assert memory.ask("What does the dog drink?").hits
        purge_record(who, record.id)
        drain_outbox(memory.space.id)
        assert texts(memory.ask("What does the dog drink?")) == []

    def test_even_to_who_asks_what_was_known_before(self, memory: Memory):
        said = memory.say(("Alice", "my dog Rex drinks tea"))
        record = memory.learn("Alice's dog Rex drinks tea", *said)
        known_at = memory.ask("dog?").hits[0].said_at
        purge_record(principal(memory.user, memory.space), record.id)
        drain_outbox(memory.space.id)
        assert texts(memory.ask("What does the dog drink?", known_at=known_at)) == []

    def test_so_it_is_where_another_record_rests_on_it_which_stays(self, memory: Memory):
        said = memory.say(("Alice", "my dog Rex drinks tea in Paris"))
        record = memory.learn("Alice's dog Rex drinks tea", *said)
        memory.learn("Alice lives in Paris", *said)
        assert texts(memory.ask("What does the dog drink?"))
        purge_record(principal(memory.user, memory.space), record.id)
        drain_outbox(memory.space.id)
        assert not any("tea" in text for text in texts(memory.ask("What does the dog drink?")))
        assert texts(memory.ask("Where does Alice live?")) == ["Alice lives in Paris"]
        assert SilencedTurn.objects.for_space(memory.space.id).count() == 1


class TestTheTree:
    def test_an_erased_leaf_leaves_no_trace_in_what_stood_over_it(self, memory: Memory):
        for text in ("Alice has a dog.", "The puppy is called Rex."):
            memory.learn(text)
        erased = memory.learn("Her pet likes to zanzibark.", confidence=0.99)
        fuse_space(memory.space.id)
        assert CompositeRecord.objects.for_space(memory.space.id).get().representative == erased
        purge_record(principal(memory.user, memory.space), erased.id)
        assert "zanzibark" not in every_row()
        fuse_space(memory.space.id)
        assert tree_of(memory.space.id) == {frozenset({"Alice has a dog.", "The puppy is called Rex."})}

    def test_when_the_newer_value_is_erased_the_older_holds_again(self, memory: Memory):
        older, newer = settle(memory, "Paris", 0), settle(memory, "Berlin", 9)
        fuse_space(memory.space.id)
        assert current_texts(memory.space.id) == [newer.semantic_text]
        purge_record(principal(memory.user, memory.space), newer.id)
        fuse_space(memory.space.id)
        assert current_texts(memory.space.id) == [older.semantic_text]


class TestLogs:
    def test_hits_keep_their_place_without_a_word(self, memory: Memory):
        first, second = (
            memory.learn(text, *memory.say(("Alice", f"{text} indeed")))
            for text in ("Alice's dog Rex barks", "Alice's puppy Zanzi barks")
        )
        recalled = memory.ask("Which dog or puppy barks?")
        places = [hit.id for hit in recalled.hits]
        RetrievalLog.objects.for_space(memory.space.id).update(
            kept_ids=[str(second.id), str(first.id)], response_excerpt="Zanzi [1]."
        )
        purge_record(principal(memory.user, memory.space), second.id)
        (log,) = RetrievalLog.objects.for_space(memory.space.id)
        assert [hit["kind"] == "erased" for hit in log.hits] == [each == second.id for each in places]
        assert (log.kept_ids, log.response_excerpt) == ([str(first.id)], "")
        assert second.semantic_text not in json.dumps([log.hits, log.dropped])

    def test_other_logs_are_left_as_they_are(self, memory: Memory):
        kept = memory.learn("Alice lives in Paris", *memory.say(("Alice", "I live in Paris")))
        memory.ask("Where does Alice live?")
        before = RetrievalLog.objects.for_space(memory.space.id).values("hits", "dropped").get()
        other = memory.learn("Alice has a job", *memory.say(("Alice", "I have a job"), session_id=uuid4()))
        purge_record(principal(memory.user, memory.space), other.id)
        assert RetrievalLog.objects.for_space(memory.space.id).values("hits", "dropped").get() == before
        assert kept.id

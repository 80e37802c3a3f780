"""The outbox becomes vectors: current state, any number of times, after any crash."""

from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest
from django.utils import timezone

from accounts.models import Space
from memory.config import IndexConfig
from memory.domain.types import Kind, Turn
from memory.errors import IndexMismatch, ProviderUnavailable
from memory.models import IndexedItem, IndexOutbox, IndexState, MemoryRecord
from memory.services.drain import await_vectors, drain_outbox, turn_vectors
from memory.services.index import index_items, record_items, turn_item, unindex_items
from memory.services.lease import claim_space
from tests.memory.indexing import letter_vector, make_record, make_space, make_turn, make_user, reader_of
from tests.memory.services.conftest import Indexes

CONFIG = IndexConfig()


def put(indexes: Indexes, space: Space, text: str) -> Turn:
    turn = make_turn(space, text)
    indexes.shelf.put(turn)
    index_items([turn_item(turn)])
    return turn


def stored(indexes: Indexes, space: Space, turn_id: object, kind: Kind = Kind.TURN) -> np.ndarray | None:
    row = IndexedItem.objects.filter(uid=turn_id).first()
    return indexes.vectors.vectors(space.id, kind, [row.id]).get(row.id) if row else None


def test_draining_writes_vectors_and_tokens_and_empties_the_outbox(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abba cab")
    assert drain_outbox(space.id) == 1
    vector = stored(indexes, space, turn.id)
    assert vector is not None
    assert np.allclose(vector, letter_vector("abba cab"))
    row = IndexedItem.objects.get()
    assert row.seq == indexes.vectors.seqs(space.id, Kind.TURN)[row.id]
    (tokens,) = indexes.tokens.read(space.id, Kind.TURN, [row.id])
    assert tokens is not None
    assert len(tokens) == 2
    assert not IndexOutbox.objects.exists()


def test_draining_nothing_does_nothing(indexes: Indexes, space: Space):
    assert drain_outbox(space.id) == 0
    assert indexes.embedder.batches == []


def test_a_record_is_embedded_by_its_semantic_text(indexes: Indexes, space: Space):
    record = make_record(space, "bee")
    index_items(record_items([record]))
    drain_outbox(space.id)
    assert indexes.embedder.batches == [["bee"]]
    assert stored(indexes, space, record.id, Kind.RECORD) is not None


def test_the_current_text_is_written_whatever_was_queued(indexes: Indexes, space: Space):
    turn = put(indexes, space, "aaa")
    index_items([turn_item(indexes.shelf.reword(turn, "bbb"))])
    assert drain_outbox(space.id) == 2
    vector = stored(indexes, space, turn.id)
    assert vector is not None
    assert np.allclose(vector, letter_vector("b"))
    assert indexes.embedder.batches == [["bbb"]]


def test_a_row_that_is_gone_or_expired_loses_its_vector(indexes: Indexes, space: Space):
    turn, record = put(indexes, space, "abc"), make_record(space, "bee")
    index_items(record_items([record]))
    drain_outbox(space.id)
    del indexes.shelf.turns[turn.id]
    unindex_items(space.id, Kind.TURN, [turn.id])
    MemoryRecord.everyone.update(expired_at=timezone.now())
    index_items(record_items([record]))
    drain_outbox(space.id)
    for kind in Kind:
        assert indexes.vectors.seqs(space.id, kind) == {}
        assert indexes.tokens.items(space.id, kind) == set()


def test_a_text_without_a_vector_is_settled_and_loses_an_older_vector(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    drain_outbox(space.id)
    index_items([turn_item(indexes.shelf.reword(turn, "123"))])
    drain_outbox(space.id)
    assert IndexedItem.objects.get().seq == 0
    assert indexes.vectors.seqs(space.id, Kind.TURN) == {}


def test_a_text_that_never_had_a_vector_makes_no_process_look_for_deletions(indexes: Indexes, space: Space):
    put(indexes, space, "abc")
    put(indexes, space, "123")
    drain_outbox(space.id)
    assert IndexState.objects.get().deletions == 0


def test_many_entries_are_drained_in_batches_in_their_order(indexes: Indexes, space: Space):
    texts = [chr(97 + n) * (n + 1) for n in range(10)]
    for text in texts:
        put(indexes, space, text)
    assert drain_outbox(space.id, config=IndexConfig(drain_batch=4)) == 10
    assert indexes.embedder.batches == [texts[:4], texts[4:8], texts[8:]]


def test_an_entry_of_another_space_is_left_alone(indexes: Indexes, space: Space):
    other = make_space("space-b")
    put(indexes, other, "abc")
    assert drain_outbox(space.id) == 0
    assert IndexOutbox.objects.count() == 1


def test_while_another_worker_drains_the_call_returns_at_once(indexes: Indexes, space: Space):
    put(indexes, space, "abc")
    with claim_space(space.id, CONFIG):
        assert drain_outbox(space.id) == 0
    assert drain_outbox(space.id) == 1


def test_a_crash_after_the_vectors_and_before_the_outbox_heals(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch
):
    turn = put(indexes, space, "abc")
    with monkeypatch.context() as patch:
        patch.setattr("memory.services.drain._note_seq", crash)
        with pytest.raises(KeyboardInterrupt):
            drain_outbox(space.id)
    assert IndexOutbox.objects.count() == 1
    assert stored(indexes, space, turn.id) is not None
    assert drain_outbox(space.id) == 1
    assert len(indexes.vectors.seqs(space.id, Kind.TURN)) == 1
    assert IndexedItem.objects.get().seq == 2


def crash(*arguments: object) -> None:
    raise KeyboardInterrupt


def test_a_failing_embedder_leaves_the_entries_queued_and_the_lease_free(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch
):
    put(indexes, space, "abc")

    def fail(*arguments: object, **options: object) -> None:
        raise ProviderUnavailable("later")

    with monkeypatch.context() as patch:
        patch.setattr(indexes.embedder, "embed", fail)
        with pytest.raises(ProviderUnavailable):
            drain_outbox(space.id)
    assert drain_outbox(space.id) == 1


def test_an_item_edited_while_it_is_drained_stays_due(
    indexes: Indexes, space: Space, monkeypatch: pytest.MonkeyPatch
):
    turn = put(indexes, space, "aaa")
    write = indexes.tokens.write

    def edit_meanwhile(*arguments: object) -> None:
        monkeypatch.setattr(indexes.tokens, "write", write)
        index_items([turn_item(indexes.shelf.reword(turn, "bbb"))])
        write(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(indexes.tokens, "write", edit_meanwhile)
    assert drain_outbox(space.id, config=IndexConfig(drain_batch=1)) == 2
    vector = stored(indexes, space, turn.id)
    assert vector is not None
    assert np.allclose(vector, letter_vector("b"))


def test_private_items_keep_their_owner_in_the_index(indexes: Indexes, space: Space):
    alice, bob = make_user("alice"), make_user("bob")
    turn = make_turn(space, "abc", owner=alice)
    indexes.shelf.put(turn)
    index_items([turn_item(turn)])
    drain_outbox(space.id)
    for user, count in ((alice, 1), (bob, 0)):
        reader = indexes.vectors.open(reader_of(space, user), Kind.TURN)
        assert len(reader.search(letter_vector("abc")[None], limit=5).items) == count


def test_turn_vectors_are_written_first_when_they_are_due(indexes: Indexes, space: Space):
    one, two, unreadable = (put(indexes, space, text) for text in ("abc", "xyz", "123"))
    vectors = turn_vectors(space.id, [one.id, two.id, unreadable.id])
    assert vectors[unreadable.id] is None
    for turn in (one, two):
        assert np.allclose(vectors[turn.id], letter_vector(turn.text))  # type: ignore[arg-type]
    assert not IndexOutbox.objects.exists()


def test_stored_turn_vectors_are_read_and_not_made_again(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    drain_outbox(space.id)
    indexes.embedder.batches.clear()
    assert np.allclose(turn_vectors(space.id, [turn.id])[turn.id], letter_vector("abc"))  # type: ignore[arg-type]
    assert sum(map(len, indexes.embedder.batches)) == 0


def test_while_another_worker_drains_due_turns_are_embedded_here(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    with claim_space(space.id, CONFIG):
        assert np.allclose(turn_vectors(space.id, [turn.id])[turn.id], letter_vector("abc"))  # type: ignore[arg-type]
    assert IndexOutbox.objects.count() == 1


def test_unknown_and_never_indexed_turns(indexes: Indexes, space: Space):
    tool = make_turn(space, "tool output")
    indexes.shelf.put(tool)
    unknown = uuid4()
    vectors = turn_vectors(space.id, [tool.id, unknown])
    assert vectors[unknown] is None
    assert np.allclose(vectors[tool.id], letter_vector("tool output"))  # type: ignore[arg-type]
    assert turn_vectors(space.id, []) == {}


def test_under_an_index_of_another_embedder_turns_still_have_vectors(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    drain_outbox(space.id)
    IndexState.objects.update(embedder="another")
    later = put(indexes, space, "xyz")
    with pytest.raises(IndexMismatch):
        drain_outbox(space.id)
    vectors = turn_vectors(space.id, [turn.id, later.id])
    assert np.allclose(vectors[turn.id], letter_vector("abc"))  # type: ignore[arg-type]
    assert np.allclose(vectors[later.id], letter_vector("xyz"))  # type: ignore[arg-type]


def test_a_turn_of_another_space_has_no_vector_here(indexes: Indexes, space: Space):
    foreign = replace(make_turn(space, "abc"), space_id=make_space("space-b").id)
    indexes.shelf.put(foreign)
    assert turn_vectors(space.id, [foreign.id]) == {foreign.id: None}


def test_waiting_for_vectors_writes_what_is_queued(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    assert await_vectors(space.id, within_seconds=5)
    assert stored(indexes, space, turn.id) is not None
    assert await_vectors(space.id, within_seconds=0)


def test_waiting_while_another_worker_drains_ends_in_time(indexes: Indexes, space: Space):
    turn = put(indexes, space, "abc")
    with claim_space(space.id, CONFIG) as lease:
        assert lease
        assert not await_vectors(space.id, within_seconds=0)
        assert stored(indexes, space, turn.id) is None
    assert await_vectors(space.id, within_seconds=5)

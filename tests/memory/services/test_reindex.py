"""Rows are the truth: indexes are rebuilt from them, compared with them, mended by them."""

import pytest
from django.utils import timezone

from accounts.models import Space
from memory import registries
from memory.config import IndexConfig
from memory.domain.types import TEXT_KINDS, Kind, Role, Turn
from memory.errors import ProviderUnavailable
from memory.models import IndexedItem, IndexOutbox, IndexState, Posting
from memory.services.drain import is_of_other_embedder
from memory.services.index import index_items, record_items, turn_item
from memory.services.lease import claim_space
from memory.services.reindex import check_space, drain_outbox, rebuild_space, repair_space
from tests.memory.indexing import RowShelf, make_item, make_record, make_space, make_turn
from tests.memory.services.conftest import Indexes


@pytest.fixture
def turns(indexes: Indexes, space: Space) -> list[Turn]:
    """Three turns and a record, indexed and drained; a tool turn that is not recalled."""
    made = [make_turn(space, text) for text in ("abc", "def", "123")]
    indexes.shelf.put(*made, make_turn(space, "tool", role=Role.TOOL))
    index_items([turn_item(turn) for turn in made])
    index_items(record_items([make_record(space, "bee")]))
    drain_outbox(space.id)
    return made


def item_of(turn: Turn) -> int:
    return IndexedItem.objects.get(uid=turn.id).id


def contents(indexes: Indexes, space: Space) -> dict[Kind, set[object]]:
    names = dict(IndexedItem.objects.values_list("id", "uid"))
    return {kind: {names[i] for i in indexes.vectors.seqs(space.id, kind)} for kind in TEXT_KINDS}


def test_a_drained_space_has_no_drift(indexes: Indexes, space: Space, turns: list[Turn]):
    assert check_space(space.id).total == 0


def test_what_is_queued_is_no_drift(indexes: Indexes, space: Space, turns: list[Turn]):
    later = make_turn(space, "later")
    indexes.shelf.put(later)
    index_items([turn_item(later)])
    assert check_space(space.id).total == 0


def test_rebuilding_gives_the_same_indexes_again(indexes: Indexes, space: Space, turns: list[Turn]):
    before, words = contents(indexes, space), set(Posting.objects.values_list("term", flat=True))
    assert rebuild_space(space.id) == 4
    assert contents(indexes, space) == before
    assert set(Posting.objects.values_list("term", flat=True)) == words
    assert check_space(space.id).total == 0
    assert not IndexOutbox.objects.exists()


def test_rebuilding_leaves_other_spaces_alone(indexes: Indexes, space: Space, turns: list[Turn]):
    other = make_space("space-b")
    turn = make_turn(other, "xyz")
    indexes.shelf.put(turn)
    index_items([turn_item(turn)])
    drain_outbox(other.id)
    before = contents(indexes, other)
    rebuild_space(space.id)
    assert contents(indexes, other) == before


def test_rebuilding_reports_its_progress(indexes: Indexes, space: Space, turns: list[Turn]):
    steps: list[tuple[str, int, int]] = []
    rebuild_space(space.id, lambda *step: steps.append(step), config=IndexConfig(drain_batch=2))
    assert steps == [
        ("words", 3, 0),
        ("words", 4, 0),
        ("vectors", 2, 4),
        ("vectors", 4, 4),
        ("evidence", 0, 1),
        ("evidence", 1, 1),
    ]


def test_rebuilding_takes_a_space_over_from_another_embedder(
    indexes: Indexes, space: Space, turns: list[Turn]
):
    IndexState.objects.update(embedder="another", dimension=3)
    rebuild_space(space.id)
    assert check_space(space.id).total == 0


def test_rebuilding_waits_for_nobody(indexes: Indexes, space: Space, turns: list[Turn]):
    with claim_space(space.id, IndexConfig()), pytest.raises(ProviderUnavailable):
        rebuild_space(space.id)
    assert check_space(space.id).total == 0


def test_expired_records_are_left_out(indexes: Indexes, space: Space, turns: list[Turn]):
    record = make_record(space, "gone")
    record.expired_at = timezone.now()
    record.save()
    assert rebuild_space(space.id) == 4


def damage_words(indexes: Indexes, space: Space, turn: Turn) -> None:
    IndexedItem.objects.filter(uid=turn.id).delete()
    indexes.vectors.delete(space.id, Kind.TURN, [])


def damage_vector(indexes: Indexes, space: Space, turn: Turn) -> None:
    indexes.vectors.delete(space.id, Kind.TURN, [item_of(turn)])


def damage_tokens(indexes: Indexes, space: Space, turn: Turn) -> None:
    indexes.tokens.delete(space.id, Kind.TURN, [item_of(turn)])


def damage_seq(indexes: Indexes, space: Space, turn: Turn) -> None:
    IndexedItem.objects.filter(uid=turn.id).update(seq=99)


def damage_row(indexes: Indexes, space: Space, turn: Turn) -> None:
    del indexes.shelf.turns[turn.id]


@pytest.mark.parametrize(
    ("damage", "counts"),
    [
        (damage_words, (1, 0, 1)),
        (damage_vector, (1, 0, 0)),
        (damage_tokens, (1, 0, 0)),
        (damage_seq, (0, 1, 0)),
        (damage_row, (0, 0, 1)),
    ],
)
def test_drift_is_found_and_mended(
    indexes: Indexes, space: Space, turns: list[Turn], damage: object, counts: tuple[int, int, int]
):
    assert callable(damage)
    damage(indexes, space, turns[0])
    drift = check_space(space.id)
    found = drift.kinds[Kind.TURN]
    assert (len(found.missing), len(found.stale), len(found.orphaned or {})) == counts
    assert drift.kinds[Kind.RECORD].total == 0
    repair_space(space.id, drift)
    assert check_space(space.id).total == 0
    expected = {turn.id for turn in turns[:2] if turn.id in indexes.shelf.turns}
    assert contents(indexes, space)[Kind.TURN] == expected


@pytest.fixture
def pictures(indexes: Indexes, monkeypatch: pytest.MonkeyPatch) -> RowShelf:
    """Rows of an app above, which memory knows by its source alone."""
    shelf = RowShelf(Kind.VISUAL)
    monkeypatch.setattr(registries, "_sources", {Kind.VISUAL: shelf})
    return shelf


def test_rows_of_other_apps_are_embedded_rebuilt_and_compared_like_memorys_own(
    indexes: Indexes, space: Space, turns: list[Turn], pictures: RowShelf
):
    picture = make_item(space, "bicycle", kind=Kind.VISUAL)
    pictures.put(picture)
    index_items([picture])
    drain_outbox(space.id)
    assert contents(indexes, space)[Kind.VISUAL] == {picture.id}
    assert check_space(space.id).total == 0
    assert rebuild_space(space.id) == 5
    assert contents(indexes, space)[Kind.VISUAL] == {picture.id}
    assert check_space(space.id).total == 0


def test_a_row_that_its_source_no_longer_gives_is_an_orphan_and_mended(
    indexes: Indexes, space: Space, turns: list[Turn], pictures: RowShelf
):
    picture = make_item(space, "bicycle", kind=Kind.VISUAL)
    pictures.put(picture)
    index_items([picture])
    drain_outbox(space.id)
    pictures.items.clear()
    drift = check_space(space.id)
    assert set((drift.kinds[Kind.VISUAL].orphaned or {}).values()) == {picture.id}
    repair_space(space.id, drift)
    assert check_space(space.id).total == 0


def test_without_a_source_rows_of_a_kind_are_nobodys(indexes: Indexes, space: Space, turns: list[Turn]):
    index_items([make_item(space, "cycle", kind=Kind.SKILL)])
    drain_outbox(space.id)
    assert contents(indexes, space)[Kind.SKILL] == set()


def test_vectors_of_looks_are_of_another_embedder_and_disturb_nothing(
    indexes: Indexes, space: Space, turns: list[Turn]
):
    IndexState.objects.create(space=space, kind=Kind.PIXELS, embedder="ViT-B-32", dimension=512, epoch=3)
    assert not is_of_other_embedder(space.id)
    assert check_space(space.id).total == 0
    assert rebuild_space(space.id) == 4
    looks = IndexState.objects.get(space=space, kind=Kind.PIXELS)
    assert (looks.embedder, looks.dimension, looks.epoch) == ("ViT-B-32", 512, 3)

"""The version row: what one process writes and all others go by."""

from dataclasses import replace

import pytest

from accounts.models import Space
from memory.config import EmbedderSpec
from memory.domain.types import Kind
from memory.errors import IndexMismatch
from memory.models import IndexState
from memory.stores.index_state import States, Version
from tests.memory.indexing import make_space

pytestmark = pytest.mark.django_db
SPEC = EmbedderSpec("test-model", 4)
STATES = States(SPEC)


@pytest.fixture
def space() -> Space:
    return make_space("space-a")


def test_before_the_first_write_there_is_no_version(space: Space):
    assert STATES.read(space.id, Kind.TURN) is None


def test_the_first_write_makes_one_and_the_next_find_it(space: Space):
    first = STATES.ensure(space.id, Kind.TURN)
    assert first == Version(epoch=1, seq=0, deletions=0)
    assert STATES.ensure(space.id, Kind.TURN) == first
    assert STATES.read(space.id, Kind.RECORD) is None
    assert IndexState.objects.count() == 1


def test_of_two_writers_that_saw_the_same_only_one_publishes(space: Space):
    seen = STATES.ensure(space.id, Kind.TURN)
    assert STATES.publish(space.id, Kind.TURN, seen)
    assert not STATES.publish(space.id, Kind.TURN, seen)
    assert STATES.read(space.id, Kind.TURN) == Version(1, 1, 0)


def test_every_change_makes_a_later_version(space: Space):
    versions = [STATES.ensure(space.id, Kind.TURN)]
    STATES.publish(space.id, Kind.TURN, versions[0])
    versions.append(STATES.ensure(space.id, Kind.TURN))
    STATES.note_deletion(space.id, Kind.TURN)
    versions.append(STATES.ensure(space.id, Kind.TURN))
    STATES.reset(space.id)
    versions.append(STATES.ensure(space.id, Kind.TURN))
    assert versions == sorted(set(versions))


def test_a_write_begun_before_a_drop_is_not_published_after_it(space: Space):
    seen = STATES.ensure(space.id, Kind.TURN)
    STATES.reset(space.id)
    assert not STATES.publish(space.id, Kind.TURN, seen)


@pytest.mark.parametrize("other", [replace(SPEC, name="another"), replace(SPEC, dimension=8)])
def test_another_embedder_or_length_is_refused_with_both_named(space: Space, other: EmbedderSpec):
    STATES.ensure(space.id, Kind.TURN)
    for ask in (States(other).read, States(other).ensure):
        with pytest.raises(IndexMismatch) as raised:
            ask(space.id, Kind.TURN)
        assert f"{SPEC.name} with {SPEC.dimension}" in raised.value.detail
        assert f"{other.name} with {other.dimension}" in raised.value.detail


def test_a_reset_hands_the_space_to_this_embedder(space: Space):
    STATES.ensure(space.id, Kind.TURN)
    other = States(EmbedderSpec("another", 8))
    other.reset(space.id)
    assert other.read(space.id, Kind.TURN) == Version(2, 0, 0)
    with pytest.raises(IndexMismatch):
        STATES.read(space.id, Kind.TURN)


def test_other_spaces_keep_their_version(space: Space):
    other = make_space("space-b")
    for place in (space, other):
        STATES.ensure(place.id, Kind.TURN)
    STATES.note_deletion(space.id, Kind.TURN)
    STATES.reset(space.id)
    assert STATES.read(other.id, Kind.TURN) == Version(1, 0, 0)

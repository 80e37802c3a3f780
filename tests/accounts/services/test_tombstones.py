"""Tombstones: keyed, per space and audience, and silent about what they block."""

import pytest
from django.test import override_settings

from accounts.models import Tombstone
from accounts.services.tombstones import buried, bury, digest_of
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db


def test_what_was_buried_is_blocked_and_nothing_else():
    space = make_space("a")
    bury(space.id, None, "alice likes tea")
    assert set(buried(space.id, None, ["alice likes tea", "alice likes coffee"])) == {"alice likes tea"}
    assert buried(space.id, None, []) == {}


def test_it_is_blocked_in_its_space_and_for_its_audience_alone():
    space, other, user = make_space("a"), make_space("b"), make_user("alice")
    bury(space.id, user.id, "alice likes tea")
    assert buried(space.id, user.id, ["alice likes tea"])
    assert not buried(space.id, None, ["alice likes tea"])
    assert not buried(other.id, user.id, ["alice likes tea"])


def test_buried_again_it_has_one_younger_stone():
    space = make_space("a")
    bury(space.id, None, "x")
    (first,) = buried(space.id, None, ["x"]).values()
    bury(space.id, None, "x")
    (second,) = buried(space.id, None, ["x"]).values()
    assert second > first
    assert Tombstone.objects.for_space(space.id).count() == 1


def test_a_hash_says_nothing_without_the_key():
    space, other = make_space("a"), make_space("b")
    digest = digest_of(space.id, "x")
    assert digest != digest_of(other.id, "x")
    with override_settings(SECRET_KEY="another"):
        assert digest != digest_of(space.id, "x")

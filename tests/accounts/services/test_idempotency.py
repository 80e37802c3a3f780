"""Keys of writes: claimed by one, answered as before, given back, forgotten."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from accounts.errors import Conflict
from accounts.models import IdempotencyKey, User
from accounts.services.idempotency import (
    KEPT,
    LONGEST,
    Reply,
    claim_key,
    digest_of,
    forget_old_keys,
    forget_replies,
    give_back,
    keep_reply,
)
from accounts.services.tombstones import bury
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db

REPLY = Reply(201, {"ETag": '"1"'}, b'{"id": 1}')


@pytest.fixture
def alice() -> User:
    return make_user("alice")


def claim(user: User, digest: str = "a" * 64, *, after: timedelta = timedelta(0)) -> UUID | Reply:
    return claim_key(user.id, "key-1", digest, now=timezone.now() + after)


def begin(user: User, key: str = "key-1", *, space_id: UUID | None = None) -> UUID:
    claimed = claim_key(user.id, key, "a" * 64, now=timezone.now(), space_id=space_id)
    assert isinstance(claimed, UUID)
    return claimed


def test_a_write_that_was_answered_is_answered_the_same(alice):
    keep_reply(begin(alice), REPLY, space_id=None)
    assert claim(alice) == REPLY


def test_while_it_is_under_way_it_is_not_begun_again(alice):
    begin(alice)
    with pytest.raises(Conflict) as refused:
        claim(alice)
    assert (refused.value.error_code, refused.value.retry_after) == ("request_in_progress", 2)


def test_one_cut_off_is_not_guessed_about(alice):
    begin(alice)
    with pytest.raises(Conflict) as refused:
        claim(alice, after=LONGEST + timedelta(seconds=1))
    assert refused.value.error_code == "outcome_unknown"


@pytest.mark.parametrize("is_answered", [False, True])
def test_a_key_stands_for_one_request(alice, is_answered):
    claimed = begin(alice)
    if is_answered:
        keep_reply(claimed, REPLY, space_id=None)
    with pytest.raises(Conflict) as refused:
        claim(alice, "b" * 64)
    assert refused.value.error_code == "idempotency_key_reused"


def test_what_was_given_back_may_begin_again(alice):
    give_back(begin(alice))
    begin(alice)


def test_two_people_may_use_the_same_key(alice):
    keep_reply(begin(alice), REPLY, space_id=None)
    assert isinstance(claim(make_user("bob")), UUID)


def test_an_erasure_takes_the_replies_of_its_space_along(alice):
    space, other = make_space("a"), make_space("b")
    keep_reply(begin(alice), REPLY, space_id=space.id)
    forget_replies(other.id)
    assert claim(alice) == REPLY
    bury(space.id, None, "alice likes tea")
    with pytest.raises(Conflict) as refused:
        claim(alice)
    assert refused.value.error_code == "reply_not_kept"
    assert not IdempotencyKey.objects.exclude(body=None).exists()


def test_an_erasure_takes_a_reply_along_that_is_under_way(alice):
    space, other = make_space("a"), make_space("b")
    here, there = begin(alice, "here", space_id=space.id), begin(alice, "there", space_id=other.id)
    forget_replies(space.id)
    keep_reply(here, REPLY, space_id=space.id)
    keep_reply(there, REPLY, space_id=other.id)
    with pytest.raises(Conflict) as refused:
        claim_key(alice.id, "here", "a" * 64, now=timezone.now())
    assert refused.value.error_code == "reply_not_kept"
    assert claim_key(alice.id, "there", "a" * 64, now=timezone.now()) == REPLY


def test_so_does_one_that_began_while_the_erasure_was_not_yet_seen(alice, django_capture_on_commit_callbacks):
    space = make_space("a")
    with django_capture_on_commit_callbacks(execute=True):
        forget_replies(space.id)
        begun = begin(alice, space_id=space.id)
    keep_reply(begun, REPLY, space_id=space.id)
    assert not IdempotencyKey.objects.exclude(body=None).exists()


def test_keys_are_forgotten_after_their_day(alice):
    begin(alice)
    assert forget_old_keys(timezone.now() + KEPT - timedelta(minutes=1)) == 0
    assert forget_old_keys(timezone.now() + KEPT + timedelta(minutes=1)) == 1


def test_a_digest_knows_where_one_part_ends():
    assert digest_of(b"ab", b"c") != digest_of(b"a", b"bc")
    assert digest_of(b"ab", b"c") == digest_of(b"ab", b"c")

"""What every act of curation keeps to: who may, whose record it is, which version was read."""

from uuid import uuid4

import pytest

from accounts.errors import Conflict, Forbidden, NotFound
from memory.services.curate import edit_record, expire_record
from memory.services.curate_purge import purge_record
from memory.services.curate_rows import locked_record
from memory.services.curate_state import pin_record, restore_record
from tests.memory.curating import principal, remember, trail
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db

ACTS = {
    "edit": lambda who, record_id, version: edit_record(who, record_id, {"subject": "X", "version": version}),
    "expire": lambda who, record_id, version: expire_record(who, record_id, version=version),
    "pin": lambda who, record_id, version: pin_record(who, record_id, version=version),
    "purge": lambda who, record_id, version: purge_record(who, record_id, version=version),
}


@pytest.fixture(params=ACTS)
def act(request):
    return ACTS[request.param]


def test_a_viewer_may_not(space, vera, act):
    record = remember(space)
    with pytest.raises(Forbidden):
        act(vera, record.id, None)
    assert trail(record) == []


def test_a_missing_one_and_a_strangers_look_alike(space, alice, act):
    foreign = remember(make_space("space-b"))
    for record_id in (uuid4(), foreign.id):
        with pytest.raises(NotFound) as raised:
            act(alice, record_id, None)
        assert raised.value.detail == "There is no such record among yours."


def test_a_private_record_is_its_authors_alone(space, alice, act):
    bob = principal(make_user("bob"), space)
    record = remember(space, owner=bob.user_id)
    with pytest.raises(NotFound):
        act(alice, record.id, None)
    act(bob, record.id, None)
    assert len(trail(record)) == 1


def test_an_act_on_an_older_version_than_the_present_conflicts_and_does_nothing(space, alice, act):
    record = remember(space)
    edit_record(alice, record.id, {"topics": ["home"]})
    with pytest.raises(Conflict) as raised:
        act(alice, record.id, 1)
    assert raised.value.error_code == "edited_meanwhile"
    assert trail(record) == ["record.edited"]
    act(alice, record.id, 2)
    assert len(trail(record)) == 2


def test_restoring_keeps_to_the_same_rules(space, alice, vera):
    record = remember(space)
    expire_record(alice, record.id)
    with pytest.raises(Forbidden):
        restore_record(vera, record.id)
    with pytest.raises(NotFound):
        restore_record(alice, remember(make_space("space-b")).id)
    with pytest.raises(Conflict):
        restore_record(alice, record.id, version=1)


def test_a_record_that_is_erased_between_the_look_and_the_lock_is_missing(space, alice):
    record = remember(space)
    purge_record(alice, record.id)
    with pytest.raises(NotFound):
        locked_record(alice, record.id)

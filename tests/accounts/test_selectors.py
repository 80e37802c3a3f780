"""What accounts tell, and to whom."""

from uuid import uuid4

import pytest

from accounts.errors import NotFound
from accounts.models import Job, User
from accounts.principals import Principal, principal_for
from accounts.selectors import get_job, list_spaces
from accounts.services.jobs import enqueue_job
from accounts.services.members import add_member
from accounts.services.spaces import create_space
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return register_user(username="alice", password=PASSWORD)


@pytest.fixture
def bob() -> User:
    return register_user(username="bob", password=PASSWORD)


@pytest.fixture
def in_garden(alice: User, bob: User) -> dict[str, Principal]:
    create_space(alice, slug="garden", name="Garden")
    add_member(alice, slug="garden", username="bob", role="editor")
    return {"alice": principal_for(alice, "garden"), "bob": principal_for(bob, "garden")}


def queue(principal: Principal, *, private_to: User | None = None) -> Job:
    return enqueue_job(
        space_id=principal.space_id,
        private_to=private_to.id if private_to else None,
        kind="test",
        subject_id=uuid4(),
        arguments={},
    )


def test_spaces_are_listed_with_the_personal_one_first(alice, bob):
    create_space(bob, slug="aaa", name="First by name")
    add_member(bob, slug="aaa", username="alice", role="viewer")
    first, second = list_spaces(alice.id)
    assert (first.slug, first.is_personal, first.role, first.member_count) == ("alice", True, "owner", 1)
    assert (second.slug, second.is_personal, second.role, second.member_count) == ("aaa", False, "viewer", 2)


def test_a_job_is_seen_by_every_member(in_garden):
    job = queue(in_garden["alice"])
    assert get_job(in_garden["bob"], job.id) == job


def test_a_job_of_a_private_session_is_its_authors(in_garden, bob):
    job = queue(in_garden["bob"], private_to=bob)
    assert get_job(in_garden["bob"], job.id) == job
    with pytest.raises(NotFound):
        get_job(in_garden["alice"], job.id)


def test_a_job_of_another_space_and_none_look_alike(in_garden, bob):
    job = queue(in_garden["alice"])
    for job_id in (job.id, uuid4()):
        with pytest.raises(NotFound) as raised:
            get_job(principal_for(bob), job_id)
        assert raised.value.detail == "There is no such job in this space."

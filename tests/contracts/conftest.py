"""The cast of the contract suites."""

import pytest

from accounts.models import Space, User
from tests.memory.indexing import make_space, make_user


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def space(db: None) -> Space:
    return make_space("space-a")


@pytest.fixture
def other_space(db: None) -> Space:
    return make_space("space-b")

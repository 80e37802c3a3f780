"""The cast: alice owns the garden, bob edits it, vera views it, charlie is a stranger."""

import pytest

from accounts.principals import Principal, principal_for
from accounts.services.members import add_member
from accounts.services.spaces import create_space
from accounts.services.users import register_user

PASSWORD = "a long walk by the sea"


@pytest.fixture
def people(db) -> dict[str, Principal]:
    users = {
        name: register_user(username=name, display_name=name.title(), password=PASSWORD)
        for name in ("alice", "bob", "vera", "charlie")
    }
    create_space(users["alice"], slug="garden", name="Garden")
    add_member(users["alice"], slug="garden", username="bob", role="editor")
    add_member(users["alice"], slug="garden", username="vera", role="viewer")
    cast = {name: principal_for(users[name], "garden") for name in ("alice", "bob", "vera")}
    return {**cast, "charlie": principal_for(users["charlie"])}


@pytest.fixture
def alice(people: dict[str, Principal]) -> Principal:
    return people["alice"]


@pytest.fixture
def bob(people: dict[str, Principal]) -> Principal:
    return people["bob"]


@pytest.fixture
def vera(people: dict[str, Principal]) -> Principal:
    return people["vera"]


@pytest.fixture
def charlie(people: dict[str, Principal]) -> Principal:
    return people["charlie"]

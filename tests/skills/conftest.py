"""The cast of the skills: alice owns the space, bob edits it, vera views it, charlie owns another."""

import pytest

from accounts.principals import Principal
from tests.api.cast import Cast


@pytest.fixture
def cast(db: None) -> Cast:
    made = Cast()
    assert made.alice
    return made


@pytest.fixture
def alice(cast: Cast) -> Principal:
    return cast.alice.principal


@pytest.fixture
def bob(cast: Cast) -> Principal:
    return cast.bob.principal


@pytest.fixture
def vera(cast: Cast) -> Principal:
    return cast.vera.principal


@pytest.fixture
def charlie(cast: Cast) -> Principal:
    return cast.charlie.principal

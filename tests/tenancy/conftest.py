"""The world of the tenancy tests."""

import pytest

from tests.api.cast import Cast, gather_cast
from tests.tenancy.world import World, build_world


@pytest.fixture
def cast(db: None) -> Cast:
    return gather_cast()


@pytest.fixture
def world(cast: Cast) -> World:
    return build_world(cast)

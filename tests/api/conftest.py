"""People for the tests of the doors."""

import pytest

from tests.api.cast import Cast, gather_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return gather_cast()

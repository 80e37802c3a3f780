"""People and a real server for the tests of the doors."""

from collections.abc import Iterator

import pytest

from tests.api.cast import Cast, gather_cast
from tests.api.live import Live, serving


@pytest.fixture
def cast(db: None) -> Cast:
    made = Cast()
    assert made.alice
    return made


@pytest.fixture
def live(transactional_db: None) -> Iterator[Live]:
    with serving() as server:
        yield server


@pytest.fixture
def live_cast(live: Live) -> Cast:
    """The cast, committed where the server's threads see it."""
    return gather_cast()


@pytest.fixture
def cast_committed(transactional_db: None) -> Cast:
    """The cast, committed, for tests whose threads ask the database."""
    return gather_cast()

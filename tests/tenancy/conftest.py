"""The world of the tenancy tests: built once a module, committed, and flushed at its end.

Answers are written in threads of their own, which see committed rows only; and filing
two sessions for every step of the walk would take minutes.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from tests.api.cast import Cast, gather_cast
from tests.api.live import Live, serving
from tests.tenancy.world import World, build_world, tell

TEXT = "My sister Nora lives in Bergen and plays the cello."


@pytest.fixture(scope="module")
def db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """In place of pytest-django's, which undoes everything after each test."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def world(db: None) -> World:
    return build_world(gather_cast())


@pytest.fixture(scope="module")
def twins(db: None) -> Cast:
    """Alice and Charlie, who said the same in their spaces."""
    cast = gather_cast()
    for who in (cast.alice, cast.charlie):
        tell(who, "family", TEXT)
    return cast


@pytest.fixture(scope="module")
def live(world: World) -> Iterator[Live]:
    with serving() as server:
        yield server

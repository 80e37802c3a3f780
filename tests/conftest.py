"""Fixtures of the whole suite."""

from collections.abc import Iterator

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The thread in which async tests touch the database lets go of it before it is dropped."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()

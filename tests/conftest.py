"""Fixtures of the whole suite."""

import gc
from collections.abc import Generator, Iterator

import pytest
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck
from hypothesis import settings as examples
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from accounts.services.users import register_user

# What is tested is whether an example holds; how long it takes depends on who works beside it.
examples.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("untimed")

OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are collected without looking among them for garbage again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What starts servers and browsers takes longest and begins first: no worker waits for it at the end."""
    slow = ("chaos", "browser")
    items.sort(key=lambda item: all(item.get_closest_marker(name) is None for name in slow))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Connections that threads of tests have left open are ended: PostgreSQL drops no database in use."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(OTHERS)


@pytest.fixture
def staff(db: None, client: Client) -> Client:
    """A superuser at the administration."""
    user = register_user(username="root", password="a long walk by the sea")
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    client.force_login(User.objects.get(pk=user.pk))
    return client

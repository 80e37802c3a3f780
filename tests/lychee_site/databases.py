"""A PostgreSQL database of a test's own, on the server that the gate started."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from psycopg import sql

POSTGRES_URL = os.environ.get("LYCHEE_TEST_POSTGRES_URL", "")
REDIS_URL = os.environ.get("LYCHEE_TEST_REDIS_URL", "")


@contextmanager
def scratch_database() -> Iterator[str]:
    """The URL of an empty database, which is gone after the block."""
    name = f"scratch_{uuid4().hex[:12]}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

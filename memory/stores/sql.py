"""Values as the database's driver takes them, for the few statements written by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

Value = UUID | str | int | None


def uuid_value(value: UUID) -> UUID | str:
    """A UUID as a parameter: native on PostgreSQL, 32 hex digits on SQLite."""
    return value if connection.features.has_native_uuid_field else value.hex


def as_uuid(value: UUID | str) -> UUID:
    """A UUID as the driver gives it: native on PostgreSQL, 32 hex digits on SQLite."""
    return UUID(value) if isinstance(value, str) else value


def as_instant(value: datetime) -> datetime:
    """An instant as the driver gives it: aware on PostgreSQL, naive and in UTC on SQLite."""
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def marks(count: int) -> str:
    """Placeholders for so many parameters."""
    return ", ".join(["%s"] * count)


def fetch_all(sql: str, parameters: Sequence[Value]) -> list[tuple[Any, ...]]:
    """Every row of a query, ids as the driver gives them."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

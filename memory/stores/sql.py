"""Values as the database's driver takes them, for the few statements written by hand."""

from uuid import UUID

from django.db import connection


def uuid_value(value: UUID) -> UUID | str:
    """A UUID as a parameter: native on PostgreSQL, 32 hex digits on SQLite."""
    return value if connection.features.has_native_uuid_field else value.hex

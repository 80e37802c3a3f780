"""The probes really write, and leave nothing behind but the row they write."""

from pathlib import Path

import pytest
from django.db import DatabaseError, connection

from accounts.models import Pulse
from accounts.services.probes import write_to_database, write_to_folder


def test_the_database_is_written_again_and_again_in_one_row(db: None) -> None:
    write_to_database()
    first = Pulse.objects.get().at
    write_to_database()
    assert Pulse.objects.get().at > first


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a pragma of SQLite")
def test_a_database_that_takes_no_more_is_an_error(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            with pytest.raises(DatabaseError):
                write_to_database()
        finally:
            cursor.execute("PRAGMA query_only = OFF")


def test_a_folder_is_written_and_left_as_it_was(tmp_path: Path) -> None:
    write_to_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_to_folder(tmp_path / "gone")

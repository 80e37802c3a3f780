"""Whether what is stored can still be written: a small write, really made."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.utils import timezone

from accounts.models import Pulse

_BYTES = b"\0" * 4_096  # a block, so that a full disk shows


def write_to_database() -> None:
    """Commit one row. Raises DatabaseError where nothing can be stored."""
    Pulse.objects.update_or_create(pk=1, defaults={"at": timezone.now()})


def write_to_folder(folder: Path) -> None:
    """Put a block on the disk and take it away. Raises OSError where that fails."""
    with NamedTemporaryFile(dir=folder, prefix=".probe-") as file:
        file.write(_BYTES)
        file.flush()
        os.fsync(file.fileno())

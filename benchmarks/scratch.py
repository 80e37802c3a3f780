"""The application in this process, on a database of its own that is thrown away."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_application() -> Iterator[Path]:
    """Set Django up on a new folder; nothing of ours may have been imported before."""
    with tempfile.TemporaryDirectory(prefix="lychee-bench-") as folder:
        os.environ["LYCHEE_DATA_DIR"] = folder
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", interactive=False, verbosity=0)
        yield Path(folder)

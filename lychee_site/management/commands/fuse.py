"""`manage.py fuse [--space slug]`: compare all records anew and make the memory tree from them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from memory.errors import ProviderError
from memory.services.fuse import Fused, fuse_fully


class Command(BaseCommand):
    """Settle updates and duplicates and build the tree, whatever was done before."""

    help = "Fuse the records of every space, or of one, in full."

    def add_arguments(self, parser: CommandParser) -> None:
        """One option: which space."""
        add_space_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Fuse space by space, with a progress bar, and say what came of it."""
        spaces = chosen_spaces(options["space"])
        done = sum((self._fuse(space) for space in spaces), Fused())
        self.stdout.write(
            f"Fused {len(spaces)} space(s): {done.superseded:,} updates, {done.duplicates:,} duplicates,"
            f" {done.composites:,} composites changed."
        )

    def _fuse(self, space: Space) -> Fused:
        with tqdm(desc=space.slug, leave=False, file=self.stderr) as bar:

            def show(stage: str, done: int, total: int) -> None:
                bar.set_description(f"{space.slug}: {stage}", refresh=False)
                bar.total = total or None
                bar.n = done
                bar.refresh()

            try:
                return fuse_fully(space.id, show)
            except ProviderError as error:
                raise CommandError(f"{space.slug}: {error.detail}") from error

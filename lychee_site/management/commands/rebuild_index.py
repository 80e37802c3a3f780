"""`manage.py rebuild_index [--space slug] [--background]`: make indexes anew from the rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from memory.errors import ProviderError
from memory.services.reembed import request_reembedding, spaces_to_reembed
from memory.services.reindex import rebuild_space
from visual.services.describe import rebuild_looks


class Command(BaseCommand):
    """Drop words, vectors and token vectors, and derive them again."""

    help = "Make the indexes of every space, or of one, anew from the rows."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which space, and whether a worker is to do it."""
        add_space_argument(parser)
        parser.add_argument(
            "--background",
            action="store_true",
            help="only queue what another embedding model asks for; a worker makes the vectors anew"
            " while recall by words goes on",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild space by space, with a progress bar, and say how much there was."""
        spaces = chosen_spaces(options["space"])
        if options["background"]:
            self._queue(spaces)
            return
        items = sum(self._rebuild(space) for space in spaces)
        self.stdout.write(f"Rebuilt the index of {len(spaces)} space(s): {items:,} items.")

    def _queue(self, spaces: list[Space]) -> None:
        """Queue a job for each of the spaces whose vectors are of another embedder."""
        due = set(spaces_to_reembed())
        jobs = [request_reembedding(space.id, user_id=None) for space in spaces if space.id in due]
        for job in jobs:
            self.stdout.write(f"{job.space.slug}: GET /jobs/{job.id} tells how far it is")
        self.stdout.write(f"Queued the re-embedding of {len(jobs)} of {len(spaces)} space(s).")

    def _rebuild(self, space: Space) -> int:
        with tqdm(unit=" items", desc=space.slug, leave=False, file=self.stderr) as bar:

            def show(stage: str, done: int, total: int) -> None:
                bar.set_description(f"{space.slug}: {stage}", refresh=False)
                bar.total = total or None
                bar.update(done - bar.n)

            try:
                rebuild_looks(space.id)
                return rebuild_space(space.id, show)
            except ProviderError as error:
                raise CommandError(f"{space.slug}: {error.detail}") from error

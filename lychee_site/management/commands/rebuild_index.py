"""`manage.py rebuild_index [--space slug]`: make every index anew from the rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.models import Space
from memory.errors import ProviderError
from memory.services.reindex import rebuild_space


class Command(BaseCommand):
    """Drop words, vectors and token vectors, and derive them again."""

    help = "Make the indexes of every space, or of one, anew from the rows."

    def add_arguments(self, parser: CommandParser) -> None:
        """One option: which space."""
        parser.add_argument("--space", metavar="SLUG", help="only this space")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild space by space, with a progress bar, and say how much there was."""
        spaces = find_spaces(options["space"])
        items = sum(self._rebuild(space) for space in spaces)
        self.stdout.write(f"Rebuilt the index of {len(spaces)} space(s): {items:,} items.")

    def _rebuild(self, space: Space) -> int:
        with tqdm(unit=" items", desc=space.slug, leave=False, file=self.stderr) as bar:

            def show(stage: str, done: int, total: int) -> None:
                bar.set_description(f"{space.slug}: {stage}", refresh=False)
                bar.total = total or None
                bar.update(done - bar.n)

            try:
                return rebuild_space(space.id, show)
            except ProviderError as error:
                raise CommandError(f"{space.slug}: {error.detail}") from error


def find_spaces(slug: str | None) -> list[Space]:
    """The space of this slug, or all. Raises CommandError for an unknown one."""
    spaces = list(Space.objects.filter(slug=slug) if slug else Space.objects.all())
    if slug and not spaces:
        raise CommandError(f"There is no space {slug!r}.")
    return spaces

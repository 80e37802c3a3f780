"""`manage.py check_index [--space slug] [--repair]`: compare the indexes with the rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from memory.errors import ProviderError
from memory.services.reindex import Drift, check_space, repair_space


class Command(BaseCommand):
    """Report what the indexes lack, hold in an old form, or hold without a row."""

    help = "Compare the indexes with the rows; with --repair, mend what differs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which space, and whether to mend it."""
        add_space_argument(parser)
        parser.add_argument("--repair", action="store_true", help="mend what differs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check space by space; fails if anything differs and was not to be mended."""
        spaces = chosen_spaces(options["space"])
        wrong = 0
        for space in tqdm(spaces, unit=" spaces", leave=False, file=self.stderr):
            drift = self._check(space, is_repairing=options["repair"])
            wrong += drift.total
            for line in _lines(space, drift):
                self.stdout.write(line)
        mended = " and mended" if options["repair"] and wrong else ""
        summary = f"Checked {len(spaces)} space(s): {wrong:,} item(s) differ{mended}."
        if wrong and not options["repair"]:
            raise CommandError(f"{summary} Run `manage.py check_index --repair`.")
        self.stdout.write(summary)

    def _check(self, space: Space, *, is_repairing: bool) -> Drift:
        try:
            drift = check_space(space.id)
            if is_repairing and drift.total:
                repair_space(space.id, drift)
        except ProviderError as error:
            raise CommandError(f"{space.slug}: {error.detail}") from error
        return drift


def _lines(space: Space, drift: Drift) -> list[str]:
    return [
        f"{space.slug} {kind}: {len(found.missing)} missing, {len(found.stale)} stale,"
        f" {len(found.orphaned or {})} orphaned"
        for kind, found in drift.kinds.items()
        if found.total
    ]

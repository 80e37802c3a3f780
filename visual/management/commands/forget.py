"""`manage.py forget [--space SLUG]`: forget what has faded, as the daily task does."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.errors import StorageFailed
from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from visual.models import VisualRecord
from visual.services.forget import forget_images


class Command(BaseCommand):
    """Take faded images out of recall; purge where a policy asks for it."""

    help = "Take faded images out of recall; delete those that a space's policy no longer keeps."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One space, or all."""
        add_space_argument(parser)

    def handle(self, *args: Any, **options: Any) -> str:
        """Run through the spaces; returns one line. Raises CommandError where files cannot be reached."""
        ids = VisualRecord.everyone.order_by().values_list("space_id", flat=True).distinct()
        spaces = chosen_spaces(options["space"], among=Space.objects.filter(pk__in=list(ids)))
        now = timezone.now()
        try:
            done = [forget_images(space.id, now) for space in spaces]
        except StorageFailed as error:
            raise CommandError("The storage of images does not answer; run it again later.") from error
        forgotten, purged = sum(each.forgotten for each in done), sum(each.purged for each in done)
        orphans = sum(each.orphans for each in done)
        return (
            f"{forgotten} forgotten, {purged} purged, {orphans} stray files removed in {len(done)} space(s)."
        )

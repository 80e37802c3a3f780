"""`manage.py apply_retention [--space SLUG]`: expire what spaces no longer keep, as the daily task does."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from memory.models import RetentionPolicy
from memory.services.retention import apply_retention


class Command(BaseCommand):
    """Expire memories whose time, as the policies of their spaces have it, is over."""

    help = "Expire memories that are older than a retention policy of their space keeps them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One space, or all that have a policy."""
        add_space_argument(parser)

    def handle(self, *args: Any, **options: Any) -> str:
        """Run through the spaces; returns one line."""
        ids = RetentionPolicy.everyone.order_by().values_list("space_id", flat=True).distinct()
        spaces = chosen_spaces(options["space"], among=Space.objects.filter(pk__in=list(ids)))
        now = timezone.now()
        done = sum(apply_retention(space.id, now) for space in spaces)
        return f"{done} memories expired in {len(spaces)} space(s)."

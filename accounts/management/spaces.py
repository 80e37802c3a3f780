"""The `--space` option of commands that work space by space."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import QuerySet

from accounts.models import Space


def add_space_argument(parser: ArgumentParser) -> None:
    """Let the command be told one space."""
    parser.add_argument("--space", metavar="SLUG", help="only this space")


def chosen_spaces(slug: str | None, *, among: QuerySet[Space] | None = None) -> list[Space]:
    """The space of this slug, or all of `among`, by slug. Raises CommandError for an unknown one."""
    if not slug:
        return list((Space.objects.all() if among is None else among).order_by("slug"))
    spaces = list(Space.objects.filter(slug=slug))
    if not spaces:
        raise CommandError(f"There is no space {slug!r}.")
    return spaces

"""Tenant scope as a property of the query.

Every row of every tier belongs to one space. `objects` refuses unscoped
queries; `everyone` is for admin, migrations, commands, sweeps and credential
look-ups only (tests/architecture refuses the name elsewhere).
"""

from typing import Any, Never, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7

M = TypeVar("M", bound=models.Model)


class UnscopedQueryError(RuntimeError):
    """A query without its space: a programming error, never a person's."""


class SpaceManager(models.Manager[M]):
    """A manager whose only ways in name a space."""

    def get_queryset(self) -> Never:
        """Refuse: say which space first."""
        raise UnscopedQueryError(f"{self.model.__name__}.objects: use for_space() or visible_to()")

    def for_space(self, space_id: UUID) -> models.QuerySet[M]:
        """Every row of the space, private ones included: for writers and jobs."""
        return super().get_queryset().filter(space_id=space_id)

    def visible_to(self, space_id: UUID, user_id: UUID) -> models.QuerySet[M]:
        """The rows of the space that this user may see."""
        return self.for_space(space_id).filter(
            models.Q(private_to__isnull=True) | models.Q(private_to=user_id)
        )


class SpaceOwned(models.Model):
    """A row of one space, perhaps private to one of its members.

    `private_to` is the author of the private session that the row came from.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    private_to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Set on everything that came of a private session.",
    )

    everyone: models.Manager[Any] = models.Manager()
    objects: SpaceManager[Any] = SpaceManager()

    class Meta:
        abstract = True
        default_manager_name = "everyone"
        base_manager_name = "everyone"

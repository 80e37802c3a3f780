"""How long a space keeps memories of a type: set by its owners, off unless they do."""

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.types import MemoryType

MOST_DAYS = 36_500


class RetentionPolicy(SpaceOwned):
    """After so many days without being said again a memory of the type is recalled no more."""

    memory_type = models.CharField(
        max_length=16, choices=[(t.value, _(t.value.replace("_", " "))) for t in MemoryType]
    )
    days = models.PositiveIntegerField(
        validators=[MinValueValidator(1)], help_text=_("Since it was filed, or said again.")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = "retention policies"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "memory_type"], name="one_retention_a_type"),
            models.CheckConstraint(
                condition=models.Q(days__gte=1, days__lte=MOST_DAYS), name="retention_is_some_days"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_type}: {self.days} days"

"""How items fare: what their recalls led to, counted apart from the rows they speak of."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.feedback import Outcome
from memory.domain.types import Kind


class UsageCount(SpaceOwned):
    """What became of one record or composite, folded in from the logs in batches."""

    kind = models.CharField(max_length=16, choices=[(kind.value, _(kind.value)) for kind in Kind])
    item_id = models.UUIDField()
    retrievals = models.PositiveIntegerField(default=0, help_text=_("Recalls that handed it over."))
    kept = models.PositiveIntegerField(default=0, help_text=_("Answers that rest on it."))
    success = models.PositiveIntegerField(default=0)
    fail = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "item_id"], name="one_count_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.item_id}: {self.success} / {self.fail}"


class ItemRating(SpaceOwned):
    """A person's own word on one record: did it help?"""

    user_id = models.UUIDField()
    record_id = models.UUIDField()
    outcome = models.CharField(max_length=10, choices=[(o.value, _(o.value)) for o in Outcome])
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user_id", "record_id"], name="one_rating_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.record_id}: {self.outcome}"

"""Rows of the visual memory: images as they are remembered, and how long a space keeps them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from visual.domain.types import SceneType

_SCENES = [(scene.value, _(scene.value)) for scene in SceneType]


class VisualRecord(SpaceOwned):
    """One image of one session. Its file may be shared with other rows of the space.

    `item` is its number in the index of looks, 63 bits of its id; `remembered_at` is when its
    fading began: when it was seen, or last restored. What is due of it is done by workers.
    """

    session_id = models.UUIDField()
    turn_id = models.UUIDField(null=True, blank=True, help_text=_("The turn it was first shown with."))
    position = models.PositiveIntegerField(default=0, help_text=_("That turn's index."))
    item = models.BigIntegerField()
    name = models.CharField(max_length=200, blank=True, help_text=_("As its sender called it."))
    image_hash = models.CharField(max_length=64, help_text=_("Of the decoded pixels."))
    file = models.CharField(max_length=120)
    thumbnail = models.CharField(max_length=120)
    mime = models.CharField(max_length=32)
    byte_size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    frames = models.PositiveIntegerField(default=1)
    looks = models.BigIntegerField(help_text=_("Its perceptual hash."))
    colors: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    caption = models.TextField(blank=True)
    captioned_by = models.CharField(max_length=200, blank=True)
    scene_type = models.CharField(max_length=10, choices=_SCENES, blank=True)
    entities: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    structured: "models.JSONField[dict[str, str]]" = models.JSONField(default=dict, blank=True)
    text_in_image = models.TextField(blank=True)
    words_around = models.TextField(blank=True)
    importance = models.FloatField(default=0.5)
    is_pinned = models.BooleanField(default=False)
    recall_count = models.PositiveIntegerField(default=0)
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField()
    remembered_at = models.DateTimeField()
    expired_at = models.DateTimeField(null=True, blank=True)
    expired_reason = models.CharField(max_length=128, blank=True)
    is_caption_due = models.BooleanField(default=True)
    is_reading_due = models.BooleanField(default=True)
    vector_model = models.CharField(
        max_length=128, blank=True, help_text=_("Which model made the vector of its looks.")
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session_id", "image_hash"], name="one_image_per_session"),
            models.UniqueConstraint(fields=["item"], name="one_item_per_image"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["space", "-id"], name="visual_newest"),
            models.Index(fields=["space", "session_id", "-id"], name="visual_by_session"),
            models.Index(fields=["space", "file"], name="visual_by_file"),
            models.Index(
                fields=["space", "remembered_at"],
                condition=models.Q(expired_at__isnull=True, is_pinned=False),
                name="visual_fading",
            ),
            models.Index(
                fields=["space", "not_before"],
                condition=models.Q(expired_at__isnull=True)
                & (models.Q(is_caption_due=True) | models.Q(is_reading_due=True) | models.Q(vector_model="")),
                name="visual_due",
            ),
        ]

    def __str__(self) -> str:
        return (self.caption or self.name or str(self.id))[:80]


class VisualPolicy(SpaceOwned):
    """How long a space keeps images that are forgotten; without one, for good."""

    purge_after_days = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Days after it was forgotten; empty: never deleted.")
    )

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = _("visual policies")
        constraints: ClassVar = [models.UniqueConstraint(fields=["space"], name="one_visual_policy")]

    def __str__(self) -> str:
        return f"{self.space_id}: {self.purge_after_days}"

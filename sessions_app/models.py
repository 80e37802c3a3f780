"""Conversations as rows: sessions, their turns, the segments they are filed in."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.types import Role


class Session(SpaceOwned):
    """A conversation of turns. Its name is its author's own; others use the id.

    Private when `private_to` is its author. Counts and totals are kept, never scanned.
    """

    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=128)
    title = models.CharField(max_length=200, blank=True)
    topic = models.CharField(max_length=200, blank=True)
    tags: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    turn_count = models.PositiveIntegerField(default=0)
    token_total = models.PositiveBigIntegerField(default=0)
    filed_until = models.PositiveIntegerField(
        default=0, help_text=_("Turns before this index have been put into segments.")
    )
    last_turn_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(
        null=True, blank=True, help_text=_("The conversation was deleted; its memories were kept.")
    )

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "author", "name"],
                condition=models.Q(deleted_at__isnull=True),
                name="one_session_per_name",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["space", "-last_turn_at"], name="session_newest"),
            # For the sweep, which looks every ten seconds.
            models.Index(
                fields=["last_turn_at"],
                condition=models.Q(filed_until__lt=models.F("turn_count")),
                name="session_unfiled",
            ),
            models.Index(
                fields=["deleted_at"],
                condition=models.Q(deleted_at__isnull=False),
                name="session_deleted",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.name


class SessionTurn(SpaceOwned):
    """One utterance, stored before anything is made of it."""

    class State(models.TextChoices):
        """A pending turn holds the session's only claim to answer."""

        COMPLETE = "complete", _("complete")
        PENDING = "pending", _("being written")
        INTERRUPTED = "interrupted", _("interrupted")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    index = models.PositiveIntegerField()
    role = models.CharField(max_length=9, choices=[(r.value, _(r.value)) for r in Role])
    speaker = models.CharField(max_length=128, blank=True)
    author_id = models.UUIDField(null=True, blank=True)
    content = models.TextField(blank=True)
    tokens = models.PositiveIntegerField(default=0)
    said_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=11, choices=State.choices, default=State.COMPLETE)
    lease_until = models.DateTimeField(null=True, blank=True)
    is_consolidated = models.BooleanField(
        default=True, help_text=_("False for turns that must never be filed (consolidate: false).")
    )
    metadata: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict, blank=True)
    retrieval_log_id = models.UUIDField(null=True, blank=True)
    trace: "models.JSONField[dict[str, Any]]" = models.JSONField(
        default=dict, blank=True, help_text=_("How an answer came about, stage by stage; no texts.")
    )

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "index"], name="one_turn_per_index"),
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(state="pending"), name="one_pending_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.index}"


class TurnImage(SpaceOwned):
    """An image that was sent with a turn; the image itself may be gone."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(SessionTurn, on_delete=models.CASCADE, related_name="images")
    visual_id = models.UUIDField()
    place = models.PositiveSmallIntegerField()

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "visual_id"], name="one_link_per_image")
        ]
        indexes: ClassVar = [models.Index(fields=["space", "visual_id"], name="turn_by_image")]

    def __str__(self) -> str:
        return f"image {self.visual_id} of {self.turn_id}"


class Segment(SpaceOwned):
    """Consecutive exchanges on one topic, encoded together. Turns [first, end)."""

    class State(models.TextChoices):
        """From open to what the encoder made of it."""

        OPEN = "open", _("not yet filed")
        CLOSED = "closed", _("waiting to be encoded")
        ENCODED = "encoded", _("encoded")
        REPAIRED = "repaired", _("encoded after a repair")
        FALLBACK = "fallback", _("encoded offline")
        FAILED = "failed", _("failed")
        SKIPPED = "skipped", _("nothing new")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="segments")
    first_turn = models.PositiveIntegerField()
    end_turn = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    tokens = models.PositiveIntegerField(default=0)
    exchanges = models.PositiveIntegerField(default=0)
    surprises: "models.JSONField[list[float]]" = models.JSONField(default=list, blank=True)
    closed_because = models.CharField(max_length=32, blank=True)
    note = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    record_count = models.PositiveIntegerField(default=0)
    aliases: "models.JSONField[dict[str, str]]" = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    encoded_at = models.DateTimeField(null=True, blank=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(state="open"), name="one_open_segment"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["session", "first_turn"], name="segment_by_turn"),
            models.Index(fields=["state", "created_at"], name="segment_by_state"),
        ]

    def __str__(self) -> str:
        return f"turns {self.first_turn}-{self.end_turn}"


class Summary(SpaceOwned):
    """What stands for a session's turns [first, end) in its window. The turns stay as they are.

    At most one of each state: the one in use, one that is being made, one that failed since.
    """

    class State(models.TextChoices):
        """One that is being made holds the session's only claim to compress."""

        READY = "ready", _("in use")
        MAKING = "making", _("being made")
        FAILED = "failed", _("failed")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="summaries")
    first_turn = models.PositiveIntegerField(default=0)
    end_turn = models.PositiveIntegerField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.MAKING)
    sections: "models.JSONField[dict[str, list[str]]]" = models.JSONField(
        default=dict, blank=True, help_text=_("Goals, decisions, facts, open points, results of tools.")
    )
    tokens = models.PositiveIntegerField(default=0)
    covered_tokens = models.PositiveBigIntegerField(default=0)
    covered_turns = models.PositiveIntegerField(default=0)
    session_tokens = models.PositiveBigIntegerField(
        help_text=_("Of the session when this was begun: the next one waits until more was said.")
    )
    is_capped = models.BooleanField(default=False, help_text=_("More is to be summarised at once."))
    made_by = models.CharField(max_length=200, blank=True)
    note = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=1)
    holder = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "state"], name="one_summary_per_state")
        ]
        verbose_name_plural = _("summaries")

    def __str__(self) -> str:
        return f"turns {self.first_turn}-{self.end_turn}"


class UsageEntry(SpaceOwned):
    """What one call of a model took, and what it was for. Never a text.

    `session`, `turn_id` and `segment_id` say what caused it, where something did.
    """

    purpose = models.CharField(max_length=16)
    model = models.CharField(max_length=200)
    day = models.DateField(help_text=_("In UTC."))
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    cached_tokens = models.PositiveIntegerField(default=0)
    is_estimated = models.BooleanField(
        default=False, help_text=_("Counted here, because the provider did not say.")
    )
    session = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, related_name="+")
    turn_id = models.UUIDField(null=True)
    segment_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [models.Index(fields=["space", "day"], name="usage_by_day")]
        verbose_name_plural = _("usage entries")

    def __str__(self) -> str:
        return f"{self.purpose} {self.day}"

"""Rows of the memory tier: the truth from which every index is derived.

Session and turn ids are plain UUIDs: nothing here points upward.
"""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.types import Kind, MemoryType, Role

_MEMORY_TYPES = [(t.value, _(t.value.replace("_", " "))) for t in MemoryType]
_ROLES = [(r.value, _(r.value)) for r in Role]
_KINDS = [(k.value, _(k.value)) for k in Kind]


class MemoryRecord(SpaceOwned):
    """One self-contained fact with type, entities, time and provenance.

    Four instants: `valid_from`/`valid_to` (when it was true) and
    `learned_at`/`expired_at` (when we knew).
    """

    memory_type = models.CharField(max_length=16, choices=_MEMORY_TYPES)
    semantic_text = models.TextField()
    normalized_text = models.TextField()
    subject = models.CharField(max_length=128, blank=True)
    slot = models.CharField(max_length=64, blank=True)
    value = models.CharField(max_length=512, blank=True)
    entities: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    topics: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    tags: "models.JSONField[dict[str, list[str]]]" = models.JSONField(default=dict, blank=True)
    time_ref = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    learned_at = models.DateTimeField()
    said_at = models.DateTimeField(help_text=_("When its first evidence turn was said."))
    expired_at = models.DateTimeField(null=True, blank=True)
    expired_reason = models.CharField(max_length=128, blank=True)
    source_role = models.CharField(max_length=9, choices=_ROLES, default=Role.USER)
    is_confirmed = models.BooleanField(default=True)
    is_suspicious = models.BooleanField(
        default=False, help_text=_("Reads like an instruction to the model; it stays quoted data.")
    )
    confidence = models.FloatField(default=0.8)
    seen_count = models.PositiveIntegerField(default=1)
    content_hash = models.CharField(max_length=64)
    session_id = models.UUIDField(help_text=_("The session it was first learned in."))
    segment_id = models.UUIDField(null=True, blank=True)
    edited_at = models.DateTimeField(null=True, blank=True, help_text=_("Set once a person changed it."))
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["space", "-id"], name="record_newest"),
            models.Index(fields=["space", "session_id"], name="record_by_session"),
            models.Index(fields=["space", "segment_id"], name="record_by_segment"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "content_hash"],
                condition=models.Q(expired_at__isnull=True, private_to__isnull=True),
                name="one_live_shared_statement",
            ),
            models.UniqueConstraint(
                fields=["space", "private_to", "content_hash"],
                condition=models.Q(expired_at__isnull=True, private_to__isnull=False),
                name="one_live_private_statement",
            ),
        ]

    def __str__(self) -> str:
        return self.semantic_text[:80]


class RecordEvidence(SpaceOwned):
    """A turn that a record rests on."""

    record = models.ForeignKey(MemoryRecord, on_delete=models.CASCADE, related_name="evidence")
    session_id = models.UUIDField()
    turn_id = models.UUIDField()
    turn_index = models.PositiveIntegerField()
    segment_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = "record evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["record", "turn_id"], name="one_evidence_per_turn")
        ]
        indexes: ClassVar = [models.Index(fields=["space", "turn_id"], name="evidence_by_turn")]

    def __str__(self) -> str:
        return f"turn {self.turn_index}"


class IndexedItem(models.Model):
    """The small integer under which the indexes know a turn or record.

    Written in the row's own transaction; `length` counts search terms.
    """

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    private_to = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=8, choices=_KINDS)
    uid = models.UUIDField()
    session_id = models.UUIDField()
    position = models.PositiveIntegerField()
    speaker = models.CharField(max_length=128, blank=True)
    length = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "uid"], name="one_entry_per_item")
        ]
        indexes: ClassVar = [
            models.Index(fields=["space", "kind", "session_id", "position"], name="item_by_position")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class IndexOutbox(models.Model):
    """An item whose vector must follow its row; drained in id order per space."""

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=_KINDS)
    uid = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "index outbox"
        indexes: ClassVar = [models.Index(fields=["space", "id"], name="outbox_by_space")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class RetrievalLog(SpaceOwned):
    """One recall: what was asked, planned, found, kept, and what came of it."""

    class Outcome(models.TextChoices):
        """What the recall led to."""

        OPEN = "open", _("open")
        SUCCESS = "success", _("success")
        FAIL = "fail", _("fail")
        CORRECTION = "correction", _("correction")

    user_id = models.UUIDField()
    session_id = models.UUIDField(null=True, blank=True)
    query = models.TextField()
    effort = models.CharField(max_length=8)
    plan: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict)
    hits: "models.JSONField[list[dict[str, Any]]]" = models.JSONField(default=list)
    dropped: "models.JSONField[list[dict[str, Any]]]" = models.JSONField(default=list)
    notes: "models.JSONField[list[str]]" = models.JSONField(default=list)
    timings_ms: "models.JSONField[dict[str, float]]" = models.JSONField(default=dict)
    kept_ids: "models.JSONField[list[str]]" = models.JSONField(default=list)
    response_excerpt = models.CharField(max_length=1_000, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [models.Index(fields=["space", "-id"], name="log_newest")]

    def __str__(self) -> str:
        return self.query[:80]

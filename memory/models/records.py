"""Records and what stands above and beside them: composites, silenced turns, models, logs."""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.types import MemoryType, Role

_MEMORY_TYPES = [(t.value, _(t.value.replace("_", " "))) for t in MemoryType]
_ROLES = [(r.value, _(r.value)) for r in Role]


class MemoryRecord(SpaceOwned):
    """One self-contained fact with type, entities, time and provenance.

    Four instants: `valid_from`/`valid_to` (when it was true) and
    `learned_at`/`expired_at` (when we knew). A newer value of the same attribute
    supersedes it: then `valid_to` is where that one begins, `stated_valid_to` keeps the
    end that was told, and `superseded_at` is when both were known.
    """

    class Origin(models.TextChoices):
        """How it came: of what was said here, or brought along by a person or a program."""

        SAID = "said", _("said here")
        IMPORTED = "imported", _("imported")

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
    superseded_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    superseded_at = models.DateTimeField(null=True, blank=True)
    stated_valid_to = models.DateTimeField(null=True, blank=True)
    fusion_due = models.PositiveIntegerField(
        default=1, help_text=_("0 once it was compared with the others; grows when that is due again.")
    )
    source_role = models.CharField(max_length=9, choices=_ROLES, default=Role.USER)
    is_confirmed = models.BooleanField(default=True)
    is_suspicious = models.BooleanField(
        default=False, help_text=_("Reads like an instruction to the model; it stays quoted data.")
    )
    confidence = models.FloatField(default=0.8)
    seen_count = models.PositiveIntegerField(default=1)
    content_hash = models.CharField(max_length=64)
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.SAID)
    session_id = models.UUIDField(help_text=_("The session it was first learned in."))
    segment_id = models.UUIDField(null=True, blank=True)
    edited_at = models.DateTimeField(null=True, blank=True, help_text=_("Set once a person changed it."))
    corrected_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Set while its words differ from those in which it was filed.")
    )
    is_pinned = models.BooleanField(
        default=False, help_text=_("Kept by a person's word: nothing automatic takes it out of recall.")
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["space", "-id"], name="record_newest"),
            models.Index(fields=["space", "session_id"], name="record_by_session"),
            models.Index(fields=["space", "segment_id"], name="record_by_segment"),
            models.Index(fields=["space", "slot"], name="record_by_slot", condition=~models.Q(slot="")),
            models.Index(
                fields=["space"],
                name="record_to_fuse",
                condition=models.Q(fusion_due__gt=0, expired_at__isnull=True),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "content_hash"],
                condition=models.Q(
                    expired_at__isnull=True, superseded_at__isnull=True, private_to__isnull=True
                ),
                name="one_live_shared_statement",
            ),
            models.UniqueConstraint(
                fields=["space", "private_to", "content_hash"],
                condition=models.Q(
                    expired_at__isnull=True, superseded_at__isnull=True, private_to__isnull=False
                ),
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
    said_at = models.DateTimeField(null=True, help_text=_("When the turn was said."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = "record evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["record", "turn_id"], name="one_evidence_per_turn")
        ]
        indexes: ClassVar = [models.Index(fields=["space", "turn_id"], name="evidence_by_turn")]

    def __str__(self) -> str:
        return f"turn {self.turn_index}"


class CompositeRecord(SpaceOwned):
    """A record standing for several: an inner node of the memory tree.

    Derived from its children by fusion, and rebuilt from them; `representative` is the
    leaf whose text it bears, `centroid` its place among the vectors (float32, unit length).
    """

    level = models.PositiveSmallIntegerField(help_text=_("1 stands for records, 2 for those of 1, …"))
    representative = models.ForeignKey(MemoryRecord, on_delete=models.CASCADE, related_name="+")
    semantic_text = models.TextField()
    memory_type = models.CharField(max_length=16, choices=_MEMORY_TYPES)
    subjects: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    entities: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    topics: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    tags: "models.JSONField[dict[str, list[str]]]" = models.JSONField(default=dict, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    said_at = models.DateTimeField(help_text=_("When the newest of its records was said."))
    title = models.CharField(
        max_length=120, blank=True, help_text=_("By the model, of its records; often there is none.")
    )
    titled_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the model was asked for a title, whatever came of it.")
    )
    title_attempts = models.PositiveSmallIntegerField(default=0)
    title_not_before = models.DateTimeField(null=True, blank=True)
    confidence = models.FloatField()
    leaf_count = models.PositiveIntegerField(help_text=_("Records it stands for."))
    session_id = models.UUIDField(help_text=_("The session of its representative."))
    centroid = models.BinaryField()
    fusion_due = models.PositiveIntegerField(default=1, help_text=_("As a record's, among its level."))
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["space", "level"], name="composite_by_level"),
            models.Index(fields=["space"], name="composite_to_fuse", condition=models.Q(fusion_due__gt=0)),
            models.Index(
                fields=["space"], name="composite_to_title", condition=models.Q(titled_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.semantic_text[:80]


class CompositeLink(SpaceOwned):
    """A composite and one child of it: a record, or a composite of the level below.

    A child has one parent, so that what links make is a tree whatever runs at once.
    """

    parent = models.ForeignKey(CompositeRecord, on_delete=models.CASCADE, related_name="children")
    record = models.OneToOneField(
        MemoryRecord, on_delete=models.CASCADE, null=True, blank=True, related_name="parent_link"
    )
    composite = models.OneToOneField(
        CompositeRecord, on_delete=models.CASCADE, null=True, blank=True, related_name="parent_link"
    )

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(record__isnull=True) ^ models.Q(composite__isnull=True),
                name="one_child_a_link",
            )
        ]

    def __str__(self) -> str:
        return f"{self.parent_id} over {self.record_id or self.composite_id}"


class SilencedTurn(SpaceOwned):
    """A turn of which a memory was erased: encoding it again yields nothing new, and it is
    recalled only while another live record rests on it.
    """

    turn_id = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [models.UniqueConstraint(fields=["space", "turn_id"], name="silenced_once")]

    def __str__(self) -> str:
        return f"turn {self.turn_id}"


class ModelStatus(models.Model):
    """How a configured model is doing, as the process that called it last knows: one row a task.

    Never a key, and never a provider's own words.
    """

    task = models.CharField(max_length=16, unique=True, help_text=_("language or embedding"))
    model = models.CharField(max_length=200)
    origin = models.CharField(max_length=255, blank=True, help_text=_("Where it is called."))
    is_failing = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True, help_text=_("The last failure."))
    failure = models.CharField(max_length=300, blank=True, help_text=_("What it was, and what to do."))
    noted_at = models.DateTimeField(help_text=_("The call by which this is known."))

    class Meta:
        verbose_name_plural = _("model status")

    def __str__(self) -> str:
        return f"{self.task}: {self.model}"


class RetrievalLog(SpaceOwned):
    """One recall: what was asked, planned, found, kept, and what came of it."""

    class Outcome(models.TextChoices):
        """What the recall led to."""

        OPEN = "open", _("open")
        SUCCESS = "success", _("success")
        FAIL = "fail", _("fail")
        CORRECTION = "correction", _("correction")

    class Judge(models.TextChoices):
        """Who said so; a person's word counts before what rules and models read."""

        NOBODY = "", _("nobody")
        RULES = "rules", _("rules")
        MODEL = "model", _("model")
        USER = "user", _("user")
        CURATOR = "curator", _("curator")

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
    judged_by = models.CharField(max_length=8, choices=Judge.choices, default=Judge.NOBODY, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    is_folded = models.BooleanField(default=False, help_text=_("Whether the counters know it as it is now."))
    folded: "models.JSONField[dict[str, Any]]" = models.JSONField(
        default=dict, blank=True, help_text=_("What was counted of it, by item.")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["space", "-id"], name="log_newest"),
            models.Index(fields=["space", "session_id", "-id"], name="log_by_session"),
            models.Index(fields=["id"], name="log_to_fold", condition=models.Q(is_folded=False)),
        ]

    def __str__(self) -> str:
        return self.query[:80]

"""People, spaces (the tenants), memberships, jobs and the audit trail."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from accounts.tenancy import SpaceManager, SpaceOwned


class User(AbstractUser):
    """A person who signs in. Naive times they give mean their `time_zone`."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    username = models.CharField(
        _("user name"),
        max_length=64,
        unique=True,
        validators=[AbstractUser.username_validator, MinLengthValidator(2)],
        help_text=_("2 to 64 letters, digits or @ . + - _"),
        error_messages={"unique": _("This name is taken.")},
    )
    display_name = models.CharField(_("display name"), max_length=128, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    former_names: "models.JSONField[list[str]]" = models.JSONField(
        default=list, blank=True, help_text="What the memory called this person before, newest first."
    )
    must_change_password = models.BooleanField(_("must change password"), default=False)

    # AbstractUser splits the name in two; people have one.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["username"]
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("username"), name="one_name_whatever_its_case"),
        ]

    @property
    def speaker(self) -> str:
        """The name under which the memory knows this person."""
        return self.display_name or self.username

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which this person has spoken, the present one first."""
        return (self.speaker, *self.former_names)

    def get_full_name(self) -> str:
        """The one name people have."""
        return self.speaker

    def get_short_name(self) -> str:
        """The one name people have."""
        return self.speaker


class Space(models.Model):
    """A named memory that belongs to members: the tenant."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=128)
    personal_to = models.OneToOneField(
        User,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="personal_space",
        help_text=_("Set on the space that was made with a user."),
    )
    are_sessions_private = models.BooleanField(
        default=False, help_text=_("Whether a new session is private unless it says otherwise.")
    )
    is_screening_secrets = models.BooleanField(
        default=True, help_text=_("Keys, passwords and card numbers are redacted before storing.")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    members: "models.ManyToManyField[User, Membership]" = models.ManyToManyField(
        User, through="Membership", related_name="spaces"
    )

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Membership(models.Model):
    """What a person may do in a space."""

    class Role(models.TextChoices):
        """Owners manage, editors write, viewers recall."""

        OWNER = "owner", _("owner")
        EDITOR = "editor", _("editor")
        VIEWER = "viewer", _("viewer")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.VIEWER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "user"], name="one_membership_per_space")
        ]

    def __str__(self) -> str:
        return f"{self.user.username}, {self.role} of {self.space.slug}"


class JobManager(SpaceManager["Job"]):
    """Jobs as workers meet them: the broker carries nothing but an id."""

    def with_id(self, job_id: UUID) -> "models.QuerySet[Job]":
        """The one job with this id, whatever its space: for the worker that was handed it."""
        return models.QuerySet(self.model, using=self._db).filter(pk=job_id)


class Job(SpaceOwned):
    """Queued work as a row: what the broker forgets, this remembers.

    Claimed by conditional update under a lease; attempts count before the work.
    """

    class State(models.TextChoices):
        """The life of a job."""

        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    kind = models.CharField(max_length=32)
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    subject_id = models.UUIDField(help_text="What it works on, e.g. a session.")
    arguments: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict)
    result: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_holder = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[JobManager] = JobManager()  # type: ignore[misc]

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["state", "created_at"], name="job_by_state"),
            models.Index(fields=["space", "subject_id", "kind"], name="job_by_subject"),
        ]
        constraints: ClassVar = [
            # A second request while one waits joins it; a running one may have a successor.
            models.UniqueConstraint(
                fields=["kind", "subject_id"],
                condition=models.Q(state="queued"),
                name="one_queued_job_per_subject",
            ),
            models.UniqueConstraint(
                fields=["kind", "subject_id"],
                condition=models.Q(state="running"),
                name="one_running_job_per_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class Tombstone(SpaceOwned):
    """The keyed hash of a statement that was erased: it blocks its return, and tells nothing.

    Its id is a UUIDv7, so that what was stored before the erasure sorts before it.
    """

    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [models.Index(fields=["space", "digest"], name="tombstone_by_digest")]

    def __str__(self) -> str:
        return f"erased {self.created_at:%Y-%m-%d}"


class IdempotencyKey(models.Model):
    """A write that a program may send again: by its key the stored reply, once there is one.

    `request_digest` is keyed and tells nothing of the request. A reply's body may hold what people
    said; it goes when anything of its space is erased, and with the key after a day.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    space_id = models.UUIDField(null=True, blank=True, db_index=True)
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty while it is under way.")
    headers: "models.JSONField[dict[str, str]]" = models.JSONField(default=dict, blank=True)
    body = models.BinaryField(null=True, blank=True, help_text="Empty for a stream, or once erased.")
    is_erased = models.BooleanField(
        default=False, help_text="Something of its space was erased since it began: its body is not kept."
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="one_write_per_idempotency_key")
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"


class AuditEvent(models.Model):
    """Who changed what and when; fields by name, and of records their values while these live.

    `changes` maps a field to its value before and after; `version` is the row's after the change.
    When the row is erased its values go from here too, and `digest`, keyed, is all that is left.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    space_id = models.UUIDField(null=True, db_index=True)
    user_id = models.UUIDField(null=True)
    action = models.CharField(max_length=64)
    object_type = models.CharField(max_length=32)
    object_id = models.UUIDField()
    fields: "models.JSONField[list[str]]" = models.JSONField(default=list)
    changes: "models.JSONField[dict[str, list[Any]]]" = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [models.Index(fields=["object_id"], name="audit_by_object")]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type}"


class Pulse(models.Model):
    """One row that the readiness probe writes, to learn whether the database still can."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"

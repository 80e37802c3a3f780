"""Rows of procedural memory: skills, every version of each, and what they rest on."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from skills.domain.types import Origin, SkillState, SkillText

_STATES = [(SkillState.DRAFT.value, _("draft")), (SkillState.ACTIVE.value, _("active"))]
_STATES += [(SkillState.RETIRED.value, _("retired"))]
_ORIGINS = [
    (Origin.TAUGHT.value, _("taught")),
    (Origin.OBSERVED.value, _("seen in the use of tools")),
    (Origin.SUGGESTED.value, _("suggested by an assistant")),
    (Origin.WRITTEN.value, _("written")),
    (Origin.IMPORTED.value, _("imported")),
]


class SkillWords(models.Model):
    """What a skill says, in the skill itself and in each of its versions."""

    intent = models.CharField(max_length=300)
    doc_markdown = models.TextField()
    preconditions: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    tools: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    flagged_because = models.CharField(
        max_length=200, blank=True, help_text=_("Why a curator should read it before it is used.")
    )

    class Meta:
        abstract = True

    @property
    def text(self) -> SkillText:
        """The words as a value."""
        return SkillText(self.intent, self.doc_markdown, tuple(self.preconditions), tuple(self.tools))


class Skill(SkillWords, SpaceOwned):
    """A reusable way of doing something, as it is in force; its versions keep what it said before.

    `number` is that of the version in force, `version` counts every change. What a person wrote
    (`edited_at`) or decided (`decided_at`) is not undone by learning.
    """

    state = models.CharField(max_length=8, choices=_STATES, default=SkillState.DRAFT.value)
    intent_key = models.CharField(max_length=64)
    number = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    session_id = models.UUIDField(null=True, blank=True, help_text=_("The session it was first learned in."))
    edited_at = models.DateTimeField(null=True, blank=True, help_text=_("Set once a person wrote its text."))
    decided_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Set once a person chose its state.")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(SpaceOwned.Meta):
        indexes: ClassVar = [
            models.Index(fields=["space", "-id"], name="skill_newest"),
            models.Index(fields=["space", "state"], name="skill_by_state"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "intent_key"],
                condition=models.Q(private_to__isnull=True),
                name="one_shared_skill_per_intent",
            ),
            models.UniqueConstraint(
                fields=["space", "private_to", "intent_key"],
                condition=models.Q(private_to__isnull=False),
                name="one_private_skill_per_intent",
            ),
        ]

    def __str__(self) -> str:
        return self.intent[:80]


class SkillVersion(SkillWords, SpaceOwned):
    """What a skill said at some time: nothing is overwritten. `user_id`: the person who wrote it."""

    skill = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    origin = models.CharField(max_length=9, choices=_ORIGINS)
    segment_id = models.UUIDField(null=True, blank=True)
    user_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["skill", "number"], name="one_skill_version_per_number")
        ]

    def __str__(self) -> str:
        return f"version {self.number}"


class SkillEvidence(SpaceOwned):
    """Turns [first, end) of a segment that taught or showed a skill: one success of it, once a segment."""

    skill = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="evidence")
    session_id = models.UUIDField()
    segment_id = models.UUIDField()
    first_turn = models.PositiveIntegerField()
    end_turn = models.PositiveIntegerField()
    origin = models.CharField(max_length=9, choices=_ORIGINS)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = _("skill evidence")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["skill", "segment_id"], name="one_skill_success_per_segment")
        ]
        indexes: ClassVar = [models.Index(fields=["space", "segment_id"], name="skill_by_segment")]

    def __str__(self) -> str:
        return f"turns {self.first_turn} to {self.end_turn}"

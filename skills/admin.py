"""The administration of skills: they change through the services alone, as on the pages."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin import (
    LycheeAdmin,
    PrivateAdmin,
    ReadOnlyAdmin,
    ReadOnlyInline,
    VersionedForm,
    beginning,
    marked,
)
from accounts.errors import LycheeError
from accounts.principals import Principal
from memory.admin.acting import act_on_each, acting_on
from skills.domain.types import SkillState
from skills.models import Skill, SkillEvidence, SkillVersion
from skills.services.curate import EDITABLE, delete_skill, edit_skill

CHANGEABLE = (*EDITABLE, "state")


class VersionInline(ReadOnlyInline):
    """What the skill said at some time, the newest first."""

    model = SkillVersion
    ordering = ("-number",)
    fields = ("number", "origin", "doc_markdown", "flagged_because", "created_at")


class EvidenceInline(ReadOnlyInline):
    """The turns that taught or showed it."""

    model = SkillEvidence
    fields = ("session_id", "first_turn", "end_turn", "origin", "created_at")


@admin.register(Skill)
class SkillAdmin(PrivateAdmin, LycheeAdmin):
    """Ways of doing something: what they say, as what they are used, and what they said before."""

    comes_of = _("Skills are learned where a conversation shows how something is done, or written by people.")
    list_display = (
        "beginning_of_intent",
        "state",
        marked("flagged_because", _("read before use")),
        "space",
        "number",
        "updated_at",
    )
    list_filter = (
        "state",
        ("flagged_because", admin.EmptyFieldListFilter),
        ("private_to", admin.EmptyFieldListFilter),
        "updated_at",
    )
    search_fields = ("intent", "doc_markdown", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)
    form = VersionedForm
    inlines = (VersionInline, EvidenceInline)
    actions = ("activate", "put_back", "retire", "erase")

    @admin.display(description=_("intent"))
    def beginning_of_intent(self, skill: Skill) -> str:
        """Its beginning."""
        return beginning(skill.intent)

    def get_readonly_fields(self, request: HttpRequest, obj: Skill | None = None) -> tuple[str, ...]:
        """Everything but what a person may correct."""
        return tuple(field.name for field in self.opts.concrete_fields if field.name not in CHANGEABLE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Skills are learned, or written on their page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Skill | None = None) -> bool:
        """Not what came of somebody's private session."""
        may = bool(super().has_change_permission(request, obj))
        return may and (obj is None or obj.private_to_id in (None, request.user.pk))

    def save_model(
        self,
        request: HttpRequest,
        obj: Skill,
        form: "ModelForm[Any]",
        change: bool,  # noqa: FBT001
    ) -> None:
        """Hand what changed to the service; a refusal is told and changes nothing."""
        changes = {name: form.cleaned_data[name] for name in form.changed_data if name in CHANGEABLE}
        version: int = form.cleaned_data["seen_version"]
        try:
            edit_skill(acting_on(request, obj), obj.pk, changes, version=version)
        except LycheeError as error:
            self.message_user(request, error.detail, messages.ERROR)

    @admin.action(description=_("Activate: use from now on"))
    def activate(self, request: HttpRequest, queryset: "QuerySet[Skill]") -> None:
        """Use the chosen skills; whoever does so has read them."""
        self._each(request, queryset, partial(_put, state=SkillState.ACTIVE))

    @admin.action(description=_("Put back to the drafts"))
    def put_back(self, request: HttpRequest, queryset: "QuerySet[Skill]") -> None:
        """Use the chosen skills no more until somebody activates them."""
        self._each(request, queryset, partial(_put, state=SkillState.DRAFT))

    @admin.action(description=_("Retire: never use"))
    def retire(self, request: HttpRequest, queryset: "QuerySet[Skill]") -> None:
        """Retire the chosen skills."""
        self._each(request, queryset, partial(_put, state=SkillState.RETIRED))

    @admin.action(description=_("Delete for good, with all versions"))
    def erase(self, request: HttpRequest, queryset: "QuerySet[Skill]") -> None:
        """Delete the chosen skills; they are learned again only of what is said later."""
        self._each(request, queryset, delete_skill)

    def _each(
        self,
        request: HttpRequest,
        skills: "QuerySet[Skill]",
        act: Callable[[Principal, UUID], object],
    ) -> None:
        """Do it to each skill that may be changed."""
        rows = [row for row in skills.select_related("space") if self.has_change_permission(request, row)]
        act_on_each(self, request, rows, act, str(_("%(n)d changed.")))


@admin.register(SkillEvidence)
class SkillEvidenceAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Which turns stand behind which skills."""

    list_display = ("skill", "session_id", "first_turn", "end_turn", "origin", "created_at")
    list_filter = ("origin", "created_at")
    search_fields = ("=skill__id", "=session_id", "=segment_id", "space__slug")
    list_select_related = ("skill",)


def _put(principal: Principal, skill_id: UUID, *, state: SkillState) -> None:
    edit_skill(principal, skill_id, {"state": state})

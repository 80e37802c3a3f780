"""The administration of records and what is derived from them; records change through services alone."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from unfold.admin import TabularInline

from accounts.admin import LycheeAdmin, ReadOnlyAdmin, beginning
from accounts.errors import LycheeError
from accounts.models import Membership, User
from accounts.principals import Principal
from memory.models import (
    CompositeLink,
    CompositeRecord,
    FusionLease,
    IndexedItem,
    IndexLease,
    IndexOutbox,
    IndexScope,
    IndexState,
    MemoryRecord,
    ModelStatus,
    RecordEvidence,
    RetrievalLog,
)
from memory.providers.registry import embedder
from memory.selectors import model_states, reembedding_of
from memory.services.curate import EDITABLE, edit_record, expire_record
from memory.services.reembed import request_reembedding, spaces_to_reembed


class EvidenceInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """The turns that a record rests on."""

    model = RecordEvidence
    extra = 0
    max_num = 0
    can_delete = False
    fields = ("session_id", "turn_index", "turn_id", "segment_id")
    readonly_fields = fields


class RecordForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A correction, with the version that the person saw."""

    seen_version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen_version"].initial = self.instance.version


@admin.register(MemoryRecord)
class MemoryRecordAdmin(LycheeAdmin):
    """What is remembered. A correction goes through the same service as on the pages."""

    list_display = ("statement", "memory_type", "subject", "space", "said_at", "is_live", "seen_count")
    list_filter = (
        "memory_type",
        ("expired_at", admin.EmptyFieldListFilter),
        ("private_to", admin.EmptyFieldListFilter),
        "is_suspicious",
        "said_at",
    )
    search_fields = ("semantic_text", "subject", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)
    form = RecordForm
    inlines = (EvidenceInline,)
    actions = ("expire",)

    @admin.display(description="statement")
    def statement(self, record: MemoryRecord) -> str:
        """Its beginning."""
        return beginning(record.semantic_text)

    @admin.display(boolean=True, description="remembered")
    def is_live(self, record: MemoryRecord) -> bool:
        """Whether it is recalled."""
        return record.expired_at is None

    def get_readonly_fields(self, request: HttpRequest, obj: MemoryRecord | None = None) -> tuple[str, ...]:
        """Everything but what a person may correct."""
        fields = self.opts.concrete_fields
        return tuple(field.name for field in fields if field.name not in EDITABLE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Records come of what was said."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: MemoryRecord | None = None) -> bool:
        """Not an expired one, and not what came of somebody's private session."""
        may = bool(super().has_change_permission(request, obj))
        return may and (
            obj is None or (obj.expired_at is None and obj.private_to_id in (None, request.user.pk))
        )

    def save_model(
        self,
        request: HttpRequest,
        obj: MemoryRecord,
        form: "ModelForm[Any]",
        change: bool,  # noqa: FBT001
    ) -> None:
        """Hand what changed to the service; a refusal is told and changes nothing."""
        changes = {name: form.cleaned_data[name] for name in form.changed_data if name in EDITABLE}
        changes["version"] = form.cleaned_data["seen_version"]
        try:
            edit_record(_acting(request, obj), obj.pk, changes)
        except LycheeError as error:
            self.message_user(request, error.detail, messages.ERROR)

    @admin.action(description=_("Expire: no longer recall"))
    def expire(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """Expire the chosen records that may be changed."""
        count = 0
        for record in queryset:
            if self.has_change_permission(request, record):
                expire_record(_acting(request, record), record.pk, "expired in the administration")
                count += 1
        self.message_user(request, _("%(n)d expired.") % {"n": count})


@admin.register(RecordEvidence)
class RecordEvidenceAdmin(ReadOnlyAdmin):
    """Which turns stand behind which records."""

    list_display = ("record", "session_id", "turn_index", "turn_id", "created_at")
    list_filter = ("created_at",)
    search_fields = ("=record__id", "=turn_id", "=session_id", "space__slug")
    list_select_related = ("record",)
    ordering = ("-id",)


@admin.register(RetrievalLog)
class RetrievalLogAdmin(ReadOnlyAdmin):
    """What was asked, planned, found and kept."""

    list_display = ("query_start", "space", "effort", "outcome", "hit_count", "created_at")
    list_filter = ("outcome", "effort", "created_at")
    search_fields = ("query", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)

    @admin.display(description="question")
    def query_start(self, log: RetrievalLog) -> str:
        """Its beginning."""
        return beginning(log.query)

    @admin.display(description="kept")
    def hit_count(self, log: RetrievalLog) -> int:
        """How many items were handed to the answer."""
        return len(log.hits)


class ChildInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """What a composite stands for."""

    model = CompositeLink
    fk_name = "parent"
    extra = 0
    max_num = 0
    can_delete = False
    fields = ("record", "composite")
    readonly_fields = fields
    show_change_link = True


@admin.register(CompositeRecord)
class CompositeRecordAdmin(ReadOnlyAdmin):
    """The inner nodes of the memory tree; they follow from their records."""

    list_display = ("statement", "level", "leaf_count", "memory_type", "space", "said_at")
    list_filter = ("level", "memory_type", ("private_to", admin.EmptyFieldListFilter))
    search_fields = ("semantic_text", "space__slug", "=id")
    list_select_related = ("space",)
    ordering = ("-level", "-id")
    inlines = (ChildInline,)

    @admin.display(description="statement")
    def statement(self, composite: CompositeRecord) -> str:
        """Its beginning."""
        return beginning(composite.semantic_text)


@admin.register(CompositeLink)
class CompositeLinkAdmin(ReadOnlyAdmin):
    """Which children stand under which composites."""

    list_display = ("parent", "record", "composite", "space")
    search_fields = ("=parent__id", "=record__id", "=composite__id", "space__slug")
    list_select_related = ("parent", "record", "composite", "space")
    ordering = ("-id",)


@admin.register(IndexedItem)
class IndexedItemAdmin(ReadOnlyAdmin):
    """What the indexes know."""

    list_display = ("id", "kind", "uid", "space", "session_id", "position", "length")
    list_filter = ("kind",)
    search_fields = ("=uid", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)


@admin.register(IndexOutbox)
class IndexOutboxAdmin(ReadOnlyAdmin):
    """Items whose vectors are still to follow."""

    list_display = ("id", "kind", "uid", "space", "created_at")
    list_filter = ("kind", "created_at")
    search_fields = ("=uid",)
    list_select_related = ("space",)
    ordering = ("-id",)


@admin.register(IndexScope)
class IndexScopeAdmin(ReadOnlyAdmin):
    """What each audience's word statistics are made of."""

    list_display = ("space", "private_to", "kind", "items", "total_length")
    list_filter = ("kind",)
    search_fields = ("space__slug",)
    list_select_related = ("space", "private_to")


@admin.register(IndexState)
class IndexStateAdmin(ReadOnlyAdmin):
    """Which embedder made a space's vectors, and how far they are."""

    list_display = ("space", "kind", "embedder", "dimension", "in_use", "progress", "epoch", "seq")
    list_filter = ("kind", "embedder")
    search_fields = ("space__slug",)
    list_select_related = ("space",)
    actions = ("reembed",)

    @admin.display(boolean=True, description="of the embedder in use")
    def in_use(self, state: IndexState) -> bool:
        """Otherwise the space is recalled by words alone."""
        return (state.embedder, state.dimension) == (embedder().name, embedder().dimension)

    @admin.display(description="re-embedding")
    def progress(self, state: IndexState) -> str:
        """How far it is, where it is asked for."""
        found = reembedding_of(state.space_id)
        if found is None or found.job_id is None:
            return ""
        return f"{found.state}: {found.done} / {found.total or '?'}. {found.error}".strip()

    @admin.action(description="Embed these spaces again with the embedder in use, in the background")
    def reembed(self, request: HttpRequest, queryset: "QuerySet[IndexState]") -> None:
        """Queue a job for each chosen space whose vectors are of another embedder."""
        due = set(spaces_to_reembed()).intersection(queryset.values_list("space_id", flat=True))
        for space_id in due:
            request_reembedding(space_id, user_id=request.user.pk)
        self.message_user(request, _("%(n)d queued.") % {"n": len(due)})


@admin.register(IndexLease)
class IndexLeaseAdmin(ReadOnlyAdmin):
    """Who embeds what waits in a space."""

    list_display = ("space", "holder", "until")
    list_filter = ("until",)
    search_fields = ("space__slug",)
    list_select_related = ("space",)


@admin.register(ModelStatus)
class ModelStatusAdmin(ReadOnlyAdmin):
    """Whether each configured model answered when it was last asked, in whichever process."""

    list_display = ("task", "model", "origin", "is_answering", "failing_since", "failure", "noted_at")
    list_filter = ("is_failing",)
    search_fields = ("task", "model", "origin")
    ordering = ("task",)

    @admin.display(boolean=True, description="answers")
    def is_answering(self, status: ModelStatus) -> bool:
        """The last call did not fail."""
        return not status.is_failing

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, with a sentence about what is configured."""
        states = model_states()
        told = " ".join(f"{state.task}: {state.model}." for state in states)
        self.message_user(request, told or _("No model is configured: rules answer and encode."))
        return super().changelist_view(request, extra_context)


@admin.register(FusionLease)
class FusionLeaseAdmin(ReadOnlyAdmin):
    """Who fuses the records of a space."""

    list_display = ("space", "holder", "until")
    list_filter = ("until",)
    search_fields = ("space__slug",)
    list_select_related = ("space",)


def _acting(request: HttpRequest, record: MemoryRecord) -> Principal:
    """The administrator as one who may write in the record's space."""
    assert isinstance(request.user, User)  # noqa: S101 - staff only, for mypy
    return Principal(
        user_id=request.user.id,
        username=request.user.username,
        speaker=request.user.speaker,
        time_zone=request.user.time_zone,
        space_id=record.space_id,
        space_slug=record.space.slug,
        role=Membership.Role.OWNER,
    )

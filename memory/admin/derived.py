"""What follows from the records: composites, indexes, leases, the state of models. Read only."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.admin import PrivateAdmin, ReadOnlyAdmin, ReadOnlyInline, beginning
from memory.domain.types import TEXT_KINDS
from memory.models import (
    CompositeLink,
    CompositeRecord,
    FusionLease,
    IndexedItem,
    IndexLease,
    IndexOutbox,
    IndexScope,
    IndexState,
    ModelStatus,
    SilencedTurn,
)
from memory.providers.registry import embedder
from memory.selectors import model_states, reembedding_of
from memory.services.reembed import request_reembedding, spaces_to_reembed


class ChildInline(ReadOnlyInline):
    """What a composite stands for."""

    model = CompositeLink
    fk_name = "parent"
    fields = ("record", "composite")
    show_change_link = True


@admin.register(CompositeRecord)
class CompositeRecordAdmin(PrivateAdmin, ReadOnlyAdmin):
    """The inner nodes of the memory tree; they follow from their records."""

    list_display = ("statement", "title", "level", "leaf_count", "memory_type", "space", "said_at")
    list_filter = ("level", "memory_type", ("private_to", admin.EmptyFieldListFilter))
    search_fields = ("semantic_text", "title", "space__slug", "=id")
    list_select_related = ("space",)
    ordering = ("-level", "-id")
    inlines = (ChildInline,)

    @admin.display(description="statement")
    def statement(self, composite: CompositeRecord) -> str:
        """Its beginning."""
        return beginning(composite.semantic_text)


@admin.register(CompositeLink)
class CompositeLinkAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Which children stand under which composites."""

    list_display = ("parent", "record", "composite", "space")
    search_fields = ("=parent__id", "=record__id", "=composite__id", "space__slug")
    list_select_related = ("parent", "record", "composite", "space")
    ordering = ("-id",)


@admin.register(IndexedItem)
class IndexedItemAdmin(PrivateAdmin, ReadOnlyAdmin):
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
        """Otherwise the space is recalled by words alone. Looks have an embedder of their own."""
        using = embedder()
        is_same = (state.embedder, state.dimension) == (using.name, using.dimension)
        return is_same or state.kind not in TEXT_KINDS

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


@admin.register(SilencedTurn)
class SilencedTurnAdmin(ReadOnlyAdmin):
    """Turns of which a memory was erased."""

    list_display = ("space", "turn_id", "created_at")
    list_filter = ("created_at",)
    search_fields = ("space__slug",)
    list_select_related = ("space",)
    ordering = ("-id",)

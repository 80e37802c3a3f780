"""The administration of records: they change through services alone."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

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
from memory.models import (
    MemoryRecord,
    RecordEvidence,
)
from memory.services.curate import edit_record, expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.curate_state import pin_record, restore_record
from memory.services.record_values import EDITABLE


class EvidenceInline(ReadOnlyInline):
    """The turns that a record rests on."""

    model = RecordEvidence
    fields = ("session_id", "turn_index", "turn_id", "segment_id")


@admin.register(MemoryRecord)
class MemoryRecordAdmin(PrivateAdmin, LycheeAdmin):
    """What is remembered. A correction goes through the same service as on the pages."""

    comes_of = _("Memories come of conversations, once what was said in them is filed.")
    list_display = (
        "statement",
        "memory_type",
        "subject",
        "space",
        "said_at",
        marked("expired_at", _("expired")),
        marked("is_pinned", _("pinned")),
        "seen_count",
    )
    list_filter = (
        "memory_type",
        ("expired_at", admin.EmptyFieldListFilter),
        ("private_to", admin.EmptyFieldListFilter),
        "origin",
        "is_suspicious",
        "is_pinned",
        "said_at",
    )
    search_fields = ("semantic_text", "subject", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)
    form = VersionedForm
    inlines = (EvidenceInline,)
    actions = ("expire", "restore", "pin", "unpin", "merge", "purge")

    @admin.display(description="statement")
    def statement(self, record: MemoryRecord) -> str:
        """Its beginning."""
        return beginning(record.semantic_text)

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
            edit_record(acting_on(request, obj), obj.pk, changes)
        except LycheeError as error:
            self.message_user(request, error.detail, messages.ERROR)

    @admin.action(description=_("Expire: no longer recall"))
    def expire(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """Expire the chosen records that may be changed."""
        count = 0
        for record in queryset:
            if self.has_change_permission(request, record):
                expire_record(acting_on(request, record), record.pk, "expired in the administration")
                count += 1
        self.message_user(request, _("%(n)d expired.") % {"n": count})

    @admin.action(description=_("Restore: recall again"))
    def restore(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """Restore the chosen expired or superseded records."""
        self._each(request, queryset, restore_record, _("%(n)d restored."))

    @admin.action(description=_("Pin: keep whatever happens"))
    def pin(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """Pin the chosen live records."""
        self._each(request, queryset, pin_record, _("%(n)d pinned."))

    @admin.action(description=_("Unpin"))
    def unpin(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """End that."""
        self._each(request, queryset, partial(pin_record, is_pinned=False), _("%(n)d unpinned."))

    @admin.action(description=_("Merge into the one said last"))
    def merge(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> None:
        """Merge the chosen live records of one space and audience into the newest."""
        rows = [row for row in queryset.order_by("-said_at", "-id") if self._is_curable(request, row)]
        if len(rows) < 2 or len({row.space_id for row in rows}) > 1:
            self.message_user(request, _("Choose two or more memories of one space."), messages.ERROR)
            return
        kept, *others = rows
        try:
            merge_records(acting_on(request, kept), kept.pk, [row.pk for row in others])
        except LycheeError as error:
            self.message_user(request, error.detail, messages.ERROR)
        else:
            told = _("%(n)d merged into “%(text)s”.")
            self.message_user(request, told % {"n": len(others), "text": beginning(kept.semantic_text)})

    @admin.action(description=_("Erase for good, without trace"))
    def purge(self, request: HttpRequest, queryset: "QuerySet[MemoryRecord]") -> HttpResponse | None:
        """Ask whether that is meant; then erase the chosen records."""
        rows = [row for row in queryset if self._is_curable(request, row)]
        if "confirmed" in request.POST:
            self._each(request, rows, purge_record, _("%(n)d erased."))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Erase these memories for good?"),
            "records": rows,
            "opts": self.opts,
            "action_checkbox_name": ACTION_CHECKBOX_NAME,
        }
        return render(request, "admin/purge_records.html", context)

    def _each(
        self,
        request: HttpRequest,
        records: "Iterable[MemoryRecord]",
        act: Callable[[Principal, UUID], object],
        told: str,
    ) -> None:
        """Do it to each record that may be curated."""
        act_on_each(self, request, [row for row in records if self._is_curable(request, row)], act, told)

    def _is_curable(self, request: HttpRequest, record: MemoryRecord) -> bool:
        """What came of somebody's private session is theirs alone."""
        may = bool(super().has_change_permission(request, record))
        return may and record.private_to_id in (None, request.user.pk)


@admin.register(RecordEvidence)
class RecordEvidenceAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Which turns stand behind which records."""

    list_display = ("record", "session_id", "turn_index", "turn_id", "created_at")
    list_filter = ("created_at",)
    search_fields = ("=record__id", "=turn_id", "=session_id", "space__slug")
    list_select_related = ("record",)
    ordering = ("-id",)

"""The administration of images: seen as thumbnails, changed through services alone."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.admin import LycheeAdmin, PrivateAdmin, ReadOnlyAdmin, beginning, marked
from accounts.errors import LycheeError
from accounts.principals import Principal
from memory.admin.acting import act_on_each
from memory.domain.types import Reader
from visual.domain.telling import title_of
from visual.models import VisualPolicy, VisualRecord
from visual.selectors import image_file
from visual.services.curate import delete_visual, pin_visual, restore_visual
from visual.stores.rows import to_visual
from visual.views import image_response

_SIDE = 96  # pixels of a thumbnail's longer side


@admin.register(VisualRecord)
class VisualRecordAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Images, but of those of private sessions only one's own."""

    comes_of = _("Images come with messages, or are given on a space's page of images.")
    list_display = (
        "picture",
        "told",
        "space",
        "scene_type",
        "size",
        marked("expired_at", _("forgotten")),
        marked("is_pinned", _("pinned")),
        "seen_at",
    )
    list_display_links = ("picture", "told")
    list_filter = (
        "scene_type",
        "is_caption_due",
        "is_pinned",
        ("expired_at", admin.EmptyFieldListFilter),
        ("private_to", admin.EmptyFieldListFilter),
        "seen_at",
    )
    search_fields = ("caption", "name", "text_in_image", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)
    actions = ("pin", "unpin", "restore", "delete_for_good")

    def get_readonly_fields(self, request: HttpRequest, obj: VisualRecord | None = None) -> tuple[str, ...]:
        """The thumbnail above everything that is stored."""
        return ("picture", *(field.name for field in self.opts.concrete_fields))

    def has_curate_permission(self, request: HttpRequest) -> bool:
        """Whether the actions are offered and taken: who may only look changes and deletes nothing."""
        return bool(request.user.has_perm("visual.change_visualrecord"))

    def get_urls(self) -> list[URLPattern]:
        """With an address for thumbnails."""
        view = self.admin_site.admin_view(self.thumbnail)
        own = path("<uuid:visual_id>/thumbnail/", view, name="visual_visualrecord_thumbnail")
        return [own, *super().get_urls()]

    def thumbnail(self, request: HttpRequest, visual_id: UUID) -> HttpResponse:
        """The thumbnail, for staff who may see images, of what is not private to another."""
        row = VisualRecord.everyone.select_related("space").filter(pk=visual_id).first()
        if row is None or not self.has_view_permission(request, row) or not _may_see(request, row):
            raise Http404
        reader = Reader(row.space_id, row.private_to_id or row.space_id)
        try:
            return image_response(request, image_file(reader, visual_id, is_small=True))
        except LycheeError as error:
            raise Http404(error.detail) from error

    @admin.display(description=_("image"))
    def picture(self, row: VisualRecord) -> SafeString:
        """A thumbnail within a square."""
        address = reverse("admin:visual_visualrecord_thumbnail", args=[row.pk])
        share = _SIDE / max(row.width, row.height)
        width, height = (max(1, round(side * share)) for side in (row.width, row.height))
        html = '<img src="{}" alt="{}" width="{}" height="{}" loading="lazy">'
        return format_html(html, address, str(row), width, height)

    @admin.display(description=_("told of it"))
    def told(self, row: VisualRecord) -> str:
        """Its caption, its name, or its kind and colours."""
        return beginning(title_of(to_visual(row, timezone.now())))

    @admin.display(description=_("size"))
    def size(self, row: VisualRecord) -> str:
        """In pixels."""
        return f"{row.width}×{row.height}"

    @admin.action(description=_("Pin: do not let it fade"), permissions=["curate"])
    def pin(self, request: HttpRequest, queryset: "QuerySet[VisualRecord]") -> None:
        """Pin the chosen images."""
        self._each(request, queryset, pin_visual, _("%(n)d pinned."))

    @admin.action(description=_("Unpin"), permissions=["curate"])
    def unpin(self, request: HttpRequest, queryset: "QuerySet[VisualRecord]") -> None:
        """End that."""
        self._each(request, queryset, partial(pin_visual, is_pinned=False), _("%(n)d unpinned."))

    @admin.action(description=_("Restore: recall again"), permissions=["curate"])
    def restore(self, request: HttpRequest, queryset: "QuerySet[VisualRecord]") -> None:
        """Restore the chosen forgotten images."""
        self._each(request, queryset, restore_visual, _("%(n)d restored."))

    @admin.action(description=_("Delete for good, files too"), permissions=["curate"])
    def delete_for_good(self, request: HttpRequest, queryset: "QuerySet[VisualRecord]") -> None:
        """Delete the chosen images."""
        self._each(request, queryset, delete_visual, _("%(n)d deleted."))

    def _each(
        self,
        request: HttpRequest,
        rows: "QuerySet[VisualRecord]",
        act: Callable[[Principal, UUID], object],
        told: str,
    ) -> None:
        """Do it to each image that is not private to another."""
        visible = [row for row in rows.select_related("space") if _may_see(request, row)]
        act_on_each(self, request, visible, act, told)


@admin.register(VisualPolicy)
class VisualPolicyAdmin(LycheeAdmin):
    """How long spaces keep images that are forgotten."""

    comes_of = _("Without a policy a space keeps what was forgotten.")
    list_display = ("space", "purge_after_days")
    search_fields = ("space__slug",)
    list_select_related = ("space",)
    fields = ("space", "purge_after_days")


def _may_see(request: HttpRequest, row: VisualRecord) -> bool:
    return row.private_to_id in (None, request.user.pk)

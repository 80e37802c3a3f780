"""How long spaces keep what: set and taken back through the service."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin import LycheeAdmin
from memory.admin.acting import acting_on
from memory.models import RetentionPolicy
from memory.services.retention import set_retention

if TYPE_CHECKING:
    from django.forms import ModelForm


@admin.register(RetentionPolicy)
class RetentionPolicyAdmin(LycheeAdmin):
    """One line a space and type; none: kept for ever."""

    comes_of = _("Without a policy a space keeps everything for ever.")
    list_display = ("space", "memory_type", "days", "updated_at")
    list_filter = ("memory_type", "space")
    list_select_related = ("space",)
    autocomplete_fields = ("space",)
    fields = ("space", "memory_type", "days")

    def get_readonly_fields(
        self, request: HttpRequest, obj: RetentionPolicy | None = None
    ) -> tuple[str, ...]:
        """Of a policy there is, the days alone may change."""
        return ("space", "memory_type") if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Without its policy a space keeps everything: that is no loss."""
        return request.user.has_perm("memory.delete_retentionpolicy")

    def save_model(
        self,
        request: HttpRequest,
        obj: RetentionPolicy,
        form: "ModelForm[Any]",
        change: bool,  # noqa: FBT001
    ) -> None:
        """Hand it to the service, under the id that the administration shows next."""
        kept = set_retention(acting_on(request, obj), obj.memory_type, obj.days)
        if kept is not None:
            obj.pk = kept.pk

    def delete_model(self, request: HttpRequest, obj: RetentionPolicy) -> None:
        """Keep for ever again."""
        set_retention(acting_on(request, obj), obj.memory_type, None)

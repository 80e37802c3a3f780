"""The administration of people, spaces, jobs and the audit trail."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts.models import AuditEvent, IdempotencyKey, Job, Membership, Space, Tombstone, User
from accounts.services.audit import record_audit
from accounts.services.jobs import retry_job
from accounts.services.users import register_user

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_MOST_WORDS = 20  # that a list is searched for
COUNT_CAP = 10_000  # rows; beyond it a page says how many it knows of, and no query counts on

BEGINNING = 80  # characters

admin.site.unregister(Group)
# The sections of others, in words that say what is in them.
apps.get_app_config("axes").verbose_name = _("Sign-in attempts")
apps.get_app_config("token_blacklist").verbose_name = _("Tokens")


def beginning(text: str) -> str:
    """As much of a text as a list shows: whole words on one line, and an ellipsis for the rest."""
    line = " ".join(text.split())
    if len(line) <= BEGINNING:
        return line
    cut = line[:BEGINNING]
    return (cut.rpartition(" ")[0] or cut).rstrip(" .,;:") + "…"


def marked(attribute: str, description: "StrOrPromise") -> Callable[[Any], str]:
    """A column that says `yes` where the attribute holds: what does not is no fault, and gets no cross."""

    @admin.display(description=description, ordering=attribute, empty_value="")
    def told(row: Any) -> str:
        return str(_("yes")) if getattr(row, attribute) else ""

    return told


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # no subscript at run time
    """Counts at most COUNT_CAP rows: large tables are never counted through."""

    @cached_property
    def count(self) -> int:
        """The number of rows, or the cap."""
        rows: Any = self.object_list
        return int(rows[:COUNT_CAP].count()) if isinstance(rows, models.QuerySet) else len(rows)


class LycheeAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Lists that never count, and no bulk delete past the services."""

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50
    # Said where a list is empty.
    comes_of: "StrOrPromise" = _("What belongs here comes by itself as the memory is used.")

    def get_search_results(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]", search_term: str
    ) -> "tuple[models.QuerySet[Any], bool]":
        """What holds the words looked for, of which 20 count; databases bound the depth of a query."""
        words = " ".join(search_term.split()[:_MOST_WORDS])
        found: tuple[models.QuerySet[Any], bool] = super().get_search_results(request, queryset, words)
        return found

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without Django's bulk delete."""
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Rows leave through services, never from here."""
        return False


class ReadOnlyAdmin(LycheeAdmin):
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Never."""
        return False


class PrivateAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Of what members of a space have private, each sees their own here, as everywhere."""

    def get_queryset(self, request: HttpRequest) -> "models.QuerySet[Any]":
        """What is shared, and what is private to the one who asks."""
        rows: models.QuerySet[Any] = super().get_queryset(request)
        return rows.filter(models.Q(private_to=None) | models.Q(private_to=request.user.pk))


class ReadOnlyInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """Rows below another that the application wrote: nobody adds, changes or deletes one here."""

    extra = 0
    max_num = 0
    can_delete = False

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> Any:
        """Every field that is shown."""
        return self.fields


class VersionedForm(ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A correction, with the version that the person saw."""

    seen_version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen_version"].initial = self.instance.version


class MembershipInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """Who belongs to a space."""

    model = Membership
    extra = 0
    fields = ("user", "role", "created_at")
    readonly_fields = ("created_at",)
    autocomplete_fields = ("user",)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, LycheeAdmin):  # type: ignore[type-arg,misc]  # no subscript at run time
    """People. A new one gets a personal space and a password to change at first sign-in."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = (
        "username",
        "display_name",
        "email",
        "time_zone",
        marked("is_staff", _("staff")),
        "is_active",
        "last_login",
    )
    list_filter = ("is_active", "is_staff", "must_change_password", "date_joined")
    search_fields = ("username", "display_name", "email")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password", "must_change_password")}),
        ("Person", {"fields": ("display_name", "email", "time_zone")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "display_name", "password1", "password2")}),
    )

    def save_model(self, request: HttpRequest, obj: User, form: "ModelForm[Any]", change: bool) -> None:  # noqa: FBT001
        """Register a new person by the service; audit what changed of another."""
        if not change:
            made = register_user(
                username=obj.username,
                password=form.cleaned_data["password1"],
                display_name=obj.display_name,
                must_change_password=True,
            )
            obj.pk, obj._state.adding = made.pk, False  # noqa: SLF001 - the admin goes on with this object
            return
        super().save_model(request, obj, form, change)
        record_audit(
            action="user.updated",
            object_type="user",
            object_id=obj.id,
            space_id=None,
            user_id=request.user.pk,
            fields=tuple(form.changed_data),
        )


@admin.register(Space)
class SpaceAdmin(LycheeAdmin):
    """The tenants, with their members."""

    list_display = (
        "slug",
        "name",
        "personal_to",
        marked("are_sessions_private", _("sessions are private")),
        marked("is_screening_secrets", _("secrets are hidden")),
        "created_at",
    )
    list_filter = ("are_sessions_private", "is_screening_secrets", "created_at")
    search_fields = ("slug", "name")
    readonly_fields = ("personal_to", "created_at")
    inlines = (MembershipInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Spaces are made with an owner, by people."""
        return False

    def save_model(self, request: HttpRequest, obj: Space, form: "ModelForm[Any]", change: bool) -> None:  # noqa: FBT001
        """Store and audit."""
        super().save_model(request, obj, form, change)
        record_audit(
            action="space.updated",
            object_type="space",
            object_id=obj.id,
            space_id=obj.id,
            user_id=request.user.pk,
            fields=tuple(form.changed_data),
        )


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Who may do what, across spaces; changed on the space's page."""

    list_display = ("user", "space", "role", "created_at")
    list_filter = ("role",)
    search_fields = ("user__username", "space__slug")
    list_select_related = ("user", "space")


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Queued work and what became of it."""

    list_display = ("kind", "state", "space", "attempts", "created_at", "started_at", "finished_at", "error")
    list_filter = ("state", "kind", "created_at")
    search_fields = ("subject_id", "error", "space__slug")
    list_select_related = ("space",)
    ordering = ("-id",)
    actions = ("retry",)

    def get_exclude(self, request: HttpRequest, obj: Job | None = None) -> tuple[str, ...]:
        """What a program sent along with the filing of another's private session stays unread."""
        is_shown = obj is None or obj.private_to_id in (None, request.user.pk)
        return () if is_shown else ("arguments",)

    @admin.action(description=_("Try again"))
    def retry(self, request: HttpRequest, queryset: "models.QuerySet[Job]") -> None:
        """Queue the work of the failed ones among the chosen jobs once more."""
        failed = queryset.filter(state=Job.State.FAILED)
        count = len([retry_job(job, user_id=request.user.pk) for job in failed])
        self.message_user(request, _("%(n)d queued again.") % {"n": count})


@admin.register(Tombstone)
class TombstoneAdmin(ReadOnlyAdmin):
    """What was erased, as hashes that tell nothing."""

    list_display = ("space", "created_at")
    list_filter = ("created_at",)
    search_fields = ("space__slug",)
    list_select_related = ("space",)
    ordering = ("-id",)


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnlyAdmin):
    """Writes of the last day that carried a key; what they were answered with stays unread."""

    list_display = ("key", "user", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("key", "user__username")
    list_select_related = ("user",)
    exclude = ("body",)
    ordering = ("-created_at",)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    """Who changed what, and when."""

    list_display = ("at", "action", "object_type", "object_id", "user_id", "fields")
    list_filter = ("action", "object_type", "at")
    search_fields = ("object_id", "user_id")

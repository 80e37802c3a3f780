"""The administration of recalls: what was asked, planned, found and kept, and what came of it."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.admin import LycheeAdmin, ReadOnlyAdmin, beginning
from accounts.errors import LycheeError
from accounts.models import User
from memory.admin.acting import acting_on
from memory.domain.feedback import Outcome
from memory.models import ItemRating, RetrievalLog, UsageCount
from memory.services.feedback_rate import correct_outcome


@admin.register(RetrievalLog)
class RetrievalLogAdmin(LycheeAdmin):
    """Recalls; a curator may say what came of those that were not asked in private by others."""

    list_display = (
        "query_start", "asked_by", "space", "effort", "outcome", "judged_by", "hit_count", "created_at",
    )  # fmt: skip
    list_filter = ("outcome", "judged_by", "effort", "created_at")
    search_fields = ("query", "space__slug", "=session_id")
    list_select_related = ("space",)
    ordering = ("-id",)
    actions = ("mark_success", "mark_fail", "mark_correction")

    @admin.display(description="question")
    def query_start(self, log: RetrievalLog) -> str:
        """Its beginning."""
        return beginning(log.query)

    @admin.display(description="asked by")
    def asked_by(self, log: RetrievalLog) -> str:
        """Their user name; "-" where they have left."""
        name: str | None = getattr(log, "asker", None)
        return name or "-"

    def get_queryset(self, request: HttpRequest) -> "QuerySet[RetrievalLog]":
        """Each with the name of who asked."""
        asker = User.objects.filter(pk=OuterRef("user_id")).values("username")
        logs: QuerySet[RetrievalLog] = super().get_queryset(request)
        return logs.annotate(asker=Subquery(asker))

    @admin.display(description="kept")
    def hit_count(self, log: RetrievalLog) -> int:
        """How many items were handed to the answer."""
        return len(log.hits)

    def get_readonly_fields(self, request: HttpRequest, obj: RetrievalLog | None = None) -> tuple[str, ...]:
        """Everything but the outcome; who asked by name."""
        names = (field.name for field in self.opts.concrete_fields if field.name != "outcome")
        return tuple("asked_by" if name == "user_id" else name for name in names)

    def get_fields(self, request: HttpRequest, obj: RetrievalLog | None = None) -> tuple[str, ...]:
        """The outcome, which may be changed, before what may not."""
        return ("outcome", *self.get_readonly_fields(request, obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Recalls come of questions."""
        return False

    def save_model(
        self,
        request: HttpRequest,
        obj: RetrievalLog,
        form: "ModelForm[Any]",
        change: bool,  # noqa: FBT001
    ) -> None:
        """Hand the outcome to the service; a refusal is told and changes nothing."""
        self._judge(request, obj, form.cleaned_data["outcome"])

    @admin.action(description=_("It was a success"))
    def mark_success(self, request: HttpRequest, queryset: "QuerySet[RetrievalLog]") -> None:
        """Judge the chosen recalls."""
        self._judge_each(request, queryset, Outcome.SUCCESS)

    @admin.action(description=_("It failed"))
    def mark_fail(self, request: HttpRequest, queryset: "QuerySet[RetrievalLog]") -> None:
        """Judge the chosen recalls."""
        self._judge_each(request, queryset, Outcome.FAIL)

    @admin.action(description=_("It was corrected"))
    def mark_correction(self, request: HttpRequest, queryset: "QuerySet[RetrievalLog]") -> None:
        """Judge the chosen recalls."""
        self._judge_each(request, queryset, Outcome.CORRECTION)

    def _judge_each(self, request: HttpRequest, logs: "QuerySet[RetrievalLog]", outcome: Outcome) -> None:
        count = sum(self._judge(request, log, outcome) for log in logs)
        self.message_user(request, _("%(n)d judged.") % {"n": count})

    def _judge(self, request: HttpRequest, log: RetrievalLog, outcome: str) -> bool:
        try:
            correct_outcome(acting_on(request, log), log.pk, outcome, is_administrator=True)
        except LycheeError as error:
            self.message_user(request, error.detail, messages.ERROR)
            return False
        return True


@admin.register(UsageCount)
class UsageCountAdmin(ReadOnlyAdmin):
    """How records and composites fare."""

    list_display = ("item_id", "kind", "space", "retrievals", "kept", "success", "fail", "last_used_at")
    list_filter = ("kind", "last_used_at")
    search_fields = ("=item_id", "space__slug")
    list_select_related = ("space",)
    ordering = ("-id",)


@admin.register(ItemRating)
class ItemRatingAdmin(ReadOnlyAdmin):
    """What people said of records."""

    list_display = ("record_id", "outcome", "space", "updated_at")
    list_filter = ("outcome", "updated_at")
    search_fields = ("=record_id", "space__slug")
    list_select_related = ("space",)
    ordering = ("-id",)

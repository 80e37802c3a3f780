"""The administration of conversations: read here, written by services."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline

from accounts.admin import PrivateAdmin, ReadOnlyAdmin, beginning, marked
from sessions_app.models import Segment, Session, SessionTurn, Summary, TurnImage, UsageEntry
from sessions_app.services.segments import request_encoding_again


class SegmentInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """What a conversation was cut into."""

    model = Segment
    extra = 0
    can_delete = False
    fields = ("first_turn", "end_turn", "state", "tokens", "record_count", "closed_because", "note")
    readonly_fields = fields
    ordering = ("first_turn",)
    max_num = 0


class SummaryInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    """What stands for the older turns of a conversation in its window."""

    model = Summary
    extra = 0
    can_delete = False
    fields = ("first_turn", "end_turn", "state", "tokens", "covered_tokens", "made_by", "note")
    readonly_fields = fields
    max_num = 0


@admin.register(Session)
class SessionAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Conversations, with their segments."""

    list_display = (
        "title_or_name",
        "space",
        "author",
        marked("private_to_id", _("private")),
        "turn_count",
        "token_total",
        "last_turn_at",
    )
    list_filter = ("last_turn_at", "deleted_at", ("private_to", admin.EmptyFieldListFilter))
    search_fields = ("name", "title", "topic", "space__slug", "author__username")
    list_select_related = ("space", "author")
    ordering = ("-last_turn_at",)
    inlines = (SegmentInline, SummaryInline)

    @admin.display(description="title")
    def title_or_name(self, session: Session) -> str:
        """How people know it."""
        return str(session)


@admin.register(SessionTurn)
class SessionTurnAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Utterances as they were stored."""

    list_display = ("excerpt", "role", "speaker", "session", "index", "state", "tokens", "said_at")
    list_filter = ("role", "state", "is_consolidated", "said_at")
    search_fields = ("content", "speaker", "space__slug")
    list_select_related = ("session",)
    ordering = ("-id",)

    @admin.display(description="text")
    def excerpt(self, turn: SessionTurn) -> str:
        """Its beginning."""
        return beginning(turn.content)


@admin.register(Segment)
class SegmentAdmin(PrivateAdmin, ReadOnlyAdmin):
    """What turns were filed as, and how that went."""

    list_display = (
        "session",
        "first_turn",
        "end_turn",
        "state",
        "tokens",
        "record_count",
        "attempts",
        "created_at",
    )
    list_filter = ("state", "closed_because", "created_at")
    search_fields = ("session__name", "session__title", "note", "space__slug")
    list_select_related = ("session",)
    ordering = ("-id",)
    actions = ("encode_again",)

    @admin.action(description=_("Encode again what the model failed at"))
    def encode_again(self, request: HttpRequest, queryset: "QuerySet[Segment]") -> None:
        """Queue those of the chosen segments that are `fallback` or `failed`."""
        asked = [request_encoding_again(segment, user_id=request.user.pk) for segment in queryset]
        self.message_user(request, _("%(n)d queued again.") % {"n": sum(asked)})


@admin.register(Summary)
class SummaryAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Summaries in use, being made, and failed."""

    list_display = (
        "session",
        "first_turn",
        "end_turn",
        "state",
        "tokens",
        "covered_tokens",
        "made_by",
        "note",
        "created_at",
    )
    list_filter = ("state", "made_by", "created_at")
    search_fields = ("session__name", "session__title", "note", "space__slug")
    list_select_related = ("session",)
    ordering = ("-id",)


@admin.register(UsageEntry)
class UsageEntryAdmin(ReadOnlyAdmin):
    """What each call of a model took."""

    list_display = (
        "day",
        "space",
        "purpose",
        "model",
        "input_tokens",
        "cached_tokens",
        "output_tokens",
        marked("is_estimated", _("estimated")),
        "session_id",
    )
    list_filter = ("purpose", "model", "day", "is_estimated")
    search_fields = ("space__slug", "model", "=session__id")
    list_select_related = ("space",)
    exclude = ("session",)  # its title may be private
    ordering = ("-id",)


@admin.register(TurnImage)
class TurnImageAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Which images were sent with which turns."""

    list_display = ("session", "turn", "visual_id", "place")
    search_fields = ("=visual_id", "=turn__id", "space__slug")
    list_select_related = ("session", "turn")
    ordering = ("-id",)

"""The administration of recalls: what was asked, planned, found and kept."""

from django.contrib import admin

from accounts.admin import ReadOnlyAdmin, beginning
from memory.models import (
    RetrievalLog,
)


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

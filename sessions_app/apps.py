"""The app's entry in Django's registry."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "sessions_app"
    verbose_name = "Conversations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks; offer turns to the memory, consolidation and compression to the workers."""
        from memory.registries import (
            set_erasure,
            set_may_spend,
            set_turn_source,
            set_usage_sink,
            set_withdrawal,
        )
        from sessions_app import checks  # noqa: F401 (they register themselves)
        from sessions_app.agents import consolidate, working_memory
        from sessions_app.services.compress import forget_summaries
        from sessions_app.services.erasure import forget_quotations
        from sessions_app.services.segments import encode_described
        from sessions_app.services.usage import may_spend, record_embedding
        from sessions_app.stores.turns import RowTurnSource
        from visual.registries import set_described

        set_turn_source(RowTurnSource())
        set_usage_sink(record_embedding)
        set_withdrawal(forget_summaries)
        set_erasure(forget_quotations)
        set_may_spend(may_spend)
        consolidate.register()
        set_described(encode_described)
        working_memory.register()

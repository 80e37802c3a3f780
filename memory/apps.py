"""The app's entry in Django's registry."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "memory"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and re-embedding with the workers."""
        from accounts.registries import register_job_kind
        from memory import checks  # noqa: F401
        from memory.config import REEMBED
        from memory.services.reembed import reembed_space

        register_job_kind(REEMBED, reembed_space)

"""The app's entry in Django's registry."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "memory"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks."""
        from memory import checks  # noqa: F401

"""The app's entry in Django's registry."""

from django.apps import AppConfig


class VisualConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "visual"
    verbose_name = "Images"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Offer images to the indexes, and register the system checks."""
        from memory.domain.types import Kind
        from memory.registries import set_index_source
        from visual import checks  # noqa: F401
        from visual.stores.rows import VisualSource

        set_index_source(Kind.VISUAL, VisualSource())

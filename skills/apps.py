"""The app's entry in Django's registry."""

from django.apps import AppConfig


class SkillsConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "skills"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Offer skills to the indexes."""
        from memory.domain.types import Kind
        from memory.registries import set_index_source
        from skills.stores.source import SkillRows

        set_index_source(Kind.SKILL, SkillRows())

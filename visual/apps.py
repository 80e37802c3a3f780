"""The app's entry in Django's registry."""

from django.apps import AppConfig


class VisualConfig(AppConfig):
    """Fills the registries of lower apps when Django is ready."""

    name = "visual"
    default_auto_field = "django.db.models.BigAutoField"

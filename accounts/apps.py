"""The app of people and spaces."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The lowest layer."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

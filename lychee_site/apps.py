"""The site as an app: it wires what the layers below left open."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class AdministrationConfig(admin_apps.AdminConfig):
    """Django's administration, with our sections."""

    default = False
    default_site = "lychee_site.admin_site.LycheeAdminSite"


class SiteConfig(AppConfig):
    """Makes Celery's app the current one and connects services to its tasks."""

    name = "lychee_site"

    def ready(self) -> None:
        """Once every app is there."""
        from lychee_site import checks, wake  # noqa: F401 (checks register themselves)
        from lychee_site.celery import app

        app.set_default()
        wake.install()

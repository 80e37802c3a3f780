"""The one NinjaAPI: every endpoint, `/docs` and `/openapi.json`."""

from django.conf import settings
from ninja import NinjaAPI

api = NinjaAPI(title="Lychee Memory", version=settings.VERSION, urls_namespace="api")

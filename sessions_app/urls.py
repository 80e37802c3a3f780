"""Pages that span the tiers, under /app/."""

from django.urls import URLPattern

app_name = "sessions"

urlpatterns: list[URLPattern] = []

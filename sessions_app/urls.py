"""Pages that span the tiers, under /app/."""

from django.urls import path
from django.views.generic import RedirectView

app_name = "sessions"

urlpatterns = [path("", RedirectView.as_view(url="/docs"), name="home")]

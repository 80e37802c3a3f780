"""Every address: the API at the root, pages under /app/, the admin under /admin/."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from api.rest.root import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("app/", include("accounts.urls")),
    path("app/", include("sessions_app.urls")),
    path("", RedirectView.as_view(url="/app/", permanent=False)),
    path("favicon.ico", RedirectView.as_view(url=static("img/lychee.svg"), permanent=False)),
    path("", api.urls),
]

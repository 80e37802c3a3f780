"""The administration's front page and side: what people look for, by what it is about; below it, the rest.

And what all its lists have in common: they act on what is in them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.messages import WARNING
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

SECTIONS = (
    (
        _("Memory"),
        (
            "memory.MemoryRecord",
            "memory.CompositeRecord",
            "memory.Entity",
            "memory.Relation",
            "memory.RetrievalLog",
            "memory.RetentionPolicy",
        ),
    ),
    (_("Skills and images"), ("skills.Skill", "visual.VisualRecord", "visual.VisualPolicy")),
    (
        _("Conversations"),
        ("sessions_app.Session", "sessions_app.SessionTurn", "sessions_app.Segment", "sessions_app.Summary"),
    ),
    (
        _("People and spaces"),
        ("accounts.User", "accounts.Space", "accounts.Membership", "accounts.AuditEvent"),
    ),
    (_("Operation"), ("accounts.Job", "memory.ModelStatus", "memory.IndexState", "sessions_app.UsageEntry")),
)
REST = _("What lies underneath")
View = Callable[..., HttpResponse]
_OWN = {name.partition(".")[0] for _title, names in SECTIONS for name in names}


class LycheeAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    """One list in sections instead of one list for each app."""

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - as Django has it
        """As Django does, but a list refuses to act on ids that cannot be any of its rows'."""
        owner = getattr(view, "__self__", None)
        if isinstance(owner, ModelAdmin) and view.__name__ == "changelist_view":
            view = _acting_on_rows(view, owner)
        wrapped: View = super().admin_view(view, cacheable)
        return wrapped

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """The sections, as Django gives apps, then the apps of others; or that one app as it is."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label:
            return apps
        others = [app for app in apps if app["app_label"] not in _OWN]
        left = {
            f"{app['app_label']}.{model['object_name']}": model
            for app in apps
            if app not in others
            for model in app["models"]
        }
        sections = [(title, [left.pop(name) for name in names if name in left]) for title, names in SECTIONS]
        own = [_section(title, models) for title, models in (*sections, (REST, [*left.values()])) if models]
        return own + others


def _acting_on_rows(view: View, owner: "ModelAdmin[Any]") -> View:
    @wraps(view)
    def acting(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if all(_is_key(owner, one) for one in chosen):
            return view(request, *args, **kwargs)
        message = gettext("What was chosen is not in the list. Choose from it again.")
        owner.message_user(request, message, WARNING)
        return HttpResponseRedirect(request.get_full_path())

    return acting


def _is_key(owner: "ModelAdmin[Any]", text: str) -> bool:
    try:
        owner.opts.pk.clean(text, None)
    except ValidationError:
        return False
    return True


def _section(title: Any, models: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": title,
        "app_label": "",
        "app_url": models[0]["admin_url"],
        "has_module_perms": True,
        "models": models,
    }

"""Who belongs to a space: its members as a page, and a new space to share."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Conflict, Forbidden, InvalidInput
from accounts.forms import MemberForm, RoleForm, SpaceForm
from accounts.models import User
from accounts.principals import Principal
from accounts.selectors import Member, list_members
from accounts.services.members import add_member, change_role, remove_member
from accounts.services.spaces import create_space, free_slug
from sessions_app.views.frame import frame, page, space_page

PLACE = "members"


@require_http_methods(["GET", "POST"])
@space_page
def listed(request: HttpRequest, principal: Principal) -> HttpResponse:
    """Everybody of the space; owners let people in here."""
    form = MemberForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        _require_owner(principal)
    if form.is_valid():
        given = form.cleaned_data
        try:
            added = add_member(_user(request), slug=principal.space_slug, **given)
        except (Conflict, InvalidInput) as error:
            form.show(error)
        else:
            messages.success(request, _("%(name)s is a member now.") % {"name": added.user.speaker})
            return redirect("sessions:members", principal.space_slug)
    members = list_members(principal.user_id, principal.space_slug)
    own = {
        "heading": _("Members"),
        "form": form,
        "members": [(each, RoleForm(initial={"role": each.role}, prefix=each.username)) for each in members],
        "is_owner": principal.role == "owner",
    }
    return _page(request, principal, "sessions_app/members.html", own, status=422 if form.errors else 200)


@require_POST
@space_page
def set_role(request: HttpRequest, principal: Principal, username: str) -> HttpResponse:
    """Give a member another role."""
    _member(principal, username)
    _require_owner(principal)
    form = RoleForm(request.POST, prefix=username)
    try:
        role = form.cleaned_data["role"] if form.is_valid() else ""
        changed = change_role(_user(request), slug=principal.space_slug, username=username, role=role)
    except (Conflict, InvalidInput) as error:
        messages.error(request, error.detail)
    else:
        told = _("%(name)s is %(role)s now.")
        messages.success(request, told % {"name": changed.user.speaker, "role": changed.get_role_display()})
    return redirect("sessions:members", principal.space_slug)


@require_http_methods(["GET", "POST"])
@space_page
def remove(request: HttpRequest, principal: Principal, username: str) -> HttpResponse:
    """Say what becomes of what they said, and take a member out; or leave."""
    member = _member(principal, username)
    if not member.is_you:
        _require_owner(principal)
    if request.method == "GET":
        own = {"member": member}
        return _page(request, principal, "sessions_app/member_remove.html", own, status=200)
    try:
        remove_member(_user(request), slug=principal.space_slug, username=username)
    except Conflict as error:
        messages.error(request, error.detail)
        return redirect("sessions:members", principal.space_slug)
    if member.is_you:
        messages.success(request, _("You have left the space."))
        return redirect("sessions:home")
    messages.success(request, _("%(name)s is no member any more.") % {"name": member.display_name})
    return redirect("sessions:members", principal.space_slug)


@require_http_methods(["GET", "POST"])
@space_page
def new_space(request: HttpRequest, principal: Principal) -> HttpResponse:
    """Make a space to share, then let people in."""
    form = SpaceForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        name, slug = form.cleaned_data["name"], form.cleaned_data["slug"]
        try:
            space = create_space(_user(request), slug=slug or free_slug(name), name=name)
        except (Conflict, InvalidInput) as error:
            form.show(error)
        else:
            messages.success(request, _("The space is made. Let people in here."))
            return redirect("sessions:members", space.slug)
    own = {"heading": _("New space"), "form": form, "place": "space-new"}
    return _page(request, principal, "sessions_app/space_new.html", own, status=422 if form.errors else 200)


def _member(principal: Principal, username: str) -> Member:
    members = list_members(principal.user_id, principal.space_slug)
    found = next((each for each in members if each.username == username), None)
    if found is None:
        raise Http404
    return found


def _require_owner(principal: Principal) -> None:
    if principal.role != "owner":
        raise Forbidden(_("Only an owner of the space may decide who belongs to it."))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - space_page's promise, for mypy
    return request.user


def _page(
    request: HttpRequest, principal: Principal, template: str, own: Mapping[str, object], *, status: int
) -> HttpResponse:
    return page(request, template, frame(principal, place=PLACE), own, status=status)

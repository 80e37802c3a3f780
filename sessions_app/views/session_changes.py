"""A conversation gets another title, is shared or made private, or is deleted while its memories stay."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from sessions_app.forms import AudienceForm, SessionForm
from sessions_app.models import Session
from sessions_app.selectors import summarize_session
from sessions_app.services.session_meta import describe_session
from sessions_app.services.sessions import delete_session, find_session
from sessions_app.views.frame import frame, page, space_page


@require_http_methods(["GET", "POST"])
@space_page
def rename(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """Ask for another title, and put it."""
    session = find_session(principal, str(session_id))
    if not summarize_session(principal, session).can_describe:
        raise PermissionDenied
    initial = {"title": session.title or session.name}
    form = SessionForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            describe_session(principal, session, title=form.cleaned_data["title"])
        except InvalidInput as error:
            form.show(error)
        else:
            messages.success(request, _("The conversation is renamed."))
            return redirect("sessions:chat", principal.space_slug, session.id)
    own = {"form": form, "heading": _("Rename a conversation"), "part": "sessions_app/_session_form.html"}
    return _page(request, principal, session, own, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@space_page
def change_audience(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """Say who will see the conversation, and let it be so."""
    session = find_session(principal, str(session_id))
    if not summarize_session(principal, session).can_change_audience:
        raise PermissionDenied
    if request.method == "GET":
        is_private = session.private_to_id is not None
        heading = _("Share a conversation") if is_private else _("Make a conversation private")
        own = {"heading": heading, "part": "sessions_app/_session_audience_form.html"}
        return _page(request, principal, session, own, status=200)
    form = AudienceForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    try:
        describe_session(principal, session, private=form.cleaned_data["private"])
    except Conflict as error:
        messages.error(request, error.detail)
    else:
        is_private = form.cleaned_data["private"]
        told = _("Only you see the conversation now.") if is_private else _("The conversation is shared.")
        messages.success(request, told)
    return redirect("sessions:chat", principal.space_slug, session.id)


@require_http_methods(["GET", "POST"])
@space_page
def delete(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """Say what goes and what stays, and delete the conversation."""
    session = find_session(principal, str(session_id))
    if not summarize_session(principal, session).can_delete:
        raise PermissionDenied
    if request.method == "GET":
        own = {"heading": _("Delete a conversation"), "part": "sessions_app/_session_delete_form.html"}
        return _page(request, principal, session, own, status=200)
    try:
        delete_session(principal, session)
    except Conflict as error:
        messages.error(request, error.detail)
        return redirect("sessions:chat", principal.space_slug, session.id)
    messages.success(request, _("The conversation is deleted. What was remembered of it stays."))
    return redirect("sessions:chat-new", principal.space_slug)


def _page(
    request: HttpRequest, principal: Principal, session: Session, own: Mapping[str, object], *, status: int
) -> HttpResponse:
    shared = frame(principal, place="chat", session=session)
    back = reverse("sessions:chat", args=[principal.space_slug, session.id])
    return page(request, "sessions_app/change.html", shared, {**own, "back": back}, status=status)

"""The conversation: a new one, a stored one, its turns as they come."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from uuid_utils.compat import uuid7

from accounts.models import User
from accounts.principals import Principal, principal_for
from memory.providers.registry import is_model_configured
from memory.selectors import model_states
from sessions_app.forms import NewSessionForm, PositionForm
from sessions_app.models import Session
from sessions_app.services.sessions import find_session, open_session
from sessions_app.services.window import current_window, window_config
from sessions_app.templatetags.recollection import TYPE_NAMES
from sessions_app.views.frame import frame, page, part_of, space_page
from sessions_app.views.gauge import gauge_of
from sessions_app.views.present import present_turns
from sessions_app.views.reading import are_sessions_private, is_answering, turns_between
from visual.config import ImageLimits

TURNS_SHOWN = 60
JSON_CHAR_BYTES = 6  # at most, of a character of the text beside the images
TURNS_BEFORE = 12  # shown above a turn that a link jumps to


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the personal space."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required's promise, for mypy
    return redirect("sessions:chat-new", principal_for(request.user).space_slug)


@require_http_methods(["GET", "POST"])
@space_page
def new(request: HttpRequest, principal: Principal) -> HttpResponse:
    """An empty conversation; a POST makes it a session, for its first message."""
    if request.method == "POST":
        form = NewSessionForm(request.POST)
        if not form.is_valid():
            return JsonResponse({"errors": form.errors}, status=422)
        session = open_session(principal, f"chat-{uuid7()}", private=form.cleaned_data["private"])
        url = reverse("sessions:chat", args=[principal.space_slug, session.id])
        return JsonResponse({"id": str(session.id), "url": url}, status=201)
    own = {
        "turns": (),
        "prompts": (
            _("What do you remember about me?"),
            _("Please remember that …"),
            _("I prefer …"),
        ),
        "is_private_default": are_sessions_private(principal.space_id),
        **_room(None),
    }
    return page(request, "sessions_app/chat.html", frame(principal, place="new"), own)


@require_GET
@space_page
def conversation(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """A stored conversation: its newest turns, or those around `?at=<index>`."""
    session = find_session(principal, str(session_id))
    position = PositionForm(request.GET)
    if not position.is_valid():
        raise Http404
    at = position.cleaned_data["at"]
    first = max(0, session.turn_count - TURNS_SHOWN if at is None else at - TURNS_BEFORE)
    end = first + TURNS_SHOWN
    own = {
        "turns": present_turns(principal, turns_between(session, first, end)),
        "is_pending": end >= session.turn_count and is_answering(session),
        "is_read_only": not (principal.can_write or session.private_to_id == principal.user_id),
        "earlier_url": f"?at={max(0, first - TURNS_SHOWN + TURNS_BEFORE)}" if first else "",
        "later_url": f"?at={end + TURNS_BEFORE}" if end < session.turn_count else "",
        **_room(session),
    }
    return page(request, "sessions_app/chat.html", frame(principal, place="chat", session=session), own)


@require_GET
@space_page
@part_of("sessions:chat", "session_id")
def turns_after(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """The stored turns after index `after`, rendered, and the gauge: what a live turn becomes."""
    session = find_session(principal, str(session_id))
    position = PositionForm(request.GET)
    if not position.is_valid():
        return HttpResponse(status=422)
    after = position.cleaned_data["after"]
    first = max(session.turn_count - TURNS_SHOWN, 0 if after is None else after + 1)
    rows = turns_between(session, first, session.turn_count)
    context = {
        "turns": present_turns(principal, rows),
        "session": session,
        "principal": principal,
        **_room(session),
    }
    return render(request, "sessions_app/_turns_after.html", context)


@require_GET
@space_page
@part_of("sessions:chat-new")
def session_list(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The conversations beside the room: the first page, or the next by `cursor`."""
    cursor = request.GET.get("cursor", "")
    current = PositionForm(request.GET)
    session_id = current.cleaned_data["session"] if current.is_valid() else None
    shared = frame(principal, place="", cursor=cursor)
    own = {"session": {"id": session_id}, "is_more": bool(cursor)}
    return page(request, "sessions_app/_session_list.html", shared, own)


def _room(session: Session | None) -> dict[str, object]:
    """What every view of a conversation tells about itself."""
    return {
        "gauge": gauge_of(current_window(session) if session else None, window_config()),
        "is_offline": not is_model_configured(),
        "failing": [state for state in model_states() if state.is_failing],
        "max_chars": settings.MAX_MESSAGE_CHARS,
        "image_limits": {
            "most": ImageLimits().max_images,
            "bytes": settings.MAX_IMAGE_BYTES,
            "message_bytes": settings.MAX_IMAGE_BODY_BYTES - JSON_CHAR_BYTES * settings.MAX_MESSAGE_CHARS,
        },
        "type_names": TYPE_NAMES,
    }

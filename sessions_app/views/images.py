"""Images: the gallery by conversation, found by words or by an image; kept, restored, deleted; served."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.errors import InvalidInput, LycheeError, TooLarge
from accounts.principals import Principal
from memory.domain.types import Reader
from sessions_app.forms import ImageForm
from sessions_app.services.images import find_images
from sessions_app.views.frame import frame, page, space_page
from sessions_app.views.reading import session_titles
from visual.domain.telling import alt_text
from visual.domain.types import Upload, Visual, VisualQuery
from visual.selectors import (
    VisualFilters,
    are_images_described,
    get_visual,
    image_file,
    list_visuals,
    visual_stats,
)
from visual.services.curate import delete_visual, pin_visual, restore_visual
from visual.services.remember import decode_images
from visual.views import image_response

SHOWN = 48  # images of a page
FOUND = 24


@dataclass(frozen=True, slots=True)
class ShownImage:
    """An image of the gallery; `alt` is for people who cannot see it, `score` of a search.

    `is_waiting`: whether a model is still to describe it.
    """

    visual: Visual
    alt: str
    is_waiting: bool
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ImageGroup:
    """The images of one conversation; `title` is empty for one that is gone."""

    session_id: UUID
    title: str
    images: tuple[ShownImage, ...]


@require_http_methods(["GET", "POST"])
@space_page
def gallery(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The images by conversation, newest first; or those that fit words, or an image that is posted."""
    form = ImageForm(request.POST if request.method == "POST" else request.GET, request.FILES or None)
    stats = visual_stats(_reader(principal))
    own: dict[str, Any] = {
        "heading": _("Images"),
        "form": form,
        "stats": stats,
        "is_staff": request.user.is_staff,
    }
    status = 200
    if not form.is_valid():
        own, status = own | {"groups": ()}, 422
    elif request.method == "POST" and not form.cleaned_data["image"]:
        form.add_error("image", _("Choose an image first."))
        own, status = own | {"groups": ()}, 422
    elif request.method == "POST":
        try:
            own |= _found(principal, _query_of(form))
        except (InvalidInput, TooLarge) as error:
            form.add_error("image", error.detail)
            own, status = own | {"groups": ()}, 422
    elif form.cleaned_data["q"]:
        own |= _found(principal, VisualQuery(form.cleaned_data["q"], top_k=FOUND))
    else:
        own |= _listed(principal, form.cleaned_data["state"] or "live", request.GET.get("cursor", ""))
    return page(request, "sessions_app/images.html", frame(principal, place="images"), own, status=status)


@require_GET
@space_page
def show(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """One image with what is known of it and where it was shown."""
    visual = get_visual(_reader(principal), visual_id)
    own = {
        "image": _shown(visual),
        "title": session_titles(principal, [visual.session_id]).get(visual.session_id, ""),
    }
    return page(request, "sessions_app/image.html", frame(principal, place="images"), own)


@require_GET
@space_page
def file(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """The image itself, or with `?size=small` its thumbnail."""
    is_small = request.GET.get("size") == "small"
    return image_response(request, image_file(_reader(principal), visual_id, is_small=is_small))


@require_POST
@space_page
def pin(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """Keep an image from fading, or with `unpin` end that."""
    is_pinned = "unpin" not in request.POST
    pin_visual(principal, visual_id, is_pinned=is_pinned)
    told = _("The image is pinned: it does not fade.") if is_pinned else _("The image is unpinned.")
    messages.success(request, told)
    return _back(request, principal, visual_id)


@require_POST
@space_page
def restore(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """Let a forgotten image be recalled again."""
    restore_visual(principal, visual_id)
    messages.success(request, _("The image is restored: it is recalled again."))
    return _back(request, principal, visual_id)


@require_POST
@space_page
def delete(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """Delete an image for good."""
    try:
        delete_visual(principal, visual_id)
    except LycheeError as error:
        if error.error_code in ("not_found", "forbidden"):
            raise
        messages.error(request, error.detail)
    else:
        messages.success(request, _("The image is deleted."))
    return redirect("sessions:images", principal.space_slug)


def _shown(visual: Visual, score: float | None = None) -> ShownImage:
    return ShownImage(visual, alt_text(visual), visual.is_caption_due and are_images_described(), score)


def _back(request: HttpRequest, principal: Principal, visual_id: UUID) -> HttpResponse:
    """To the image's own page if it was pressed there, else to the gallery."""
    if "page" in request.POST:
        return redirect("sessions:image", principal.space_slug, visual_id)
    return redirect("sessions:images", principal.space_slug)


def _query_of(form: ImageForm) -> VisualQuery:
    sent = form.cleaned_data["image"]
    (shown,) = decode_images([Upload(sent.read(), sent.name or "")], field="image")
    return VisualQuery(image=shown, top_k=FOUND)


def _found(principal: Principal, query: VisualQuery) -> dict[str, Any]:
    recalled = find_images(principal, query, now=timezone.now())
    shown = [_shown(hit.visual, hit.score) for hit in recalled.hits]
    return {"found": shown, "is_search": True, "notes": recalled.notes}


def _listed(principal: Principal, state: str, cursor: str) -> dict[str, Any]:
    listed = list_visuals(_reader(principal), VisualFilters(state=state), cursor=cursor, limit=SHOWN)
    by_session: dict[UUID, list[ShownImage]] = {}
    for visual in listed.items:
        by_session.setdefault(visual.session_id, []).append(_shown(visual))
    titles = session_titles(principal, by_session)
    return {
        "groups": _groups(by_session, titles),
        "next_cursor": listed.next_cursor,
        "total": listed.total,
        "state": state,
    }


def _groups(shown: Mapping[UUID, Iterable[ShownImage]], titles: Mapping[UUID, str]) -> list[ImageGroup]:
    return [
        ImageGroup(session_id, titles.get(session_id, ""), tuple(images))
        for session_id, images in shown.items()
    ]


def _reader(principal: Principal) -> Reader:
    return Reader(principal.space_id, principal.user_id)

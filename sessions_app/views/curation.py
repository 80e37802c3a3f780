"""What a person decides about a memory beside its words: pin, restore, merge, erase."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from memory.domain.types import Reader
from memory.models import MemoryRecord
from memory.selectors import RecordFilters, get_record, list_records, replaced_by
from memory.services.curate_merge import MAX_MERGED, merge_records
from memory.services.curate_purge import purge_record
from memory.services.curate_state import pin_record, restore_record
from sessions_app.forms import MergeForm, VersionForm
from sessions_app.views.frame import frame, page, space_page, wants_part
from sessions_app.views.record import change_page, item_page


@require_POST
@space_page
def pin(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Pin a record, or with `unpin` end that."""
    record = _writable(principal, record_id)
    is_pinned = "unpin" not in request.POST
    try:
        record = pin_record(principal, record_id, is_pinned=is_pinned, version=_version(request))
    except Conflict as error:
        messages.error(request, error.detail)
    else:
        told = _("The memory is pinned: it stays whatever happens.") if is_pinned else _("It is unpinned.")
        messages.success(request, told)
    return redirect("sessions:record", principal.space_slug, record.id)


@require_POST
@space_page
def restore(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Let a record be recalled again: from its page, or from the list."""
    record = _writable(principal, record_id)
    try:
        record = restore_record(principal, record_id, version=_version(request))
    except Conflict as error:
        messages.error(request, error.detail)
    else:
        if wants_part(request):
            response = item_page(request, principal, record)
            response["HX-Trigger"] = "filed"  # there is one more to count
            return response
        messages.success(request, _("The memory is restored: it is recalled again."))
    response = redirect("sessions:record", principal.space_slug, record.id)
    if wants_part(request):  # the list cannot say why: the page does
        response = HttpResponse(headers={"HX-Redirect": response.url})
    return response


@require_http_methods(["GET", "POST"])
@space_page
def purge(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Erase a record, once it was asked whether that is meant."""
    record = _writable(principal, record_id)
    if request.method == "GET":
        replaced = replaced_by(Reader(principal.space_id, principal.user_id), record_id)
        own = {"part": "sessions_app/_purge_form.html", "heading": _("Erase a memory")}
        return change_page(request, principal, {**own, "record": record, "replaced": replaced}, status=200)
    try:
        purge_record(principal, record_id, version=_version(request))
    except Conflict as error:
        messages.error(request, error.detail)
        return redirect("sessions:record", principal.space_slug, record_id)
    messages.success(request, _("The memory is erased."))
    return redirect("sessions:memory", principal.space_slug)


@require_http_methods(["GET", "POST"])
@space_page
def merge(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Choose other records of the same thing, by words or about the same, and merge them into this."""
    record = _writable(principal, record_id)
    query = request.GET.get("q", "").strip()[:1_000]
    form = MergeForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and (done := _merged(request, principal, record, form)) is not None:
        return done
    status = 422 if form.errors else 200
    own = {"record": record, "form": form, "query": query, "alike": _alike(principal, record, query)}
    return page(
        request, "sessions_app/record_merge.html", frame(principal, place="memory"), own, status=status
    )


def _merged(
    request: HttpRequest, principal: Principal, record: MemoryRecord, form: MergeForm
) -> HttpResponse | None:
    """Where to go once it is done; None where the form must say why it is not."""
    ids = form.cleaned_data["record_ids"]
    try:
        merge_records(principal, record.id, ids, version=form.cleaned_data["version"])
    except (Conflict, InvalidInput) as error:
        form.show(error)
        return None
    words = ngettext("%(n)d memory was merged into this.", "%(n)d memories were merged into this.", len(ids))
    messages.success(request, words % {"n": len(ids)})
    return redirect("sessions:record", principal.space_slug, record.id)


def _alike(principal: Principal, record: MemoryRecord, query: str) -> list[MemoryRecord]:
    """Live records of the same audience that hold the words, or are about the same."""
    words = query or record.subject
    reader = Reader(space_id=principal.space_id, user_id=principal.user_id)
    found = list_records(reader, RecordFilters(q=words), limit=MAX_MERGED * 2).items
    same = [each for each in found if each.private_to_id == record.private_to_id and each.id != record.id]
    return same[:MAX_MERGED]


def _writable(principal: Principal, record_id: UUID) -> MemoryRecord:
    """The record as this person may change it. Raises NotFound, then Forbidden."""
    record = get_record(Reader(space_id=principal.space_id, user_id=principal.user_id), record_id)
    principal.require_write()
    return record


def _version(request: HttpRequest) -> int | None:
    """The version that the page showed, if the form tells it."""
    form = VersionForm(request.POST)
    version: Any = form.cleaned_data["version"] if form.is_valid() else None
    return version if isinstance(version, int) else None

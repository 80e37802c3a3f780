"""One memory: what it says, what it rests on, what became of it; correcting and expiring it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from memory.domain.types import Reader, Turn
from memory.models import MemoryRecord
from memory.registries import turn_source
from memory.selectors import get_record, record_history, replaced_by, usage_of
from memory.services.curate import edit_record, expire_record
from memory.services.curate_rows import EDITED_MEANWHILE
from memory.services.record_values import EDITABLE
from sessions_app.forms import ExpireForm, RecordForm
from sessions_app.views.addresses import turn_url
from sessions_app.views.changes import history_of, newer_of, reason_of
from sessions_app.views.frame import frame, page, part_of, space_page, wants_part
from sessions_app.views.hanging import hanging_view
from sessions_app.views.present import ASSISTANT
from sessions_app.views.reading import standing_sessions


@dataclass(frozen=True, slots=True)
class Source:
    """A turn of a record's provenance; `is_evidence`, or a neighbour that gives it sense."""

    speaker: str
    said_at: datetime
    text: str
    is_evidence: bool


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Turns that follow one another in a session, and where to see them there."""

    title: str
    url: str
    turns: tuple[Source, ...]


@require_GET
@space_page
def show(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """The record's page."""
    record = get_record(_reader(principal), record_id)
    own = {
        "record": record,
        "facts": [*_facts(record), *_usage_facts(principal, record)],
        "sources": _sources(principal, record),
        "history": history_of(principal, record_history(_reader(principal), record_id)),
        "newer": newer_of(principal, record),
        "reason": reason_of(principal, record),
        "replaced": replaced_by(_reader(principal), record_id),
        "hanging": hanging_view(principal, record_id, now=timezone.now()),
        "expire_form": ExpireForm(),
    }
    return page(request, "sessions_app/record.html", frame(principal, place="memory"), own)


@require_GET
@space_page
@part_of("sessions:record", "record_id")
def item(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """The record as the list shows it."""
    return item_page(request, principal, get_record(_reader(principal), record_id))


@require_http_methods(["GET", "POST"])
@space_page
def edit(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Correct a record: inline in the list, or on a page of its own."""
    record = get_record(_reader(principal), record_id)
    principal.require_write()
    if request.method == "GET":
        return _edit_form(request, principal, record, RecordForm(initial=_initial(record)))
    form, is_stale = RecordForm(request.POST), False
    if form.is_valid():
        try:
            record = edit_record(principal, record_id, _changes(record, form))
        except (Conflict, InvalidInput) as error:
            form.show(error)
            is_stale = error.error_code == EDITED_MEANWHILE
        else:
            if wants_part(request):
                return item_page(request, principal, record)
            messages.success(request, _("The memory is corrected."))
            return redirect("sessions:record", principal.space_slug, record.id)
    return _edit_form(request, principal, record, form, status=422, is_stale=is_stale)


@require_http_methods(["GET", "POST"])
@space_page
def expire(request: HttpRequest, principal: Principal, record_id: UUID) -> HttpResponse:
    """Take a record out of recall, once it was asked whether that is meant."""
    record = get_record(_reader(principal), record_id)
    principal.require_write()
    form = ExpireForm(request.POST if request.method == "POST" else None)
    is_part = wants_part(request)
    if not form.is_valid():
        own: dict[str, Any] = {
            "part": "sessions_app/_expire_form.html",
            "heading": _("Expire a memory"),
        }
        own |= {"record": record, "expire_form": form, "replaced": replaced_by(_reader(principal), record_id)}
        return change_page(request, principal, own, status=422 if form.errors else 200)
    record = expire_record(principal, record_id, form.cleaned_data["reason"])
    if is_part:
        response = item_page(request, principal, record)
        response["HX-Trigger"] = "expired"  # there is one fewer to count
        return response
    messages.success(request, _("The memory is expired: it is no longer recalled."))
    return redirect("sessions:record", principal.space_slug, record.id)


def _reader(principal: Principal) -> Reader:
    return Reader(space_id=principal.space_id, user_id=principal.user_id)


def item_page(request: HttpRequest, principal: Principal, record: MemoryRecord) -> HttpResponse:
    """The record as an item of the list."""
    shared = frame(principal, place="memory")
    standing = standing_sessions(principal, {link.session_id for link in record.evidence.all()})
    return page(request, "sessions_app/_record_item.html", shared, {"record": record, "standing": standing})


def _edit_form(
    request: HttpRequest,
    principal: Principal,
    record: MemoryRecord,
    form: RecordForm,
    *,
    status: int = 200,
    is_stale: bool = False,
) -> HttpResponse:
    own = {"part": "sessions_app/_record_form.html", "heading": _("Edit a memory"), "form": form}
    return change_page(request, principal, {**own, "record": record, "is_stale": is_stale}, status=status)


def change_page(
    request: HttpRequest, principal: Principal, own: dict[str, Any], *, status: int
) -> HttpResponse:
    """A form that changes a record: in the list for htmx, else on a page of its own."""
    is_part = wants_part(request)
    template = "sessions_app/_record_change_item.html" if is_part else "sessions_app/change.html"
    back = reverse("sessions:record", args=[principal.space_slug, own["record"].id])
    return page(request, template, frame(principal, place="memory"), {**own, "back": back}, status=status)


def _initial(record: MemoryRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in (*EDITABLE, "version")}


def _changes(record: MemoryRecord, form: RecordForm) -> dict[str, Any]:
    """What differs from the record: a field shown to the minute keeps its seconds.

    With the version that the person saw, so that nobody's correction is overwritten unseen.
    """
    changes: dict[str, Any] = {"version": form.cleaned_data["version"]}
    for name in EDITABLE:
        was, now = getattr(record, name), form.cleaned_data[name]
        if isinstance(was, datetime):
            was = was.replace(second=0, microsecond=0)
        if was != now:
            changes[name] = now
    return changes


def _facts(record: MemoryRecord) -> list[dict[str, str]]:
    """What is known beside the statement, as far as it is known."""
    told = [
        (_("About"), record.subject),
        (_("Names in it"), ", ".join(record.entities)),
        (_("Topics"), ", ".join(record.topics)),
        (_("Said"), _moment(record.said_at)),
        (_("Speaks of"), _moment(record.time_ref)),
        (_("True from"), _moment(record.valid_from)),
        (_("True until"), _moment(record.valid_to)),
        (_("Filed"), _moment(record.learned_at)),
        (_("Confidence"), f"{record.confidence:.0%}"),
        (_("Seen"), str(record.seen_count)),
        (_("Version"), str(record.version)),
    ]
    return [{"label": label, "value": value} for label, value in told if value]


def _usage_facts(principal: Principal, record: MemoryRecord) -> list[dict[str, str]]:
    """How it fares, once it was recalled."""
    count = usage_of(_reader(principal), record.id)
    told = [
        (_("Recalled"), count.retrievals),
        (_("Used in answers"), count.kept),
        (_("Helped"), count.success),
        (_("Did not help"), count.fail),
    ]
    facts = [{"label": label, "value": str(value)} for label, value in told if value]
    if count.last_used_at:
        facts.append({"label": _("Last recalled"), "value": _moment(count.last_used_at)})
    return facts


def _moment(at: datetime | None) -> str:
    return date_format(localtime(at), "DATETIME_FORMAT") if at else ""


def _sources(principal: Principal, record: MemoryRecord) -> list[SourceGroup]:
    """The evidence with one turn around it, in runs of neighbouring turns."""
    rows = record.evidence.filter(space_id=principal.space_id)
    ids = [row.turn_id for row in rows]
    turns = turn_source().current(principal.space_id, ids)
    around = turn_source().neighbours(principal.space_id, ids, reach=1)
    known: dict[UUID, Turn] = {turn.id: turn for near in around.values() for turn in near} | turns
    visible = [turn for turn in known.values() if turn.private_to in (None, principal.user_id)]
    visible.sort(key=lambda turn: (str(turn.session_id), turn.index))
    return [_group(principal, run, frozenset(turns)) for run in _runs(visible)]


def _runs(turns: list[Turn]) -> Iterator[list[Turn]]:
    """Turns that follow one another in one session, together."""
    numbered = enumerate(turns)
    for _key, run in groupby(numbered, key=lambda pair: (pair[1].session_id, pair[1].index - pair[0])):
        yield [turn for _place, turn in run]


def _group(principal: Principal, run: list[Turn], evidence_ids: frozenset[UUID]) -> SourceGroup:
    first = next(turn for turn in run if turn.id in evidence_ids)
    return SourceGroup(
        title=_moment(first.said_at),
        url=turn_url(principal, first.session_id, first.index),
        turns=tuple(
            Source(
                speaker=turn.speaker or ASSISTANT,
                said_at=turn.said_at,
                text=turn.text,
                is_evidence=turn.id in evidence_ids,
            )
            for turn in run
        ),
    )

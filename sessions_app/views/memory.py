"""What is remembered: the list with its filters, what waits to be filed, filing now."""

from datetime import date, datetime, time
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.errors import InvalidInput
from accounts.models import Job
from accounts.paging import Page
from accounts.principals import Principal
from accounts.selectors import get_job
from accounts.services.jobs import retry_visible_job
from memory.domain.types import MemoryType, Reader
from memory.models import MemoryRecord
from memory.selectors import CURRENT, RecordFilters, count_records, list_records, reembedding_of
from sessions_app.forms import RecordFilterForm
from sessions_app.selectors import list_sessions, space_status
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import find_session
from sessions_app.views.frame import frame, page, part_of, space_page, wants_part
from sessions_app.views.reading import list_waiting, standing_sessions

RECORDS_SHOWN = 30
SESSIONS_OFFERED = 100


@require_GET
@space_page
def remembered(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The list; htmx gets the part that changed: more of the list, all of it, or the counts."""
    if request.htmx and request.htmx.target == "figures":  # type: ignore[attr-defined]  # django_htmx
        counted = {"figures": _figures(principal), "principal": principal}
        return render(request, "sessions_app/_figures.html", counted)
    form = _filter_form(request, principal)
    is_valid = form.is_valid()
    cursor = request.GET.get("cursor", "")
    found: Page[MemoryRecord] = _find(principal, form, cursor) if is_valid else Page(items=())
    own: dict[str, Any] = {"filters": form, "records": found.items, "more_url": _more_url(request, found)}
    sources = {link.session_id for record in found.items for link in record.evidence.all()}
    own["standing"] = standing_sessions(principal, sources)
    status = 422 if form.errors else 200
    if wants_part(request):
        template = "sessions_app/_record_items.html" if cursor else "sessions_app/_records.html"
        return page(request, template, frame(principal, place="memory"), own, status=status)
    own |= {
        "heading": _("What is remembered"),
        "waiting": list_waiting(principal),
        "figures": _figures(principal),
        "reembedding": reembedding_of(principal.space_id),
    }
    return page(request, "sessions_app/memory.html", frame(principal, place="memory"), own, status=status)


@require_POST
@space_page
def remember_now(request: HttpRequest, principal: Principal, session_id: UUID) -> HttpResponse:
    """Queue the filing of everything said in a session, and of what could not be filed before."""
    session = find_session(principal, str(session_id))
    queued = request_consolidation(principal, session, flush=True, retry=True)
    if wants_part(request):
        return _job_part(request, principal, queued)
    return redirect("sessions:memory", principal.space_slug)


@require_GET
@space_page
@part_of("sessions:memory")
def job(request: HttpRequest, principal: Principal, job_id: UUID) -> HttpResponse:
    """How far a job is; asked again until it has ended."""
    return _job_part(request, principal, get_job(principal, job_id))


@require_POST
@space_page
def retry(request: HttpRequest, principal: Principal, job_id: UUID) -> HttpResponse:
    """Queue a failed job's work once more."""
    queued = retry_visible_job(principal, job_id)
    if wants_part(request):
        return _job_part(request, principal, queued)
    return redirect("sessions:memory", principal.space_slug)


def _job_part(request: HttpRequest, principal: Principal, row: Job) -> HttpResponse:
    shown = {
        "id": row.id,
        "is_running": row.state in (Job.State.QUEUED, Job.State.RUNNING),
        "is_failed": row.state == Job.State.FAILED,
        "can_retry": row.state == Job.State.FAILED and principal.can_write,
        "has_news": row.state == Job.State.DONE and bool(row.result.get("records_added")),
        "words": _job_words(row),
    }
    response = render(request, "sessions_app/_job.html", {"job": shown, "principal": principal})
    if row.state == Job.State.DONE:
        response["HX-Retarget"] = "closest .item"  # which waits no longer
        response["HX-Trigger"] = "filed"  # there may be more to list
    return response


def _job_words(row: Job) -> str:
    """What a job has come to."""
    if row.state == Job.State.FAILED:
        return _("Filing failed: %(reason)s It is kept, and can be tried again.") % {"reason": row.error}
    added = int(row.result.get("records_added", 0))
    if row.result.get("left"):
        return _("A part is filed; the rest follows by itself.")
    skills = int(row.result.get("skills_added", 0))
    if not added and not skills:
        return _("Filed. There was nothing new to remember.")
    told = [
        (added, ngettext("Filed: %(n)d new memory.", "Filed: %(n)d new memories.", added)),
        (skills, ngettext("%(n)d skill learned.", "%(n)d skills learned.", skills)),
    ]
    return " ".join(words % {"n": n} for n, words in told if n)


def _filter_form(request: HttpRequest, principal: Principal) -> RecordFilterForm:
    form = RecordFilterForm(request.GET)
    offered = list_sessions(principal, limit=SESSIONS_OFFERED).items
    form.fields["session"].widget.choices = [
        ("", _("every conversation")),
        *((str(session.id), session.title or session.name) for session in offered),
    ]
    return form


def _find(principal: Principal, form: RecordFilterForm, cursor: str) -> Page[MemoryRecord]:
    wanted = form.cleaned_data
    filters = RecordFilters(
        q=wanted["q"],
        type=MemoryType(wanted["type"]) if wanted["type"] else None,
        state=wanted["state"] or CURRENT,
        since=_day_start(wanted["since"]),
        until=_day_start(wanted["until"]),
        session_id=wanted["session"],
    )
    try:
        return list_records(_reader(principal), filters, cursor=cursor, limit=RECORDS_SHOWN)
    except InvalidInput as error:
        form.show(error)
        return Page(items=())


def _reader(principal: Principal) -> Reader:
    return Reader(space_id=principal.space_id, user_id=principal.user_id)


def _day_start(day: date | None) -> datetime | None:
    """The day's first instant in the reader's zone."""
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None


def _more_url(request: HttpRequest, found: Page[MemoryRecord]) -> str:
    if not found.next_cursor:
        return ""
    query = {name: value for name, value in request.GET.items() if name != "cursor" and value}
    return f"{request.path}?{urlencode({**query, 'cursor': found.next_cursor})}"


def _figures(principal: Principal) -> list[dict[str, str]]:
    """The counts above the list."""
    status = space_status(principal)
    records = count_records(_reader(principal), RecordFilters(state=CURRENT))
    counted = [
        (ngettext("memory", "memories", records), records),
        (ngettext("conversation", "conversations", status.sessions), status.sessions),
        (ngettext("turn", "turns", status.turns), status.turns),
    ]
    return [{"label": label, "count": number_format(n, force_grouping=True)} for label, n in counted]

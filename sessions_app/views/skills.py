"""Skills: the list, one skill with what it rests on and its versions, and files of them."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.paging import Page
from accounts.principals import Principal
from memory.domain.text import hidden_spelt_out
from memory.domain.types import Reader
from sessions_app.forms import (
    SkillFilesForm,
    SkillFilterForm,
)
from sessions_app.views.addresses import turn_url
from sessions_app.views.frame import frame, page, space_page, wants_part
from sessions_app.views.markdown import markdown_html
from sessions_app.views.reading import standing_sessions
from skills.domain.files import FILE_NAME
from skills.domain.hyde import as_read
from skills.domain.types import SkillState, SkillUsage
from skills.models import Skill
from skills.selectors import (
    SkillFilters,
    VersionDiff,
    evidence_of,
    get_skill,
    list_skills,
    usage_of_skills,
    versions_of,
)
from skills.services.exchange import export_skill, export_skills

SHOWN = 30
PLACE = "skills"
_MARKS = {"+": "ins", "-": "del", "@": "gap"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a difference: `ins`, `del`, `gap` between places, or the same in both."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version and how it differs from the one it follows."""

    told: VersionDiff
    lines: tuple[Line, ...]
    html: str


@require_GET
@space_page
def listed(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The skills, newest first; htmx gets the list alone."""
    form = SkillFilterForm(request.GET)
    found: Page[Skill] = Page(items=())
    if form.is_valid():
        state = form.cleaned_data["state"]
        filters = SkillFilters(state=SkillState(state) if state else None, q=form.cleaned_data["q"])
        found = list_skills(_reader(principal), filters, cursor=request.GET.get("cursor", ""), limit=SHOWN)
    usage = usage_of_skills(_reader(principal), [skill.id for skill in found.items])
    own: dict[str, Any] = {
        "heading": _("Skills"),
        "filters": form,
        "skills": [(skill, usage.get(skill.id)) for skill in found.items],
        "total": found.total,
        "more_url": _more_url(request, found),
        "files_form": SkillFilesForm(),
    }
    is_part = wants_part(request)
    template = "sessions_app/_skills.html" if is_part else "sessions_app/skills.html"
    return page(request, template, frame(principal, place=PLACE), own)


@require_GET
@space_page
def show(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """One skill: what it says, what it rests on, how it fares, and what it said before."""
    skill = get_skill(_reader(principal), skill_id)
    own = {
        "skill": skill,
        "html": markdown_html(skill.doc_markdown),
        "raw": hidden_spelt_out(as_read(skill.text)),
        "facts": _facts(usage_of_skills(_reader(principal), [skill.id]).get(skill.id)),
        "sources": _sources(principal, skill),
        "versions": [_shown(told) for told in versions_of(_reader(principal), skill_id)],
    }
    return page(request, "sessions_app/skill.html", frame(principal, place=PLACE), own)


@require_GET
@space_page
def file(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """The skill as SKILL.md."""
    _name, text = export_skill(_reader(principal), skill_id)
    return _download(text.encode(), "text/markdown; charset=utf-8", FILE_NAME)


@require_GET
@space_page
def archive(request: HttpRequest, principal: Principal) -> HttpResponse:
    """Every skill that is not retired, as a zip of SKILL.md files."""
    return _download(export_skills(_reader(principal)), "application/zip", "skills.zip")


def _sources(principal: Principal, skill: Skill) -> list[dict[str, Any]]:
    """Where it was taught or shown, as far as that can still be read."""
    rows = evidence_of(_reader(principal), skill.id)
    standing = standing_sessions(principal, {row.session_id for row in rows})
    return [
        {
            "origin": row.origin,
            "at": row.created_at,
            "url": turn_url(principal, row.session_id, row.first_turn) if row.session_id in standing else "",
        }
        for row in rows
    ]


def _shown(told: VersionDiff) -> ShownVersion:
    lines = tuple(
        Line(_MARKS.get(line[:1], "same"), line if line[:1] == "@" else line[1:]) for line in told.diff
    )
    return ShownVersion(told, lines, markdown_html(told.row.doc_markdown))


def _facts(usage: SkillUsage | None) -> list[tuple[str, Any]]:
    """How it fares, once it was recalled."""
    if usage is None:
        return []
    told = [
        (_("Recalled"), usage.uses),
        (_("Used in answers"), usage.kept),
        (_("Helped"), usage.success),
        (_("Did not help"), usage.fail),
    ]
    return [(label, count) for label, count in told if count]


def _more_url(request: HttpRequest, found: Page[Skill]) -> str:
    if not found.next_cursor:
        return ""
    query = {name: value for name, value in request.GET.items() if name != "cursor" and value}
    return f"{request.path}?{urlencode({**query, 'cursor': found.next_cursor})}"


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type=content_type, headers=headers)


def _reader(principal: Principal) -> Reader:
    return Reader(space_id=principal.space_id, user_id=principal.user_id)

"""What a person does with skills: write, correct, decide, put a version in force, delete, take in files."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from memory.domain.types import Reader
from sessions_app.forms import SkillForm, SkillStateForm, VersionForm
from sessions_app.views.frame import frame, page, space_page
from sessions_app.views.skills import PLACE
from skills.domain.types import SkillState, SkillText
from skills.models import Skill
from skills.selectors import get_skill
from skills.services.curate import adopt_version, create_skill, delete_skill, edit_skill
from skills.services.exchange import CONFIG, Imported, import_skills

_NAMED = 5  # refused files


@require_http_methods(["GET", "POST"])
@space_page
def write(request: HttpRequest, principal: Principal) -> HttpResponse:
    """A skill of one's own: active at once, for whoever writes it means it."""
    principal.require_write()
    form = SkillForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = create_skill(principal, _text(form), is_active=True)
        except (Conflict, InvalidInput) as error:
            form.show(error)
        else:
            messages.success(request, _("The skill is written, and used from now on."))
            return redirect("sessions:skill", principal.space_slug, made.id)
    return _form_page(request, principal, form, _("Write a skill"))


@require_http_methods(["GET", "POST"])
@space_page
def edit(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """Correct a skill: what it says becomes its next version."""
    skill = _writable(principal, skill_id)
    initial = {name: getattr(skill, name) for name in ("intent", "doc_markdown", "preconditions", "tools")}
    if request.method == "GET":
        form = SkillForm(initial={**initial, "version": skill.version})
        return _form_page(request, principal, form, _("Edit a skill"), skill)
    form = SkillForm(request.POST)
    if form.is_valid():
        changes = {name: form.cleaned_data[name] for name in initial}
        try:
            edit_skill(principal, skill_id, changes, version=form.cleaned_data["version"])
        except (Conflict, InvalidInput) as error:
            form.show(error)
        else:
            messages.success(request, _("The skill is corrected; what it said before is kept as a version."))
            return redirect("sessions:skill", principal.space_slug, skill_id)
    return _form_page(request, principal, form, _("Edit a skill"), skill)


@require_POST
@space_page
def decide(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """Use a skill from now on, put it back to the drafts, or retire it."""
    _writable(principal, skill_id)
    form = SkillStateForm(request.POST)
    if form.is_valid():
        state = form.cleaned_data["state"]
        told = {
            SkillState.ACTIVE: _("The skill is active: it is used from now on."),
            SkillState.RETIRED: _("The skill is retired: it is never used, and learns nothing."),
        }.get(state, _("The skill is a draft: it is not used."))
        _try(
            request,
            lambda: edit_skill(principal, skill_id, {"state": state}, version=form.cleaned_data["version"]),
            told,
        )
    return redirect("sessions:skill", principal.space_slug, skill_id)


@require_POST
@space_page
def adopt(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """Put another version of a skill in force."""
    _writable(principal, skill_id)
    number = request.POST.get("number", "")
    if number.isdecimal() and len(number) < 9:
        _try(
            request,
            lambda: adopt_version(principal, skill_id, int(number), version=_version(request)),
            _("That version is in force now."),
        )
    return redirect("sessions:skill", principal.space_slug, skill_id)


@require_http_methods(["GET", "POST"])
@space_page
def delete(request: HttpRequest, principal: Principal, skill_id: UUID) -> HttpResponse:
    """Delete a skill, once it was asked whether that is meant."""
    skill = _writable(principal, skill_id)
    if request.method == "GET":
        own = {"skill": skill, "heading": _("Delete a skill"), "part": "sessions_app/_skill_delete_form.html"}
        return _change_page(request, principal, own)
    if _try(
        request,
        lambda: delete_skill(principal, skill_id, version=_version(request)),
        _("The skill is deleted."),
    ):
        return redirect("sessions:skills", principal.space_slug)
    return redirect("sessions:skill", principal.space_slug, skill_id)


@require_POST
@space_page
def take_in(request: HttpRequest, principal: Principal) -> HttpResponse:
    """Take in SKILL.md files; new skills are drafts."""
    principal.require_write()
    files = [each for each in request.FILES.getlist("skill_files") if _fits(each)]
    if not files:
        messages.error(request, _("Choose SKILL.md files, or zips of at most 5 MB."))
        return redirect("sessions:skills", principal.space_slug)
    _tell_import(request, import_skills(principal, [(each.name or "", each.read()) for each in files]))
    return redirect("sessions:skills", principal.space_slug)


def _tell_import(request: HttpRequest, told: Imported) -> None:
    """How many were added, changed and left alone, and the first files that are none with their reasons."""
    added, changed, same = len(told.added), len(told.changed), len(told.unchanged)
    waiting = len(set(told.waiting))
    words = []
    if added:
        words.append(
            ngettext("%(n)d skill added as a draft.", "%(n)d skills added as drafts.", added) % {"n": added}
        )
    if changed:
        words.append(
            ngettext("%(n)d has a new version.", "%(n)d have a new version.", changed) % {"n": changed}
        )
    if waiting:
        words.append(
            ngettext(
                "%(n)d is in use and stays as it is; the new text waits among its versions.",
                "%(n)d are in use and stay as they are; the new texts wait among their versions.",
                waiting,
            )
            % {"n": waiting}
        )
    if same:
        words.append(ngettext("%(n)d was known already.", "%(n)d were known already.", same) % {"n": same})
    if words:
        messages.success(request, " ".join(words))
    for refused in told.refused[:_NAMED]:
        messages.error(request, f"{refused.name}: {refused.reason}")
    more = len(told.refused) - _NAMED
    if more > 0:
        counted = ngettext("%(n)d more file was refused.", "%(n)d more files were refused.", more)
        messages.error(request, counted % {"n": more})


def _form_page(
    request: HttpRequest, principal: Principal, form: SkillForm, heading: str, skill: Skill | None = None
) -> HttpResponse:
    own = {"form": form, "heading": heading, "skill": skill, "part": "sessions_app/_skill_form.html"}
    return _change_page(request, principal, own, status=422 if form.errors else 200)


def _change_page(
    request: HttpRequest, principal: Principal, own: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """A form about a skill, from which one goes back to it, or to the list from a new one."""
    slug, skill = principal.space_slug, own["skill"]
    name, args = ("sessions:skill", [slug, skill.id]) if skill else ("sessions:skills", [slug])
    own["back"] = reverse(name, args=args)
    return page(request, "sessions_app/change.html", frame(principal, place=PLACE), own, status=status)


def _text(form: SkillForm) -> SkillText:
    given = form.cleaned_data
    return SkillText(
        given["intent"], given["doc_markdown"], tuple(given["preconditions"]), tuple(given["tools"])
    )


def _try(request: HttpRequest, act: Callable[[], object], told: str) -> bool:
    """Do it and tell; a refusal is told instead."""
    try:
        act()
    except (Conflict, InvalidInput) as error:
        messages.error(request, error.detail)
        return False
    messages.success(request, told)
    return True


def _fits(upload: "UploadedFile[bytes]") -> bool:
    return upload.size is not None and upload.size <= CONFIG.archive_bytes


def _writable(principal: Principal, skill_id: UUID) -> Skill:
    """The skill as this person may change it. Raises NotFound, then Forbidden."""
    skill = get_skill(Reader(principal.space_id, principal.user_id), skill_id)
    principal.require_write()
    return skill


def _version(request: HttpRequest) -> int | None:
    """The version that the page showed, if the form tells it."""
    form = VersionForm(request.POST)
    version: Any = form.cleaned_data["version"] if form.is_valid() else None
    return version if isinstance(version, int) else None

"""`/memory/skills`: list, write, correct, retire, and exchange ways of doing something."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

from django.http import HttpResponse
from ninja import File, Query, Router, Schema, Status
from ninja.files import UploadedFile

from accounts.errors import TooLarge
from api.auth import SIGNED_IN, SignedIn
from api.rest.versions import IfMatch, etag_of, guarded
from api.schemas.skills import (
    ImportedOut,
    NewSkill,
    SkillChange,
    SkillGone,
    SkillList,
    SkillOut,
    SkillsCleared,
    SkillVersionOut,
    SkillVersions,
)
from api.schemas.wire import Cursor, OptionalText, PageSize
from memory.domain.types import Reader
from skills.domain.files import FILE_NAME
from skills.domain.types import SkillState
from skills.selectors import SkillFilters, get_skill, list_skills, usage_of_skills, versions_of
from skills.services.curate import adopt_version, clear_skills, create_skill, delete_skill, edit_skill
from skills.services.exchange import CONFIG, export_skill, export_skills, import_skills

if TYPE_CHECKING:
    from skills.models import Skill

router = Router(tags=["skills"], auth=SIGNED_IN)


class SkillQuery(Schema):
    """Which skills to list; every filter narrows."""

    state: SkillState | None = None
    flagged: bool | None = None
    q: OptionalText = ""
    cursor: Cursor = ""
    limit: PageSize = 50


@router.get("", response=SkillList, summary="List skills")
def skills(request: SignedIn, query: Annotated[SkillQuery, Query()]) -> SkillList:
    """Newest first, page by page, whatever their state."""
    filters = SkillFilters(state=query.state, q=query.q, is_flagged=query.flagged)
    page = list_skills(_reader(request), filters, cursor=query.cursor, limit=query.limit)
    return SkillList.of(page, usage_of_skills(_reader(request), [skill.id for skill in page.items]))


@router.post("", response={201: SkillOut}, summary="Write a skill")
def create(request: SignedIn, payload: NewSkill, response: HttpResponse) -> Status[SkillOut]:
    """A draft, or `active` at once. 409 if there is a skill for that intent already."""
    made = create_skill(request.auth, payload.to_text(), is_active=payload.active)
    return Status(201, _told(request, made, response))


@router.delete("/clear", response=SkillsCleared, summary="Delete every skill")
def clear(request: SignedIn) -> SkillsCleared:
    """Those of the space and your own private ones; what taught them does not teach them again."""
    return SkillsCleared(cleared=clear_skills(request.auth))


@router.get("/export", summary="Export skills as SKILL.md files")
def export_all(request: SignedIn) -> HttpResponse:
    """A zip with a folder for each skill that is not retired, in the form that agent runtimes read."""
    return _file(export_skills(_reader(request)), "application/zip", "skills.zip")


@router.post("/import", response=ImportedOut, summary="Import SKILL.md files")
def import_files(request: SignedIn, files: File[list[UploadedFile]]) -> ImportedOut:
    """Files or zips of them, as `multipart/form-data`. New skills are drafts; a known intent gets a
    further version, which waits until it is put in force where the skill is active. Each file is taken
    in or refused by itself.
    """
    return ImportedOut.of(import_skills(request.auth, [(each.name or "", _read(each)) for each in files]))


@router.get("/{uuid:skill_id}", response=SkillOut, summary="Read a skill")
def skill(request: SignedIn, skill_id: UUID, response: HttpResponse) -> SkillOut:
    """`ETag` is its version."""
    return _told(request, get_skill(_reader(request), skill_id), response)


@router.patch("/{uuid:skill_id}", response=SkillOut, summary="Correct, activate or retire a skill")
def change(
    request: SignedIn,
    skill_id: UUID,
    payload: SkillChange,
    response: HttpResponse,
    if_match: IfMatch = "",
) -> SkillOut:
    """What is left out stays; a new text becomes the next version. What a person says wins over
    whatever is learned later. `If-Match` (412) or `version` (409) keep you from overwriting unseen.
    """
    with _guarded(request, skill_id, if_match) as version:
        changed = edit_skill(request.auth, skill_id, payload.changes(), version=version or payload.version)
    return _told(request, changed, response)


@router.delete("/{uuid:skill_id}", response=SkillGone, summary="Delete a skill")
def delete(request: SignedIn, skill_id: UUID, if_match: IfMatch = "") -> SkillGone:
    """With its versions; it is learned again only from what is said later."""
    with _guarded(request, skill_id, if_match) as version:
        delete_skill(request.auth, skill_id, version=version)
    return SkillGone(skill_id=skill_id)


@router.get("/{uuid:skill_id}/versions", response=SkillVersions, summary="The versions of a skill")
def versions(request: SignedIn, skill_id: UUID) -> SkillVersions:
    """Newest first, each with the lines in which it differs from the one before, or, where it waits beside
    the one in force, from that.
    """
    told = versions_of(_reader(request), skill_id)
    return SkillVersions(skill_id=skill_id, items=[SkillVersionOut.of(each) for each in told])


@router.post(
    "/{uuid:skill_id}/versions/{int:number}/adopt", response=SkillOut, summary="Put a version in force"
)
def adopt(
    request: SignedIn, skill_id: UUID, number: int, response: HttpResponse, if_match: IfMatch = ""
) -> SkillOut:
    """An earlier one, or one that was learned beside a person's text."""
    with _guarded(request, skill_id, if_match) as version:
        adopted = adopt_version(request.auth, skill_id, number, version=version)
    return _told(request, adopted, response)


@router.get("/{uuid:skill_id}/export", summary="Export a skill as SKILL.md")
def export_one(request: SignedIn, skill_id: UUID) -> HttpResponse:
    """Front matter with name and description, then the text."""
    _name, text = export_skill(_reader(request), skill_id)
    return _file(text.encode(), "text/markdown; charset=utf-8", FILE_NAME)


def _guarded(request: SignedIn, skill_id: UUID, if_match: str) -> AbstractContextManager[int | None]:
    return guarded(if_match, lambda: get_skill(_reader(request), skill_id).version)


def _told(request: SignedIn, row: "Skill", response: HttpResponse) -> SkillOut:
    response["ETag"] = etag_of(row.version)
    return SkillOut.of(row, usage_of_skills(_reader(request), [row.id]).get(row.id))


def _read(upload: UploadedFile) -> bytes:
    if upload.size is None or upload.size > CONFIG.archive_bytes:
        raise TooLarge(f"A file has at most {CONFIG.archive_bytes:,} bytes.")
    return bytes(upload.read())


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    """A download that no browser opens as a page."""
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )


def _reader(request: SignedIn) -> Reader:
    return Reader(request.auth.space_id, request.auth.user_id)

"""Skills out to SKILL.md files and back in: one file, or a zip with a folder for each."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.errors import Conflict, InvalidInput
from accounts.principals import Principal
from memory.domain.types import Reader
from skills.config import SkillConfig
from skills.domain.extraction import fit_text, intent_key
from skills.domain.files import FILE_NAME, UnreadableSkill, file_names, read_skill, write_skill
from skills.domain.types import Origin, SkillState, SkillText
from skills.models import Skill
from skills.selectors import get_skill
from skills.services.curate import create_skill, edit_skill, propose_text
from skills.services.rows import space_screen

CONFIG = SkillConfig()
# What the standard library raises of a zip that is not what it says: ValueError of names that are no text.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same skills give the same bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that was not taken in, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the files: skills that are new, that have a new version in force, that are active and
    have one that waits, that said the same.
    """

    added: tuple[UUID, ...] = ()
    changed: tuple[UUID, ...] = ()
    waiting: tuple[UUID, ...] = ()
    unchanged: tuple[UUID, ...] = ()
    refused: tuple[Refused, ...] = ()


def export_skill(reader: Reader, skill_id: UUID) -> tuple[str, str]:
    """A skill's name and its SKILL.md. Raises NotFound."""
    skill = get_skill(reader, skill_id)
    name = file_names({skill.id: skill.intent})[skill.id]
    return name, write_skill(skill.text, name=name, number=skill.number)


def export_skills(reader: Reader) -> bytes:
    """Every skill of the reader that is not retired, as a zip of `<name>/SKILL.md`."""
    rows = Skill.objects.visible_to(reader.space_id, reader.user_id).exclude(state="retired")
    skills = {skill.id: skill for skill in rows.order_by("id")}
    names = file_names({skill_id: skill.intent for skill_id, skill in skills.items()})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for skill_id, skill in skills.items():
            member = zipfile.ZipInfo(f"{names[skill_id]}/{FILE_NAME}", _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            text = write_skill(skill.text, name=names[skill_id], number=skill.number)
            archive.writestr(member, text)
    return packed.getvalue()


def import_skills(principal: Principal, files: Sequence[tuple[str, bytes]]) -> Imported:
    """Take in SKILL.md files, or zips of them, each for itself: new ones are drafts.

    One whose intent is known becomes a further version of that skill, which is put in force unless the
    skill is active; one that says what is known changes nothing. Raises Forbidden, or InvalidInput where
    there is no file at all.
    """
    principal.require_write()
    told: dict[str, list[UUID]] = {"added": [], "changed": [], "waiting": [], "unchanged": []}
    refused: list[Refused] = []
    count = 0
    for name, data in _members(files, refused):
        count += 1
        try:
            text = read_skill(data, config=CONFIG)
            outcome, skill_id = _take_in(principal, text)
        except (UnreadableSkill, InvalidInput, Conflict) as error:
            reason = error.detail if isinstance(error, InvalidInput | Conflict) else str(error)
            refused.append(Refused(name, reason))
        else:
            told[outcome].append(skill_id)
    if not count and not refused:
        raise InvalidInput.field("files", _("Choose at least one SKILL.md file."), code="required")
    return Imported(**{key: tuple(ids) for key, ids in told.items()}, refused=tuple(refused))


def _take_in(principal: Principal, text: SkillText) -> tuple[str, UUID]:
    fit = fit_text(text, config=CONFIG, screen=space_screen(principal.space_id))
    rows = Skill.objects.for_space(principal.space_id).filter(private_to__isnull=True)
    known: Skill | None = rows.filter(intent_key=intent_key(fit)).first()
    if known is None:
        return "added", UUID(str(create_skill(principal, text, origin=Origin.IMPORTED).id))
    if known.state == SkillState.ACTIVE:
        is_waiting = propose_text(principal, known.id, text, Origin.IMPORTED)
        return ("waiting" if is_waiting else "unchanged"), UUID(str(known.id))
    changes = {"doc_markdown": text.doc_markdown, "preconditions": text.preconditions}
    after = edit_skill(principal, known.id, changes, origin=Origin.IMPORTED)
    return ("unchanged" if after.number == known.number else "changed"), UUID(str(known.id))


def _members(files: Sequence[tuple[str, bytes]], refused: list[Refused]) -> Iterator[tuple[str, bytes]]:
    """Each SKILL.md by its name, those inside zips too."""
    for name, _data in files[CONFIG.archive_files :]:
        refused.append(Refused(name, _too_many()))
    for name, data in files[: CONFIG.archive_files]:
        if not zipfile.is_zipfile(io.BytesIO(data)):
            yield name, data
            continue
        try:
            yield from _unpacked(name, data, refused)
        except _BROKEN:
            refused.append(Refused(name, _("This archive cannot be read.")))


def _unpacked(name: str, data: bytes, refused: list[Refused]) -> Iterator[tuple[str, bytes]]:
    """The SKILL.md files of a zip; no more of each is read than a file may have."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        wanted = [
            each for each in archive.infolist() if each.filename.rsplit("/", 1)[-1].upper() == "SKILL.MD"
        ]
        if not wanted:
            refused.append(Refused(name, _("It holds no SKILL.md.")))
        if len(wanted) > CONFIG.archive_files:
            refused.append(Refused(name, _too_many()))
        for member in wanted[: CONFIG.archive_files]:
            inner = f"{name}: {member.filename}"
            try:
                with archive.open(member) as opened:
                    content = opened.read(CONFIG.file_bytes + 1)
            except _BROKEN:
                refused.append(Refused(inner, _("This part of the archive cannot be read.")))
            else:
                yield inner, content


def _too_many() -> str:
    return _("Only the first %(n)d files were read.") % {"n": CONFIG.archive_files}

"""A person writes, corrects, activates, retires or deletes a skill; audited, never undone by learning."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import Conflict, InvalidInput, NotFound
from accounts.principals import Principal
from accounts.services.audit import forget_values
from accounts.services.tombstones import bury
from memory.models import UsageCount
from memory.services.curate_rows import audit_row, check_version, reader_of
from memory.services.log_erasure import erase_from_logs
from skills.config import SkillConfig
from skills.domain.extraction import fit_text, is_same_text
from skills.domain.types import Origin, SkillState, SkillText
from skills.models import Skill
from skills.selectors import get_skill
from skills.services.learn_rows import intent_stone, segment_stone
from skills.services.rows import (
    SAME_INTENT,
    hide_skills,
    locked_skill,
    new_version,
    put_text,
    require_skill,
    show_skill,
    space_screen,
)

CONFIG = SkillConfig()
EDITABLE: Final = ("intent", "doc_markdown", "preconditions", "tools")
_BATCH = 200  # skills cleared in one transaction


def create_skill(
    principal: Principal, text: SkillText, *, origin: Origin = Origin.WRITTEN, is_active: bool = False
) -> Skill:
    """A person's own skill, shared with the space: a draft unless it is to be active at once.

    Raises Forbidden, InvalidInput with the faulty field, or Conflict if that intent has a skill.
    """
    principal.require_write()
    fit = _fit(principal, text)
    now = timezone.now()
    skill = Skill(space_id=principal.space_id, edited_at=now)
    put_text(skill, fit)
    if is_active:
        skill.state, skill.decided_at = SkillState.ACTIVE, now
    try:
        with transaction.atomic():
            skill.save(force_insert=True)
            new_version(skill, fit, origin, user_id=principal.user_id)
            show_skill(skill)
            audit_row(principal, skill, "skill.created", {"state": ("", skill.state)})
    except IntegrityError:
        raise _same_intent() from None
    return get_skill(reader_of(principal), skill.id)


def edit_skill(
    principal: Principal,
    skill_id: UUID,
    changes: Mapping[str, object],
    *,
    version: int | None = None,
    origin: Origin = Origin.WRITTEN,
) -> Skill:
    """Correct a skill: what it says becomes its next version, `state` is what it is used as.

    What `changes` leaves out stays. An active skill whose new text reads like an order to the model is
    a draft again, unless the same change activates it. Raises NotFound, Forbidden, InvalidInput with
    the faulty field, or Conflict: changed since `version`, or another skill has that intent.
    """
    require_skill(principal, skill_id)
    try:
        with transaction.atomic():
            row = locked_skill(principal, skill_id)
            check_version(row, version)
            before = row.version
            _put(principal, row, _changed(row, changes), origin)
            _decide(principal, row, changes.get("state"))
            if row.version != before:
                row.save()
    except IntegrityError:
        raise _same_intent() from None
    return get_skill(reader_of(principal), skill_id)


def propose_text(principal: Principal, skill_id: UUID, text: SkillText, origin: Origin) -> bool:
    """Keep a text as a version beside the one in force, which stays; False if that says the same already.

    One that some version says is not kept twice. The skill keeps its intent and its tools. Raises NotFound,
    Forbidden, or InvalidInput with the faulty field.
    """
    require_skill(principal, skill_id)
    with transaction.atomic():
        row = locked_skill(principal, skill_id)
        fit = replace(_fit(principal, text), intent=row.intent, tools=tuple(row.tools))
        if is_same_text(fit, row.text):
            return False
        if not any(is_same_text(fit, version.text) for version in row.versions.all()):
            written = new_version(row, fit, origin, user_id=principal.user_id)
            audit_row(principal, row, "skill.proposed", {"number": ("", written.number)})
        return True


def adopt_version(principal: Principal, skill_id: UUID, number: int, *, version: int | None = None) -> Skill:
    """Put an earlier or a proposed version in force; nothing is lost. Raises as edit_skill does."""
    require_skill(principal, skill_id)
    try:
        with transaction.atomic():
            row = locked_skill(principal, skill_id)
            check_version(row, version)
            chosen = row.versions.filter(number=number).first()
            if chosen is None:
                raise NotFound(_("The skill has no such version."))
            if chosen.number != row.number:
                changes = {"number": (row.number, chosen.number)}
                _follow(row, chosen.text, chosen.number)
                row.save()
                show_skill(row)
                audit_row(principal, row, "skill.adopted", changes)
    except IntegrityError:
        raise _same_intent() from None
    return get_skill(reader_of(principal), skill_id)


def delete_skill(principal: Principal, skill_id: UUID, *, version: int | None = None) -> None:
    """Delete a skill with its versions and its place in logs; keyed hashes keep it from being learned
    again of what was said before. Raises NotFound, Forbidden, or Conflict if changed since `version`.
    """
    require_skill(principal, skill_id)
    with transaction.atomic():
        row = locked_skill(principal, skill_id)
        check_version(row, version)
        _delete(principal, row)


def clear_skills(principal: Principal) -> int:
    """Delete every skill that this person may see; how many. Raises Forbidden."""
    principal.require_write()
    gone = 0
    while True:
        with transaction.atomic():
            rows = Skill.objects.visible_to(principal.space_id, principal.user_id)
            batch = list(rows.select_for_update().order_by("id")[:_BATCH])
            for row in batch:
                _delete(principal, row)
        if not batch:
            return gone
        gone += len(batch)


def _put(principal: Principal, row: Skill, text: SkillText, origin: Origin) -> None:
    """Let the row say this, as a version of its own, where that is anything new."""
    fit = _fit(principal, text)
    if fit.intent == row.intent and is_same_text(fit, row.text):
        return
    before = row.text
    written = new_version(row, fit, origin, user_id=principal.user_id)
    _follow(row, fit, written.number)
    row.save()
    show_skill(row)
    changes = {
        name: (getattr(before, name), getattr(fit, name))
        for name in EDITABLE
        if getattr(before, name) != getattr(fit, name)
    }
    audit_row(principal, row, "skill.edited", changes)


def _follow(row: Skill, text: SkillText, number: int) -> None:
    put_text(row, text)
    row.number, row.version, row.edited_at = number, row.version + 1, timezone.now()
    if row.flagged_because and row.state == SkillState.ACTIVE:
        row.state = SkillState.DRAFT  # until a curator has read it


def _decide(principal: Principal, row: Skill, state: object) -> None:
    """Use the skill as a person says, from now on whatever is learned."""
    if state is None or (state == row.state and row.decided_at is not None):
        return
    try:
        chosen = SkillState(str(state))
    except ValueError:
        raise InvalidInput.field("state", _("A skill is draft, active or retired.")) from None
    before, row.state = row.state, chosen
    row.decided_at, row.version = timezone.now(), row.version + 1
    action = {SkillState.ACTIVE: "skill.activated", SkillState.RETIRED: "skill.retired"}
    audit_row(principal, row, action.get(chosen, "skill.drafted"), {"state": (before, chosen.value)})


def _delete(principal: Principal, row: Skill) -> None:
    intents = {row.intent, *row.versions.values_list("intent", flat=True)}
    segments = set(row.evidence.values_list("segment_id", flat=True))
    statements = [intent_stone(row.intent), *(intent_stone(intent) for intent in intents - {row.intent})]
    statements += [segment_stone(segment_id) for segment_id in segments]
    digest, *_others = [bury(row.space_id, row.private_to_id, each) for each in statements]
    hide_skills(row.space_id, [row.id])
    erase_from_logs(row.space_id, row.id, row.intent)
    UsageCount.objects.for_space(row.space_id).filter(item_id=row.id).delete()
    forget_values(row.space_id, row.id)
    audit_row(principal, row, "skill.deleted", digest=digest)
    row.delete()


def _changed(row: Skill, changes: Mapping[str, object]) -> SkillText:
    """The row's text with what is to change of it. Raises InvalidInput for fields that cannot."""
    unknown = next((name for name in changes if name not in (*EDITABLE, "state")), None)
    if unknown is not None:
        raise InvalidInput.field(unknown, _("This field cannot be changed."), code="unknown")
    text = row.text
    return SkillText(
        intent=str(changes.get("intent", text.intent)),
        doc_markdown=str(changes.get("doc_markdown", text.doc_markdown)),
        preconditions=_listed(changes, "preconditions", text.preconditions),
        tools=_listed(changes, "tools", text.tools),
    )


def _listed(changes: Mapping[str, object], name: str, own: tuple[str, ...]) -> tuple[str, ...]:
    given = changes.get(name, own)
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise InvalidInput.field(name, _("A list of texts is expected."))
    return tuple(str(each) for each in given)


def _fit(principal: Principal, text: SkillText) -> SkillText:
    """The text as it may be stored. Raises InvalidInput for one that says nothing or too much."""
    _require_length("intent", text.intent, CONFIG.max_intent_chars)
    _require_length("doc_markdown", text.doc_markdown, CONFIG.max_doc_chars)
    fit = fit_text(text, config=CONFIG, screen=space_screen(principal.space_id))
    if not fit.intent:
        raise InvalidInput.field("intent", _("Say what the skill is for."), code="required")
    if not fit.doc_markdown:
        raise InvalidInput.field("doc_markdown", _("Say how it is done."), code="required")
    return fit


def _require_length(name: str, text: str, limit: int) -> None:
    if len(text) > limit:
        message = _("At most %(n)d characters are kept.") % {"n": limit}
        raise InvalidInput.field(name, message, code="too_long")


def _same_intent() -> Conflict:
    return Conflict(_("There is a skill for this already; edit that one."), code=SAME_INTENT)

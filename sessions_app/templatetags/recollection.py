"""The memory's own words on pages."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.domain.types import MemoryType
from skills.domain.types import Origin, SkillState

register = template.Library()

TYPE_NAMES: dict[str, Promise] = {
    MemoryType.FACT: _("fact"),
    MemoryType.PREFERENCE: _("preference"),
    MemoryType.EVENT: _("event"),
    MemoryType.CONSTRAINT: _("constraint"),
    MemoryType.PROCEDURE: _("procedure"),
    MemoryType.FAILURE_PATTERN: _("failure pattern"),
    MemoryType.TOOL_AFFORDANCE: _("tool use"),
    "episode": _("as said"),
    "skill": _("skill"),
    "visual": _("image"),
    "erased": _("erased"),
}


SKILL_STATES: dict[str, Promise] = {
    SkillState.DRAFT: _("draft"),
    SkillState.ACTIVE: _("active"),
    SkillState.RETIRED: _("retired"),
}
SKILL_ORIGINS: dict[str, Promise] = {
    Origin.TAUGHT: _("explained by a person"),
    Origin.OBSERVED: _("seen in the use of tools"),
    Origin.SUGGESTED: _("suggested by an assistant"),
    Origin.WRITTEN: _("written here"),
    Origin.IMPORTED: _("imported"),
}


@register.filter
def skill_state(value: str) -> str:
    """A skill's state in the reader's language."""
    return str(SKILL_STATES.get(value, value))


@register.filter
def skill_origin(value: str) -> str:
    """Where a version of a skill comes from, in the reader's language."""
    return str(SKILL_ORIGINS.get(value, value))


@register.filter
def memory_type(value: str) -> str:
    """A memory type in the reader's language."""
    return str(TYPE_NAMES.get(value, value))

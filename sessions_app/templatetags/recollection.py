"""The memory's own words on pages."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.domain.types import MemoryType

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
    "erased": _("erased"),
}


@register.filter
def memory_type(value: str) -> str:
    """A memory type in the reader's language."""
    return str(TYPE_NAMES.get(value, value))

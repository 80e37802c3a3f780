"""What became of a memory, in words: who did what, and what it said before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import NotFound
from accounts.principals import Principal
from memory.domain.types import Reader
from memory.models import MemoryRecord
from memory.selectors import Change, get_record

_ACTIONS: dict[str, Promise] = {
    "edited": gettext_lazy("edited"),
    "imported": gettext_lazy("imported"),
    "adapted": gettext_lazy("adapted"),
    "pinned": gettext_lazy("pinned"),
    "unpinned": gettext_lazy("unpinned"),
    "expired": gettext_lazy("expired"),
    "restored": gettext_lazy("restored"),
    "merged": gettext_lazy("merged others into it"),
}
# Whose values a person wants to compare; other fields follow from what was done.
_SHOWN: dict[str, Promise] = {
    "semantic_text": gettext_lazy("semantic text"),
    "memory_type": gettext_lazy("type"),
    "subject": gettext_lazy("about"),
    "entities": gettext_lazy("names in it"),
    "topics": gettext_lazy("topics"),
    "valid_from": gettext_lazy("true from"),
    "valid_to": gettext_lazy("true until"),
    "expired_reason": gettext_lazy("reason"),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A field before and after."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Line:
    """One change: when, by whom, and what it replaced."""

    at: datetime
    words: str
    values: tuple[Value, ...]


def history_of(principal: Principal, changes: Sequence[Change]) -> list[Line]:
    """The changes in words, newest first."""
    return [_line(change) for change in changes]


def newer_of(principal: Principal, record: MemoryRecord) -> MemoryRecord | None:
    """The record of the newer value, if there is one and the reader may see it."""
    if record.superseded_by_id is None:
        return None
    try:
        return get_record(Reader(principal.space_id, principal.user_id), record.superseded_by_id)
    except NotFound:
        return None


def _line(change: Change) -> Line:
    who = change.who or _("The memory")
    verb = str(_ACTIONS.get(change.action, change.action.replace("_", " ")))
    told = [name for name in change.fields if name in _SHOWN and name != "expired_reason"]
    fields = ", ".join(str(_SHOWN[name]) for name in told)
    values = (
        Value(str(label), _plain(change.changes[name][0]), _plain(change.changes[name][1]))
        for name, label in _SHOWN.items()
        if name in change.changes
    )
    words = f"{who}: {verb}" + (f" ({fields})" if fields else "")
    return Line(change.at, words, tuple(each for each in values if each.before != each.after))


def _plain(value: Any) -> str:
    """A value of the trail as a person reads it."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = "" if value is None else str(value)
    moment = parse_datetime(text) if text[:4].isdigit() and "T" in text else None
    return date_format(localtime(moment), "DATETIME_FORMAT") if moment else text

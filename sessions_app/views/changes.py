"""What became of a memory, in words: who did what, and what it said before."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

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
from memory.selectors import Change, get_record, record_texts
from memory.services.curate_merge import MERGED_INTO
from memory.services.fuse_duplicates import DUPLICATE_OF

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
    "merged": gettext_lazy("merged"),
}
_GONE = gettext_lazy("a memory that is no longer there")
_NOT_LISTED = ("expired_reason", "merged")  # the verb says it
# How a reason begins that names another record, and what a person reads of it.
_POINTING: dict[str, Promise] = {
    MERGED_INTO: gettext_lazy("merged into “%(text)s”"),
    DUPLICATE_OF: gettext_lazy("says the same as “%(text)s”"),
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
    ids = {each for change in changes for each in _records_in(change)}
    texts = record_texts(Reader(principal.space_id, principal.user_id), ids)
    return [_line(change, texts) for change in changes]


def reason_of(principal: Principal, record: MemoryRecord) -> str:
    """Why it was expired, in words; empty where nobody said."""
    ids = _pointed(record.expired_reason)[1]
    return _reason(record.expired_reason, record_texts(Reader(principal.space_id, principal.user_id), ids))


def newer_of(principal: Principal, record: MemoryRecord) -> MemoryRecord | None:
    """The record of the newer value, if there is one and the reader may see it."""
    if record.superseded_by_id is None:
        return None
    try:
        return get_record(Reader(principal.space_id, principal.user_id), record.superseded_by_id)
    except NotFound:
        return None


def _line(change: Change, texts: Mapping[UUID, str]) -> Line:
    who = change.who or _("The memory")
    verb = str(_ACTIONS.get(change.action, change.action.replace("_", " ")))
    told = [name for name in change.fields if name in _SHOWN and name not in _NOT_LISTED]
    fields = ", ".join(str(_SHOWN[name]) for name in told)
    values = (
        Value(str(label), *(_plain(name, value, texts) for value in change.changes[name]))
        for name, label in _SHOWN.items()
        if name in change.changes
    )
    words = f"{who}: {verb}" + (f" ({fields})" if fields else "")
    return Line(change.at, words, tuple(each for each in values if each.before != each.after))


def _records_in(change: Change) -> list[UUID]:
    """The records that a change names: those merged, or those that its reasons point to."""
    merged = change.changes.get("merged", ([], []))[1]
    reasons = change.changes.get("expired_reason", ())
    return [*map(UUID, merged), *(each for reason in reasons for each in _pointed(reason)[1])]


def _pointed(reason: str) -> tuple[str, list[UUID]]:
    """The words for a reason that names a record, and that record; none for any other reason."""
    for start, told in _POINTING.items():
        if reason.startswith(start):
            with suppress(ValueError):
                return str(told), [UUID(reason.removeprefix(start))]
    return "", []


def _reason(reason: str, texts: Mapping[UUID, str]) -> str:
    told, pointed = _pointed(reason)
    return told % {"text": texts.get(pointed[0], _GONE)} if pointed else reason


def _plain(name: str, value: Any, texts: Mapping[UUID, str]) -> str:
    """A value of the trail as a person reads it; `texts`: what the records that it names say."""
    if name == "merged":
        return ", ".join(f"“{texts.get(UUID(each), _GONE)}”" for each in value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = "" if value is None else str(value)
    if name == "expired_reason":
        return _reason(text, texts)
    moment = parse_datetime(text) if text[:4].isdigit() and "T" in text else None
    return date_format(localtime(moment), "DATETIME_FORMAT") if moment else text

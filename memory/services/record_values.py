"""The values that people give for a record, checked and clean, before any row is touched."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import InvalidInput
from accounts.models import Space
from memory.domain.secrets import screen
from memory.domain.temporal import is_given_year
from memory.domain.text import clean_text
from memory.domain.types import MemoryType
from memory.services.record_rows import MAX_SLOT_CHARS, MAX_SUBJECT_CHARS, MAX_VALUE_CHARS

MAX_TEXT_CHARS = 8_000
MAX_LISTED = 32
MAX_LISTED_CHARS = 128
EDITABLE: Final = ("semantic_text", "memory_type", "subject", "entities", "topics", "valid_from", "valid_to")
STATED: Final = (*EDITABLE, "slot", "value")  # of a fact that is brought along


def cleaned_values(
    space_id: UUID, values: Mapping[str, object], *, allowed: Collection[str] = EDITABLE
) -> dict[str, object]:
    """The values as they may be stored in the space, without secrets where it screens for them.

    Raises InvalidInput with the first faulty field.
    """
    is_screening = Space.objects.filter(id=space_id, is_screening_secrets=True).exists()
    return _Cleaner(is_screening).clean(values, allowed)


class _Cleaner:
    """One method a field; the first faulty value raises InvalidInput."""

    def __init__(self, is_screening: bool) -> None:  # noqa: FBT001
        self.is_screening = is_screening

    def clean(self, values: Mapping[str, object], allowed: Collection[str]) -> dict[str, object]:
        """The values as they may be stored."""
        unknown = next((name for name in values if name not in allowed), None)
        if unknown is not None:
            raise InvalidInput.field(unknown, _("This field cannot be changed."), code="unknown")
        return {name: getattr(self, f"_{name}")(value) for name, value in values.items()}

    def _text(self, name: str, value: object, limit: int) -> str:
        if not isinstance(value, str):
            raise InvalidInput.field(name, _("A text is expected."))
        text = clean_text(value)
        if len(text) > limit:
            message = _("At most %(n)d characters are kept.") % {"n": limit}
            raise InvalidInput.field(name, message, code="too_long")
        return screen(text) if self.is_screening else text

    def _semantic_text(self, value: object) -> str:
        text = self._text("semantic_text", value, MAX_TEXT_CHARS)
        if not text:
            raise InvalidInput.field("semantic_text", _("A record says something."), code="required")
        return text

    def _subject(self, value: object) -> str:
        return self._text("subject", value, MAX_SUBJECT_CHARS)

    def _slot(self, value: object) -> str:
        return self._text("slot", value, MAX_SLOT_CHARS)

    def _value(self, value: object) -> str:
        return self._text("value", value, MAX_VALUE_CHARS)

    def _memory_type(self, value: object) -> MemoryType:
        try:
            return MemoryType(str(value))
        except ValueError:
            raise InvalidInput.field("memory_type", _("There is no such type of memory.")) from None

    def _entities(self, value: object) -> list[str]:
        return self._list("entities", value)

    def _topics(self, value: object) -> list[str]:
        return self._list("topics", value)

    def _list(self, name: str, value: object) -> list[str]:
        if not isinstance(value, list | tuple) or len(value) > MAX_LISTED:
            message = _("A list of at most %(n)d texts is expected.") % {"n": MAX_LISTED}
            raise InvalidInput.field(name, message)
        texts = (self._text(name, item, MAX_LISTED_CHARS) for item in value)
        return list(dict.fromkeys(text for text in texts if text))

    def _valid_from(self, value: object) -> datetime | None:
        return self._instant("valid_from", value)

    def _valid_to(self, value: object) -> datetime | None:
        return self._instant("valid_to", value)

    def _instant(self, name: str, value: object) -> datetime | None:
        if value is None:
            return None
        if not isinstance(value, datetime) or timezone.is_naive(value):
            raise InvalidInput.field(name, _("A moment with its time zone is expected."))
        if not is_given_year(value):
            raise InvalidInput.field(name, _("A moment of the years 1000 to 2999 is expected."))
        return value

"""The types of the wire: cleaned text, names, instants, bounded numbers.

Text is cleaned (NFC, trimmed, no NUL, no lone surrogate) before its length is judged.
What a turn may hold is the rule of sessions_app and is judged there, for every door.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from django.conf import settings
from ninja import Schema
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from memory.domain.temporal import is_given_year
from memory.domain.text import clean_text

MAX_PAGE = 100
SLUG = "^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$"


class RequestBody(Schema):
    """What a client sends to be kept. A field that is not known is refused: who sends it counts on it."""

    model_config = ConfigDict(extra="forbid")


def _clean(value: object) -> object:
    return clean_text(value) if isinstance(value, str) else value


def _cut(text: str) -> str:
    # A long prompt is a legitimate query: it is cut for planning, never refused.
    return text[: settings.MAX_QUERY_CHARS]


def _slug(text: str) -> str:
    if not re.fullmatch(SLUG, text):
        raise PydanticCustomError(
            "slug_form", "Give letters a to z, digits and hyphens, no hyphen at an end."
        )
    return text


def _instant(value: object, info: ValidationInfo) -> datetime:
    """ISO 8601 to aware UTC; a naive one is meant in the user's zone."""
    if not isinstance(value, str):
        raise PydanticCustomError("instant_type", "Give an ISO 8601 instant as text.")
    try:
        instant = datetime.fromisoformat(value.strip())
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=_zone(info))
        instant = instant.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise PydanticCustomError(
            "instant_format", "Give an ISO 8601 instant such as 2026-07-01T09:30:00+02:00."
        ) from error
    if not is_given_year(instant):
        raise PydanticCustomError("instant_range", "Give an instant of the years 1000 to 2999.")
    return instant


def _zone(info: ValidationInfo) -> ZoneInfo:
    context: Mapping[str, Any] = info.context or {}
    principal = getattr(context.get("request"), "auth", None)
    return ZoneInfo(principal.time_zone if principal else context.get("time_zone", "UTC"))


# Stands after the bounds: what stands last is done first, and the bounds judge clean text.
Clean = BeforeValidator(_clean)
Text = Annotated[str, Field(min_length=1), Clean]
OptionalText = Annotated[str, Clean]
Query = Annotated[str, Field(min_length=1), Clean, AfterValidator(_cut)]
SessionName = Annotated[
    str, Field(min_length=1, max_length=128, description="Your name for the session, or its id."), Clean
]
Name = Annotated[str, Field(max_length=128), Clean]
Slug = Annotated[
    str,
    Field(min_length=2, max_length=64, json_schema_extra={"pattern": SLUG}),
    Clean,
    AfterValidator(_slug),
]
Instant = Annotated[
    datetime,
    BeforeValidator(_instant),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "description": "ISO 8601; without an offset it is meant in your time zone.",
        }
    ),
]
Flag = Annotated[bool, Field(strict=True)]
TopK = Annotated[int, Field(strict=True, ge=1, le=100)]
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(strict=True, ge=0, le=2_000_000_000)]
PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str, Field(max_length=200, description="`next_cursor` of the page before.")]

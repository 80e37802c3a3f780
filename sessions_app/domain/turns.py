"""A turn as a door receives it to a turn fit to be stored.

Hygiene, limits, reserved keys, time zones and the secret screen; pure: the screen, the
token count and the instant come in as arguments.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from accounts.errors import FieldError, InvalidInput, TooLarge
from memory.domain.temporal import is_given_year
from memory.domain.text import clean_text
from memory.domain.types import Role
from sessions_app.config import TurnConfig
from sessions_app.domain.types import CleanTurn, NewTurn

RESERVED_KEYS = frozenset({"space", "user_id", "tenant"})


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: the default speaker of user turns and the zone of naive times."""

    speaker: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class Cleaner:
    """What cleaning needs of the outside. `screen` hides secrets, `count` counts tokens,
    `text_field` is what the request calls a turn's text.
    """

    screen: Callable[[str], str]
    count: Callable[[str], int]
    config: TurnConfig
    text_field: str = "content"


def clean_turn(
    turn: NewTurn, writer: Writer, cleaner: Cleaner, *, now: datetime, pointer: str = ""
) -> CleanTurn:
    """The turn as it is stored. `pointer` leads to it in the request.

    Raises InvalidInput naming the field, TooLarge for a text above its limit.
    """
    role = _role(turn.role, pointer)
    content = cleaner.screen(_content(turn.content, cleaner.config, f"{pointer}/{cleaner.text_field}"))
    return CleanTurn(
        role=role,
        content=content,
        speaker=cleaner.screen(_speaker(turn.speaker, role, writer, cleaner.config, pointer)),
        said_at=_instant(turn.said_at or now, writer.time_zone, pointer),
        metadata=clean_metadata(turn.metadata, cleaner, pointer=f"{pointer}/metadata"),
        is_consolidated=turn.is_consolidated,
        tokens=cleaner.count(content) + cleaner.config.overhead_tokens,
    )


def clean_name(name: str, *, field: str, limit: int) -> str:
    """A session's or speaker's name: clean, on one line, 1 to `limit` characters."""
    clean = " ".join(clean_text(name).split())
    if not clean:
        raise InvalidInput.field(field, "Give a name of at least one visible character.", code="blank")
    if len(clean) > limit:
        raise InvalidInput.field(field, f"A name has at most {limit} characters.", code="too_long")
    return clean


def clean_metadata(metadata: Mapping[str, object], cleaner: Cleaner, *, pointer: str) -> dict[str, object]:
    """The metadata with clean keys and screened texts. Raises InvalidInput."""
    clean = _clean_mapping(metadata, cleaner, pointer, depth=1)
    if len(json.dumps(clean, ensure_ascii=False)) > cleaner.config.metadata_chars:
        raise _refuse(
            pointer, "too_long", f"Metadata takes at most {cleaner.config.metadata_chars} characters."
        )
    return clean


def _role(role: str, pointer: str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise _refuse(f"{pointer}/role", "invalid", "A role is user, assistant, tool or system.") from None


def _content(content: str, config: TurnConfig, pointer: str) -> str:
    if len(content) > config.max_chars:
        message = f"A turn has at most {config.max_chars:,} characters; send a longer one in parts."
        raise TooLarge(message, errors=(FieldError(pointer, "too_long", message),))
    clean = clean_text(content)
    if not clean:
        raise _refuse(pointer, "blank", "A turn needs a text.")
    return clean


def _speaker(speaker: str, role: Role, writer: Writer, config: TurnConfig, pointer: str) -> str:
    given = " ".join(clean_text(speaker).split())
    if len(given) > config.name_chars:
        message = f"A speaker's name has at most {config.name_chars} characters."
        raise _refuse(f"{pointer}/speaker", "too_long", message)
    if given or role is not Role.USER:
        return given
    return writer.speaker


def _instant(at: datetime, time_zone: str, pointer: str) -> datetime:
    try:
        local = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(time_zone))
        instant = local.astimezone(UTC)
    except OverflowError:  # the first and the last day of the calendar have no UTC everywhere
        instant = None
    if instant is None or not is_given_year(instant):
        message = "Give an instant of the years 1000 to 2999."
        raise _refuse(f"{pointer}/created_at", "out_of_range", message)
    return instant


def _clean_mapping(
    mapping: Mapping[str, object], cleaner: Cleaner, pointer: str, *, depth: int
) -> dict[str, object]:
    clean: dict[str, object] = {}
    for key, value in mapping.items():
        name = cleaner.screen(clean_text(str(key)))
        at = f"{pointer}/{name}"
        if not name or len(name) > cleaner.config.name_chars:
            raise _refuse(at, "invalid_key", "A metadata key has 1 to 128 visible characters.")
        if name.casefold() in RESERVED_KEYS:
            raise _refuse(at, "reserved_key", f"The key {name} is reserved; choose another.")
        clean[name] = _clean_value(value, cleaner, at, depth=depth)
    return clean


def _clean_value(value: object, cleaner: Cleaner, pointer: str, *, depth: int) -> object:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str):
        return cleaner.screen(clean_text(value))
    if depth < cleaner.config.metadata_depth:
        if isinstance(value, Mapping):
            return _clean_mapping(value, cleaner, pointer, depth=depth + 1)
        if isinstance(value, list | tuple):
            return [_clean_value(item, cleaner, pointer, depth=depth + 1) for item in value]
    raise _refuse(pointer, "invalid", "Metadata holds plain JSON values, at most eight levels deep.")


def _refuse(pointer: str, code: str, message: str) -> InvalidInput:
    return InvalidInput(message, errors=(FieldError(pointer, code, message),))

"""What pydantic finds faulty, in plain words: which field, what it takes, with the constraint's numbers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from pydantic_core.core_schema import ErrorType

from accounts.errors import FieldError, InvalidInput

Location = Sequence[str | int]

TOLD_AT_ONCE = 3  # faults that the sentence itself tells; all stand in `errors`
OTHERWISE = "Give what /docs describes for it."
WORDS: Mapping[str, str] = {
    "bool_parsing": "Give true or false.",
    "bool_type": "Give true or false.",
    "dict_type": "Give an object of names and values.",
    "enum": "Give one of {expected}.",
    "extra_forbidden": "There is no such field here; leave it out.",
    "finite_number": "Give a number that is not infinite.",
    "float_parsing": "Give a number.",
    "float_type": "Give a number.",
    "greater_than_equal": "Give {ge} or more.",
    "int_from_float": "Give a whole number.",
    "int_parsing": "Give a whole number.",
    "int_parsing_size": "Give a smaller number.",
    "int_type": "Give a whole number.",
    "less_than_equal": "Give {le} or less.",
    "list_type": "Give a list.",
    "literal_error": "Give one of {expected}.",
    "missing": "It is needed here; add it.",
    "model_attributes_type": "Give an object of names and values.",
    "model_type": "Give an object of names and values.",
    "string_too_long": "Give {max_length} characters or fewer.",
    "string_too_short": "Give {min_length} or more characters, not only spaces.",
    "string_type": "Give a text.",
    "string_unicode": "Give a text in UTF-8.",
    "too_long": "Give {max_length} entries or fewer; the rest may follow in another request.",
    "too_short": "Give {min_length} or more entries.",
    "union_tag_invalid": "Give as {discriminator} one of {expected_tags}.",
    "union_tag_not_found": "Give an object that names its {discriminator}.",
    "uuid_parsing": "Give an id as the API tells it, such as 018f3c1e-7a52-7c3e-9d41-5b2f6e8a9c10.",
    "uuid_type": "Give an id as the API tells it, as text.",
}
_VENDOR_TYPES = frozenset(get_args(ErrorType))


def invalid_input(
    faults: Sequence[Mapping[str, Any]],
    *,
    within: Callable[[Location], Location] = lambda location: location,
    code: str = "",
) -> InvalidInput:
    """The error that tells the faults; `within` leaves of a location what the client wrote itself."""
    errors = tuple(_field_error(within(fault["loc"]), fault) for fault in faults)
    told = [f"{_name(error.pointer)}: {error.message}" for error in errors[:TOLD_AT_ONCE]]
    more = ["`errors` names all that is faulty."] if len(errors) > TOLD_AT_ONCE else []
    return InvalidInput(" ".join(told + more), code=code, errors=errors)


def _field_error(location: Location, fault: Mapping[str, Any]) -> FieldError:
    pointer = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in location)
    return FieldError(pointer, code=str(fault["type"]), message=_message(fault))


def _message(fault: Mapping[str, Any]) -> str:
    if words := WORDS.get(fault["type"]):
        return words.format_map(fault.get("ctx", {}))
    return OTHERWISE if fault["type"] in _VENDOR_TYPES else str(fault["msg"])  # our own are plain


def _name(pointer: str) -> str:
    return f"`{pointer[1:]}`" if pointer else "The body"

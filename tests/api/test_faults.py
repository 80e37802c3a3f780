"""What is faulty is told in plain words: which field, what it takes, the constraint's numbers."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core.core_schema import ErrorType

from api.faults import OTHERWISE, WORDS, invalid_input
from api.rest.root import api
from tests.api.cast import Cast, problem

BAD: tuple[object, ...] = (
    None,
    [],
    {},
    [None],
    "x",
    "",
    " ",
    "A B",
    "1.5",
    "nan",
    5,
    -1,
    True,
    1.5,
    1e300,
    10**30,
    b"\xff",
)
LONG = ("x" * 200_001, ["x"] * 2_000)


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/sessions?limit=many", "`limit`: Give a whole number."),
        ("/sessions?limit=0", "`limit`: Give 1 or more."),
        ("/sessions?limit=101", "`limit`: Give 100 or less."),
        ("/memory/skills?state=old", "`state`: Give one of 'draft', 'active' or 'retired'."),
        ("/memory/skills?flagged=perhaps", "`flagged`: Give true or false."),
    ],
)
def test_a_faulty_query_says_what_to_give(cast: Cast, path: str, detail: str) -> None:
    document = problem(cast.alice.get(path), 422, "invalid_input")
    assert document["detail"] == detail
    assert detail.endswith(document["errors"][0]["message"])


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"turns": []}, "`session_id`: It is needed here; add it. `turns`: Give 1 or more entries."),
        ({"session_id": "s", "turns": [{"content": "x"}]}, "`turns/0/role`: It is needed here; add it."),
        ({"session_id": 5, "turns": [5, 5, 5]}, "`errors` names all that is faulty."),
    ],
)
def test_a_faulty_body_says_what_to_give(cast: Cast, body: object, detail: str) -> None:
    document = problem(cast.alice.post("/memory/append-turns", body), 422, "invalid_input")
    assert document["detail"].endswith(detail)


def test_a_fault_without_words_is_told_without_the_vendors() -> None:
    fault = {"type": "time_parsing", "loc": ("at",), "msg": "Input should be in a valid time format"}
    assert invalid_input([fault]).errors[0].message == OTHERWISE


def test_what_our_own_validators_say_is_kept() -> None:
    fault = {"type": "instant_range", "loc": ("at",), "msg": "Give an instant {of} the years 1000 to 2999."}
    assert invalid_input([fault]).detail == "`at`: Give an instant {of} the years 1000 to 2999."


def test_every_fault_that_the_api_can_find_has_its_words() -> None:
    found = {fault["type"]: fault for model in _models() for fault in _faults_of(model)}
    vendors = set(get_args(ErrorType)) - {"value_error"}  # ninja's, of a file that is none
    assert {"missing", "int_parsing", "enum", "string_too_long", "too_long"} <= set(found)
    assert set(found) & vendors <= set(WORDS)
    for fault in found.values():
        assert "Input should" not in invalid_input([fault]).detail


def _models() -> Iterator[type[BaseModel]]:
    """What every operation reads, and what stands one level within."""
    for _prefix, router in api._routers:
        for view in router.path_operations.values():
            for model in (each for operation in view.operations for each in operation.models):
                yield model
                yield from (f.annotation for f in model.model_fields.values() if _is_model(f.annotation))


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _faults_of(model: type[BaseModel]) -> Iterator[Mapping[str, Any]]:
    names = list(model.model_fields)
    for value in (None, {}, *(dict.fromkeys(names, bad) for bad in (*BAD, *LONG)), {"stray": 1}):
        try:
            model.model_validate(value, context={})
        except ValidationError as error:
            yield from error.errors(include_input=False, include_url=False)

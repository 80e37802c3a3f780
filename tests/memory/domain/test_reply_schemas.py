"""The schemas say what the prompts say, and what our readers understand."""

import json

import pytest

from memory.domain.deep_replies import read_adequacy, read_judgement, read_synthesis
from memory.domain.encoding_replies import read_encoding
from memory.domain.plan_replies import read_plan
from memory.domain.prompts import (
    ADEQUACY_SYSTEM,
    ENCODE_SYSTEM,
    JUDGE_SYSTEM,
    PLAN_SYSTEM,
    SYNTHESIZE_SYSTEM,
)
from memory.domain.replies import Unreadable
from memory.domain.reply_schemas import (
    ADEQUACY_SHAPE,
    ENCODING_SHAPE,
    JUDGE_SHAPE,
    PLAN_SHAPE,
    SYNTHESIS_SHAPE,
    ReplyShape,
    Schema,
)
from tests.memory.prompting import question, segment, turn


def keys(schema: object) -> set[str]:
    """Every property that a schema names, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(keys, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return set(own).union(
        *(keys(value) for value in schema.values()), *(keys(value) for value in own.values())
    )


def example_of(prompt: str) -> dict[str, object]:
    """The JSON object that a prompt shows."""
    made: dict[str, object] = json.JSONDecoder().raw_decode(prompt, prompt.index("{"))[0]
    return made


def names_in(value: object) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(names_in, value)) if value else set()
    if isinstance(value, dict):
        return set(value).union(*map(names_in, value.values()))
    return set()


@pytest.mark.parametrize(
    ("shape", "prompt", "free"),
    [
        (PLAN_SHAPE, PLAN_SYSTEM, set()),
        (ENCODING_SHAPE, ENCODE_SYSTEM, {"she"}),
        (JUDGE_SHAPE, JUDGE_SYSTEM, set()),
        (ADEQUACY_SHAPE, ADEQUACY_SYSTEM, set()),
        (SYNTHESIS_SHAPE, SYNTHESIZE_SYSTEM, set()),
    ],
)
def test_every_field_that_a_prompt_shows_is_allowed_and_no_other(
    shape: ReplyShape, prompt: str, free: set[str]
) -> None:
    sometimes = {"previous_outcome"} if shape is PLAN_SHAPE else set()  # JUDGE_PREVIOUS asks for it
    assert keys(dict(shape.schema)) == names_in(example_of(prompt)) - free | sometimes


@pytest.mark.parametrize("shape", [PLAN_SHAPE, ENCODING_SHAPE, JUDGE_SHAPE, ADEQUACY_SHAPE, SYNTHESIS_SHAPE])
def test_a_schema_is_json_and_what_it_requires_it_knows(shape: ReplyShape) -> None:
    def check(schema: Schema) -> None:
        for name in schema.get("required", ()):  # type: ignore[attr-defined]
            assert name in schema["properties"]  # type: ignore[operator]
        for value in schema.values():
            if isinstance(value, dict):
                check(value)

    check(json.loads(json.dumps(shape.schema)))


def test_what_the_schemas_require_at_least_is_understood() -> None:
    assert not isinstance(
        read_plan('{"mode":"answer","question_type":"single"}', question("Who?")), Unreadable
    )
    assert not isinstance(read_encoding('{"records":[]}', segment(turn(0, "Hello."))), Unreadable)
    assert not isinstance(read_judgement('{"relevant":[]}', count=1), Unreadable)
    assert not isinstance(read_adequacy('{"adequate":true}'), Unreadable)
    assert not isinstance(read_synthesis('{"scores":[],"background_context":""}', count=0), Unreadable)

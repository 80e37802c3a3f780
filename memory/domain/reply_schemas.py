"""The shapes of a model's replies as JSON Schema, for providers that hold a model to one.

They say what the prompts say (memory.domain.prompts). Nothing relies on them: what comes is
read as if no schema had been sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from memory.domain.plan_replies import MODES, OUTCOMES, QUESTION_TYPES
from memory.domain.summaries import SECTIONS
from memory.domain.types import MemoryType, Role

Schema = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ReplyShape:
    """A JSON object that a reply should be."""

    name: str
    schema: Schema


def _object(*required: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


_TEXT: Schema = {"type": "string"}
_TEXTS = _list(_TEXT)
_WHOLE: Schema = {"type": "integer"}
_TRUTH: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}
# Free keys: words of the turns, and whom they mean.
_NAMES: Schema = {"type": "object", "additionalProperties": _TEXT}

PLAN_SHAPE = ReplyShape(
    "plan",
    _object(
        "mode",
        "question_type",
        mode=_one_of(*MODES),
        question_type=_one_of(*QUESTION_TYPES),
        small_talk=_TRUTH,
        names=_TEXTS,
        routes=_list(
            _object(
                "queries",
                goal=_TEXT,
                queries=_TEXTS,
                constraints=_TEXTS,
                time_range=_object("start", "end", start=_TEXT, end=_TEXT),
            )
        ),
        draft=_TEXT,
        action=_object(tentative=_TEXT, constraints=_TEXTS, failure=_TEXT, missing=_TEXTS),
        tool_hints=_TEXTS,
        required_constraints=_TEXTS,
        tree_depth=_WHOLE,
        top_k=_WHOLE,
        previous_outcome=_one_of(*OUTCOMES),
    ),
)

_RELATION = _object(
    "from",
    "type",
    "to",
    **{"from": _TEXT, "type": _TEXT, "to": _TEXT, "valid_from": _TEXT, "valid_to": _TEXT},
)
_RECORD = _object(
    "memory_type",
    "semantic_text",
    "subject",
    "evidence_turns",
    memory_type=_one_of(*MemoryType),
    semantic_text=_TEXT,
    subject=_TEXT,
    slot=_TEXT,
    value=_TEXT,
    entities=_TEXTS,
    topics=_TEXTS,
    relations=_list(_RELATION),
    tool_tags=_TEXTS,
    constraint_tags=_TEXTS,
    failure_tags=_TEXTS,
    affordance_tags=_TEXTS,
    temporal=_object(t_ref=_TEXT, t_valid_from=_TEXT, t_valid_to=_TEXT),
    evidence_turns=_list(_WHOLE),
    source_role=_one_of(Role.USER, Role.ASSISTANT),
    confirmed=_TRUTH,
    confidence=_NUMBER,
)
_SKILL = _object("intent", "doc_markdown", intent=_TEXT, doc_markdown=_TEXT, preconditions=_TEXTS)

ENCODING_SHAPE = ReplyShape(
    "encoding",
    _object("records", records=_list(_RECORD), skills=_list(_SKILL), disambiguation=_NAMES),
)

_WHOLES = _list(_WHOLE)
JUDGE_SHAPE = ReplyShape("judgement", _object("relevant", relevant=_WHOLES, abstract=_WHOLES))
ADEQUACY_SHAPE = ReplyShape("adequacy", _object("adequate", adequate=_TRUTH, queries=_TEXTS))
SYNTHESIS_SHAPE = ReplyShape(
    "synthesis",
    _object(
        "scores",
        "background_context",
        scores=_list(_object("id", "score", id=_WHOLE, score=_NUMBER)),
        background_context=_TEXT,
    ),
)
TITLES_SHAPE = ReplyShape(
    "titles", _object("titles", titles=_list(_object("id", "title", id=_WHOLE, title=_TEXT)))
)
SUMMARY_SHAPE = ReplyShape("summary", _object(*SECTIONS, **dict.fromkeys(SECTIONS, _TEXTS)))

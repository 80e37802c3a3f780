"""The corpus: what the model writes, and what must come of it.

Each reply is sent through the true LiteLLM path in answer to the encoding of SEGMENT. When a
repair call follows, the test model answers it properly, so `repaired` means: asked again,
and right then. `twice` sends the reply to the repair call too.
"""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory.domain.types import Role
from tests.memory.prompting import segment, turn
from tests.model_server.steps import Step, say

SEGMENT = segment(
    turn(3, "I moved to Berlin yesterday. My sister Rose lives in Paris."),
    turn(4, "Congratulations on the move!", role=Role.ASSISTANT),
    turn(5, "Thanks. I never eat meat, so show me vegan places."),
    reference=["Bob collects old stamps from France."],
)


class Outcome(StrEnum):
    """What becomes of a reply."""

    ENCODED = "encoded"  # one call
    REPAIRED = "repaired"  # two calls
    HALVED = "halved"  # cut off: the segment is encoded in halves
    REFUSED = "refused"  # one call, no use in asking again
    FAULTY = "faulty"  # two calls, to no avail


@dataclass(frozen=True, slots=True)
class BadReply:
    """One reply. `texts`: the semantic texts that are kept, in order; None when they don't matter."""

    name: str
    step: Step
    outcome: Outcome
    texts: tuple[str, ...] | None = None
    twice: bool = False
    checks: dict[str, Any] = field(default_factory=dict)  # fields of the first record


BERLIN = "Alice moved to Berlin."
MEAT = "Alice never eats meat."


def one(**changes: Any) -> dict[str, Any]:
    """A good record, changed."""
    return {
        "memory_type": "fact",
        "semantic_text": BERLIN,
        "subject": "Alice",
        "evidence_turns": [3],
        "confidence": 0.9,
        **changes,
    }


def records(*items: Any, **more: Any) -> str:
    return json.dumps({"records": list(items), **more}, ensure_ascii=False)


GOOD = records(one())
TWO = records(one(), one(semantic_text=MEAT, evidence_turns=[5], memory_type="constraint"))


def kept(name: str, text: str, *texts: str, **checks: Any) -> BadReply:
    """Odd, yet what it says is clear: used after one call."""
    return BadReply(name, say(text), Outcome.ENCODED, texts or (BERLIN,), checks=checks)


def nothing(name: str, text: str) -> BadReply:
    """Rightly without any record."""
    return BadReply(name, say(text), Outcome.ENCODED, ())


def repaired(name: str, text: str) -> BadReply:
    """Unusable; asking again helps."""
    return BadReply(name, say(text), Outcome.REPAIRED)


def faulty(name: str, text: str) -> BadReply:
    """Unusable, twice."""
    return BadReply(name, say(text), Outcome.FAULTY, twice=True)


def refused(name: str, text: str, **how: Any) -> BadReply:
    """The model declines."""
    return BadReply(name, say(text, **how), Outcome.REFUSED)


def halved(name: str, text: str, *, finish: str = "stop") -> BadReply:
    """Cut off."""
    return BadReply(name, say(text, finish=finish), Outcome.HALVED)


WRAPPED = (
    kept("code fence", f"```json\n{GOOD}\n```"),
    kept("code fence never closed", f"```json\n{GOOD}"),
    kept("fence without a language", f"```\n{GOOD}\n```"),
    kept("prose before and after", f"Here are the records:\n\n{GOOD}\n\nLet me know if you need more."),
    kept("prose with braces", f"I used the schema {{as asked}}. {GOOD} {{done}}"),
    kept("think block", f"<think>Alice says she {{moved}}.</think>\n{GOOD}"),
    kept("think block with a draft inside", f'<think>Maybe {{"records": []}}?</think>{GOOD}'),
    kept("think block opened by the template", f"Alice moved, I think.\n</think>\n\n{GOOD}"),
    kept("a draft, then the answer", f'{{"records": []}}\n\nWait, that misses the move:\n\n{GOOD}'),
    kept("byte order mark", f"\ufeff{GOOD}"),
    kept("a bare list", json.dumps([one()])),
    kept("one object instead of a list", json.dumps({"records": one()})),
    kept("JSON in a string of the last line", f"\n\n\n   {GOOD}   \n"),
)
MANGLED = (
    kept("single quotes", GOOD.replace('"', "'")),
    kept("trailing commas", GOOD.replace("}]}", "},]}")),
    kept("keys without quotes", GOOD.replace('"records"', "records").replace('"subject"', "subject")),
    kept("a comment", GOOD.replace("[{", "[ // the move\n{")),
    kept("the last brace forgotten", GOOD[:-1]),
    kept(
        "Python's True and None",
        GOOD.replace('"confidence"', '"confirmed": True, "slot": None, "confidence"'),
    ),
    kept("a raw line break in a string", GOOD.replace("moved to", "moved\nto")),
    kept("a broken escape", GOOD.replace("moved to", "moved \\u12 to"), "Alice moved \\u12 to Berlin."),
    kept("a lone surrogate", GOOD.replace("Berlin", "Berlin\\ud83d")),
    kept("a NUL", GOOD.replace("moved", "mo\\u0000ved")),
)
VALUES = (
    kept("a confidence of 7", records(one(confidence=7)), confidence=1.0),
    kept("a confidence in words", records(one(confidence="very high")), confidence=0.8),
    kept("year 0", records(one(temporal={"t_ref": "0000-01-01", "t_valid_from": "2023-05-07"}))),
    kept("a year beyond int32", records(one(temporal={"t_valid_from": "2147483648-01-01", "t_ref": 2**31}))),
    kept("a room number as a date", records(one(temporal={"t_ref": "room 2024", "t_valid_to": 2024}))),
    kept("unknown turn beside a known one", records(one(evidence_turns=[3, 42])), evidence_turns=(3,)),
    kept("turn numbers as words", records(one(evidence_turns=["turn 3", "[5]"])), evidence_turns=(3, 5)),
    kept("the user as subject", records(one(subject="the user", semantic_text="The user moved to Berlin."))),
    kept(
        "an unknown type beside a good record",
        records(one(), one(memory_type="vibe"), one(semantic_text=MEAT, evidence_turns=[5])),
        BERLIN,
        MEAT,
    ),
    kept("entities as objects", records(one(entities=[{"name": "Alice"}, None, 3])), entities=("Alice", "3")),
    kept("the same record twice", records(one(), one(evidence_turns=[5])), evidence_turns=(3, 5)),
    kept("null fields", records(one(slot=None, topics=None, temporal=None, relations=None, tool_tags=None))),
    kept("fields nobody asked for", records(one(mood="happy", importance=11), summary="…")),
    kept(
        "a person's claim for what the assistant said",
        records(
            one(evidence_turns=[4], semantic_text="The move deserves congratulations.", source_role="user")
        ),
        "The move deserves congratulations.",
        source_role=Role.ASSISTANT,
    ),
)
LEGITIMATE = (
    nothing("nothing worth keeping", '{"records": []}'),
    nothing("nothing, in a fence, with prose", 'There is nothing to file.\n```json\n{"records": []}\n```'),
    nothing(
        "an echo of the reference",
        records(one(semantic_text="Bob collects old stamps from France.", subject="Bob")),
    ),
    nothing(
        "an echo of the reference, reworded",
        records(one(semantic_text="Old stamps from France, Bob collects.", subject="Bob")),
    ),
)
UNUSABLE = (
    repaired("empty object", "{}"),
    repaired("empty list", "[]"),
    repaired("records null", '{"records": null}'),
    repaired("records a string", '{"records": "none"}'),
    repaired("null", "null"),
    repaired("a number", "3"),
    repaired("nothing at all", ""),
    repaired("only a thought", "<think>Alice moved.</think>"),
    repaired("prose", "Alice moved to Berlin and her sister lives in Paris."),
    repaired("another key", '{"memories": [{"text": "Alice moved to Berlin."}]}'),
    repaired("records of strings", '{"records": ["Alice moved to Berlin."]}'),
    repaired("records of nulls", '{"records": [null, null]}'),
    repaired("unknown turns only", records(one(evidence_turns=[0, 99]))),
    repaired("no evidence", records(one(evidence_turns=[]))),
    repaired("an unknown type alone", records(one(memory_type="observation"))),
    repaired("no sentence", records(one(semantic_text=""))),
    repaired("translated into Chinese", records(one(semantic_text="爱丽丝昨天搬到了柏林。"))),
    repaired("translated into Russian", records(one(semantic_text="Алиса вчера переехала в Берлин."))),
    repaired("nested beyond reason", '{"records": ' + "[" * 200 + "]" * 200 + "}"),
    repaired("XML", "<records><record>Alice moved to Berlin.</record></records>"),
    repaired("YAML", "records:\n  - semantic_text: Alice moved to Berlin.\n    subject: Alice"),
    faulty("empty object, twice", "{}"),
    faulty("prose, twice", "Alice moved to Berlin."),
    faulty("unknown turns, twice", records(one(evidence_turns=[99]))),
)
REFUSALS = (
    refused("an apology", "I'm sorry, but I can't help with that."),
    refused("an apology in Chinese", "抱歉，我无法处理这段对话。"),
    refused("policy", "As an AI, I cannot store personal information about people."),
    refused("the field made for it", "", message={"refusal": "I will not."}),
    refused("a content filter", "I", finish="content_filter"),
)
CUT = (
    halved("the provider says so", TWO[:120], finish="length"),
    halved("the provider says so, though it parses", GOOD, finish="length"),
    halved("nobody says so", TWO[:120]),
    halved("in a thought", "<think>Let me think about this for a very long", finish="length"),
    halved("in a code fence", f"```json\n{TWO[:90]}"),
)
BAD_REPLIES = (*WRAPPED, *MANGLED, *VALUES, *LEGITIMATE, *UNUSABLE, *REFUSALS, *CUT)

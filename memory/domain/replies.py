"""What a model wrote into a JSON value, however it wrapped it.

Strips thinking, code fences and prose, and mends what can be mended without guessing.
A refusal, a reply that was cut off and a reply that is no JSON are told apart, because
what helps differs: nothing, a smaller task, one repair call.
"""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import json_repair

from memory.domain.text import clean_text, is_seen, storable

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | bool | None

MAX_DEPTH = 40  # nesting; ours is 5 deep
MAX_CHARS = 200_000  # 4,000 tokens are about 16,000; repairing takes time that grows with length
MAX_MISSES = 1_000  # braces in prose that begin no JSON

_NOTHING = object()
_BEGINS = re.compile(r"[{\[]\s*[\"'“{\[\w]")  # JSON that does not parse, but was meant

_THOUGHT_TAGS = ("think", "thinking", "thought", "reasoning")
_THOUGHT_TAG = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
# A chat template may have opened the block already, or the output limit cut it off.
_THOUGHT_END = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_THOUGHT_OPEN = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CODE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)\s+(?:very\s+)?(?:sorry|unable|not able|afraid)"
    r"|i (?:can(?:no|')t|can not|won't|will not|must decline)"
    r"|as an ai\b|against my (?:guidelines|policy)|content policy)"
    r"|(?:抱歉|对不起|對不起)[^。]{0,20}(?:无法|不能|無法)|我(?:无法|不能)(?:协助|提供|回答|满足)"
    r"|申し訳(?:ありません|ございません)|죄송(?:합니다|하지만)"
    r"|\b(?:es tut mir leid|je suis désolée?|lo siento|извините|к сожалению, я не могу)\b",
    re.IGNORECASE,
)


class Fault(StrEnum):
    """Why a reply holds no value: what helps is said beside each."""

    REFUSED = "refused"  # nothing
    CUT = "cut"  # a smaller task
    EMPTY = "empty"  # asking again
    NO_JSON = "no_json"  # a repair call


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply without a value, and a sentence for the repair call."""

    fault: Fault
    error: str


def read_json(  # noqa: PLR0911 - one return a kind of reply
    text: str, *, wants: str, is_cut: bool = False
) -> JsonValue | Unreadable:
    """The JSON value of a reply: of several, the last object that has the key `wants`.

    `is_cut`: the provider said that the output limit ended the reply.
    """
    body = strip_thinking(text).strip().lstrip("\ufeff")
    if is_cut:
        return Unreadable(Fault.CUT, "The reply was cut off.")
    if not body:
        return Unreadable(Fault.EMPTY, "The reply was empty.")
    if len(body) > MAX_CHARS:
        return Unreadable(Fault.NO_JSON, "The reply was far too long.")
    value = _whole(body)
    if value is not _NOTHING:
        return _checked(value)
    inside = [value for value in _amid(body) if isinstance(value, dict) and wants in value]
    if inside:
        return _checked(inside[-1])
    if _BEGINS.search(body):
        return _mended(body, wants=wants)
    return _declined(body) or Unreadable(Fault.NO_JSON, "The reply held no JSON object.")


def strip_thinking(text: str) -> str:
    """The text without blocks of reasoning, closed or not; JSON that quotes such tags stays."""
    if text.lstrip().startswith(("{", "[", "```")):
        return text
    text = _THOUGHT_END.sub("", _without_closed_thoughts(text))
    opened = _THOUGHT_OPEN.search(text, text.rfind("</") + 1)
    return text[: opened.start()] if opened else text


def _without_closed_thoughts(text: str) -> str:
    """The text without what lies between a thought's tag and the next that closes it."""
    tags = [(bool(tag[1]), tag[2].lower(), tag) for tag in _THOUGHT_TAG.finditer(text)]
    last_closed = {name: tag.start() for is_end, name, tag in tags if is_end}
    kept: list[str] = []
    begin, thought = 0, ""
    for is_end, name, tag in tags:
        if not thought and not is_end and tag.start() < last_closed.get(name, 0):
            kept.append(text[begin : tag.start()])
            thought = name
        elif thought == name and is_end:
            begin, thought = tag.end(), ""
    return "".join([*kept, text[begin:]])


class ThoughtFilter:
    """A streamed text without the reasoning it begins with, piece by piece, as it may be stored.

    Nothing is shown before there is something to be seen.
    """

    def __init__(self) -> None:
        self._half = ""  # of a surrogate pair that comes in two pieces
        self._held = ""
        self._closing = ""  # the tag that ends the thought under way
        self._is_speaking = False

    def feed(self, piece: str) -> str:
        """What of the text so far may be shown now."""
        piece = self._half + piece
        self._half = piece[-1:] if "\ud800" <= piece[-1:] < "\udc00" else ""
        return self._shown(storable(piece[: len(piece) - len(self._half)]))

    def _shown(self, piece: str) -> str:
        if self._is_speaking:
            return piece
        self._held += piece
        while not self._is_speaking:
            if self._closing:
                end = re.search(self._closing, self._held, re.IGNORECASE)
                if end is None:
                    self._held = self._held[-len(self._closing) :]  # thoughts are long: not read again
                    return ""
                self._closing, self._held = "", self._held[end.end() :]
            head = self._held = self._held.lstrip()
            opened = next((tag for tag in _THOUGHT_TAGS if head.lower().startswith(f"<{tag}>")), "")
            if opened:
                self._closing = f"</{opened}>"
            elif not is_seen(head):
                self._held = ""
                return ""
            elif any(f"<{tag}>".startswith(head.lower()) for tag in _THOUGHT_TAGS):
                return ""
            else:
                self._is_speaking = True
        return self._held

    def flush(self) -> str:
        """What was held back when the text ends: the beginning of no tag."""
        return "" if self._is_speaking or self._closing else self._held.strip()


def is_refusal(text: str) -> bool:
    """Whether the text, which is no JSON, declines: such words in its first 200 characters."""
    return _REFUSAL.search(text[:200].replace("’", "'")) is not None


def _whole(text: str) -> JsonValue | object:
    """The text as one JSON value, or _NOTHING."""
    try:
        value: JsonValue = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _NOTHING
    return value


def _amid(body: str) -> Iterator[JsonValue | object]:
    """JSON in code fences, then the outermost objects amid prose, in order."""
    for match in _CODE.finditer(body):
        yield _whole(match.group(1))
    decoder = json.JSONDecoder(strict=False)
    at, misses = body.find("{"), 0
    while at >= 0 and misses < MAX_MISSES:
        end = at + 1
        misses += 1
        with contextlib.suppress(ValueError, RecursionError):
            value, end = decoder.raw_decode(body, at)
            misses -= 1
            yield value
        at = body.find("{", end)


def _mended(body: str, *, wants: str) -> JsonValue | Unreadable:
    """The value after repair, unless the text stops in the middle of it."""
    fenced = [match.group(1) for match in _CODE.finditer(body) if "{" in match.group(1)]
    piece = fenced[-1] if fenced and not body.startswith(("{", "[")) else body
    begin = _BEGINS.search(piece)
    piece = piece[begin.start() :] if begin else piece
    open_at_end, deepest = _brackets(piece)
    if deepest > MAX_DEPTH:  # repairing it would take minutes
        return Unreadable(Fault.NO_JSON, "The reply was nested too deeply.")
    if open_at_end > 0 and not piece.rstrip().endswith(("}", "]")):
        return Unreadable(Fault.CUT, "The reply stops before its JSON ends.")
    try:
        value: object = json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list):
        value = next((one for one in reversed(value) if isinstance(one, dict) and wants in one), value)
    if value and isinstance(value, (dict, list)):
        return _checked(value)
    return _declined(body) or Unreadable(Fault.NO_JSON, "The reply was no valid JSON.")


def _declined(body: str) -> Unreadable | None:
    return Unreadable(Fault.REFUSED, "The model declined.") if is_refusal(body) else None


def _checked(value: object) -> JsonValue | Unreadable:
    """The value with clean strings, unless it is nested beyond reason."""
    if _depth(value) > MAX_DEPTH:
        return Unreadable(Fault.NO_JSON, "The reply was nested too deeply.")
    return _cleaned(value)


def _brackets(piece: str) -> tuple[int, int]:
    """How many stay open at the end, and how deep they go; those inside strings don't count."""
    depth, deepest, is_quoted, is_escaped = 0, 0, False, False
    for char in piece:
        if is_escaped:
            is_escaped = False
        elif char == "\\":
            is_escaped = is_quoted
        elif char == '"':
            is_quoted = not is_quoted
        elif not is_quoted and char in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif not is_quoted and char in "}]":
            depth -= 1
    return depth, deepest


def _depth(value: object) -> int:
    """Nesting, counted level by level so that a hostile reply cannot exhaust the stack."""
    level, depth = [value], 0
    while level:
        depth += 1
        level = [
            child
            for node in level
            if isinstance(node, (dict, list))
            for child in (node.values() if isinstance(node, dict) else node)
        ]
    return depth


def _cleaned(value: object) -> JsonValue:
    """The value with every string clean: no NUL, no lone surrogate, NFC."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): _cleaned(item) for key, item in value.items()}
    return value if isinstance(value, (bool, int, float)) else None

"""What the test model says when nothing is scripted: simple rules a reader can check by hand.

It encodes each sentence of a person as one record, plans a question as its own query,
finds useful what shares a word with the question, summarises people by their first sentences,
answers with the recalled item that shares most, and embeds a text as the counts of its words,
hashed into 64 places.
"""

import hashlib
import json
import math
import re
from io import BytesIO
from typing import Any

from PIL import Image

from tests.model_server.requests import ModelRequest

DIMENSION = 64
UNKNOWN = "I don't know that."

_TURN = re.compile(r"^\[(\d+)\] (\w+) (.*?), \w{3} (\S+ \S+?): (.*(?:\n  .*)*)", re.MULTILINE)
_ITEM = re.compile(r"^\[?(\d+)[\].]\s*(.+(?:\n(?!\[?\d+[\].]).+)*)", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_COMMON_WORDS = """
    a an the is are was were be been do does did to of in on at for and or what when where who whom why how
    which i you he she it we they me my your his her its our their not s that this with from have has
    had about
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def words(text: str) -> set[str]:
    """The telling words of a text; CJK by its single characters."""
    found = re.findall(r"[a-z0-9äöüßéèà]+|[\u0400-\u04ff]+|[\u3040-\u30ff\u3400-\u9fff]", text.lower())
    return {word.rstrip("s") if len(word) > 3 else word for word in found} - _COMMON


def reply_to(request: ModelRequest) -> str:
    """What the model says to a chat request."""
    purpose = request.purpose
    if purpose in ("encode", "repair"):
        asked = request.messages if purpose == "repair" else request.messages[-1:]
        turns = next(filter(None, (request.fenced("turns", message=m) for m in asked)), "")
        return json.dumps({"records": _records(turns)}, ensure_ascii=False)
    if purpose == "caption":
        width, height = Image.open(BytesIO(request.images[0])).size
        return json.dumps({"caption": f"A picture of {width} by {height} pixels.", "scene_type": "photo"})
    if purpose == "plan":
        return json.dumps(_plan(request.fenced("question")), ensure_ascii=False)
    if purpose in ("judge", "adequacy", "synthesize"):
        return json.dumps(_judged(request, purpose), ensure_ascii=False)
    if purpose in ("summarize", "title"):
        made = _summarized(request) if purpose == "summarize" else {"titles": _titled(request)}
        return json.dumps(made, ensure_ascii=False)
    return _answer(request)


def tool_call_to(request: ModelRequest) -> dict[str, Any] | None:
    """A call of the first offered tool when the last message asks to `call` it by name."""
    for tool in request.body.get("tools") or []:
        name = tool["function"]["name"]
        if f"call {name}" in request.last:
            arguments = json.dumps({"text": request.last})
            return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return None


def embed(text: str, *, dimension: int = DIMENSION) -> list[float]:
    """The text's words, hashed and counted; unit length; the first place for a text without words."""
    vector = [0.0] * dimension
    for word in words(text):
        vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % dimension] += 1.0
    norm = math.hypot(*vector)
    return [x / norm for x in vector] if norm else [1.0] + [0.0] * (dimension - 1)


def relevance(question: str, text: str) -> float:
    """The share of the question's telling words that the text holds."""
    asked = words(question)
    return len(asked & words(text)) / len(asked) if asked else 0.0


def tokens(text: str) -> int:
    """Four characters a token, as a rule of thumb."""
    return max(1, len(text) // 4)


def _records(turns: str) -> list[dict[str, Any]]:
    said = [turn for turn in _TURN.findall(turns) if turn[1] == "user"]
    return [
        {
            "memory_type": "fact",
            "semantic_text": f"{speaker}: {sentence.strip()}",
            "subject": speaker,
            "entities": [speaker],
            "temporal": {"t_ref": at},
            "evidence_turns": [int(index)],
            "source_role": "user",
            "confidence": 0.9,
        }
        for index, _, speaker, at, text in said
        for sentence in _SENTENCE.findall(text.replace("\n  ", "\n"))
        if len(words(sentence)) >= 2 and not sentence.strip().endswith(("?", "？"))
    ]


def _plan(question: str) -> dict[str, Any]:
    names = re.findall(r"(?<!^)\b[A-Z][a-z]+\b", question)
    return {
        "mode": "answer",
        "question_type": "single",
        "names": names,
        "routes": [{"goal": question, "queries": [question]}],
        "draft": question.rstrip("?"),
    }


def _judged(request: ModelRequest, purpose: str) -> dict[str, Any]:
    """An item is useful if it shares a word with the question; enough was recalled if any is."""
    asked = words(request.fenced("question"))
    items = [
        (int(number), " ".join(text.split())) for number, text in _ITEM.findall(request.fenced("memory"))
    ]
    useful = [(number, text) for number, text in items if words(text) & asked]
    if purpose == "judge":
        return {"relevant": [number for number, _ in useful], "abstract": []}
    if purpose == "adequacy":
        return {"adequate": bool(useful), "queries": [] if useful else sorted(asked)[:1]}
    return {
        "scores": [
            {"id": number, "score": 0.9 if (number, text) in useful else 0.1} for number, text in items
        ],
        "background_context": "\n".join(f"[{number}] {text}" for number, text in useful),
    }


def _summarized(request: ModelRequest) -> dict[str, list[str]]:
    """Carried over: the last 10 facts; new: the first sentence of the last 10 turns of people."""
    carried = re.findall(r"^- (.+)$", request.fenced("summary"), re.MULTILINE)
    said = [turn for turn in _TURN.findall(request.fenced("turns")) if turn[1] == "user"]
    first = [(speaker, _SENTENCE.search(text)) for _, _, speaker, _, text in said]
    told = [f"{speaker}: {sentence[0].strip()}" for speaker, sentence in first if sentence]
    return {"goals": [], "decisions": [], "facts": [*carried[-10:], *told[-10:]], "open_points": []}


def _titled(request: ModelRequest) -> list[dict[str, Any]]:
    """Each group by the first three words of its first memory: "About Alice has a"."""
    groups = [(int(number), text.strip("- ")) for number, text in _ITEM.findall(request.fenced("memory"))]
    return [{"id": number, "title": "About " + " ".join(text.split()[:3])} for number, text in groups]


def _answer(request: ModelRequest) -> str:
    """The item that shares most words with the question, cited by its number."""
    memory = request.fenced("memory")
    asked = words(request.last.rpartition("\n\n")[2])
    items = [
        (len(words(text) & asked), number, " ".join(text.split())) for number, text in _ITEM.findall(memory)
    ]
    best = max(items, key=lambda item: (item[0], -int(item[1])), default=(0, "", ""))
    return f"{best[2]} [{best[1]}]" if best[0] else UNKNOWN

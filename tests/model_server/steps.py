"""What a test tells the server to do with one request: a delay, a failure, words, raw bytes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.model_server.requests import ModelRequest

Speech = str | Callable[[ModelRequest], str]


@dataclass(frozen=True, slots=True)
class Step:
    """One scripted reply. Fields beyond the text change how it is sent.

    `pieces` streams exactly these deltas, `cut_after` ends the connection after so many
    of them, `hang_after` keeps it open and silent; `delay` waits before the headers,
    `gap` between pieces (seconds).
    """

    text: Speech | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None  # sent as JSON instead of a completion
    raw: bytes | None = None  # sent as it is
    delay: float = 0.0
    gap: float = 0.0
    finish: str = "stop"
    pieces: tuple[str, ...] | None = None
    cut_after: int | None = None
    hang_after: int | None = None
    has_usage: bool = True
    cached_tokens: int = 0
    message: Mapping[str, Any] = field(default_factory=dict)  # more of the reply's message
    vectors: Callable[[list[str]], list[Any]] | None = None
    scores: Callable[[list[str]], list[Any]] | None = None


def say(text: Speech, *, finish: str = "stop", **how: Any) -> Step:
    """A completion with this text."""
    return Step(text=text, finish=finish, **how)


def chat(**how: Any) -> Step:
    """What the model would say by itself, sent in another way."""
    return Step(**how)


def fail(status: int, message: str = "no", *, code: str = "", retry_after: str = "", **how: Any) -> Step:
    """An error as OpenAI words it."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    error = {"message": message, "type": "error", "param": None, "code": code or None}
    return Step(status=status, headers=headers, body={"error": error}, **how)


def hang(*, after_pieces: int = 0) -> Step:
    """Headers, so many pieces, then silence until the client or the server goes away."""
    return Step(hang_after=after_pieces)


def cut_in_stream(*, after_pieces: int) -> Step:
    """The connection ends, without a finish reason, after so many pieces."""
    return Step(cut_after=after_pieces)


def raw(body: bytes | str, *, status: int = 200) -> Step:
    """These bytes as the response's body."""
    return Step(raw=body.encode() if isinstance(body, str) else body, status=status)


def embeddings(vectors: Callable[[list[str]], list[Any]], **how: Any) -> Step:
    """Another answer to an embedding request: a list of (index, vector) pairs or vectors."""
    return Step(vectors=vectors, **how)


def scores(given: Callable[[list[str]], list[Any]], **how: Any) -> Step:
    """Another answer to a rerank request: a list of (index, score) pairs or scores."""
    return Step(scores=given, **how)


def as_json(value: Any) -> bytes:
    """How the server writes JSON: also values that UTF-8 cannot hold."""
    return json.dumps(value).encode("ascii")

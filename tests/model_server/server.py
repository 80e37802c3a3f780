"""The HTTP side: chat completions (plain, streamed, with tools) and embeddings on loopback.

One thread a connection. Requests are kept for assertions; scripted steps are used up in
order, for all requests or for those of one purpose; without one the brain answers.
"""

import re
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Any, Self

from tests.model_server import brain
from tests.model_server.requests import ModelRequest
from tests.model_server.steps import Step, as_json

MODEL = "test-model"
_serial = count(1)


class ModelServer:
    """A running server; use it as a context manager. `url` is the base URL of its API."""

    def __init__(self, *, port: int = 0, default: Step | None = None) -> None:
        self.default = default or Step()
        self.requests: list[ModelRequest] = []
        self.dimension = brain.DIMENSION
        self.open_streams = 0
        self.most_open = 0
        self._scripts: dict[str, deque[Step]] = defaultdict(deque)
        self._changed = Condition()
        self.stopping = Event()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Wake every hanging connection and close."""
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def script(self, *steps: Step, purpose: str = "") -> None:
        """Use these steps, in order, for the next requests (of one purpose)."""
        with self._changed:
            self._scripts[purpose].extend(steps)

    def of(self, purpose: str) -> list[ModelRequest]:
        """The requests of one purpose so far."""
        return [request for request in list(self.requests) if request.purpose == purpose]

    def wait_for(self, condition: Callable[["ModelServer"], bool], *, seconds: float = 10.0) -> None:
        """Wait until the condition holds; it is tested when a request comes or a stream ends."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self), seconds), "the server waited in vain"

    def take(self, request: ModelRequest) -> Step:
        """Keep the request and choose its step."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()
            for script in (self._scripts[request.purpose], self._scripts[""]):
                if script:
                    return script.popleft()
            return self.default

    def count_stream(self, change: int) -> None:
        """A connection began (+1) or ended (-1) to be written to."""
        with self._changed:
            self.open_streams += change
            self.most_open = max(self.most_open, self.open_streams)
            self._changed.notify_all()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each small piece may wait 40 ms for the one before
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class says so
        """Silence."""

    def do_POST(self) -> None:
        import json

        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ModelRequest(self.path, headers, body)
        owner = self.server.owner
        step = owner.take(request)
        owner.count_stream(1)
        try:
            if step.delay:
                owner.stopping.wait(step.delay)
            self._answer(request, step)
        except OSError:  # the client went away
            self.close_connection = True
        finally:
            owner.count_stream(-1)

    def do_GET(self) -> None:
        self._send(as_json({"object": "list", "data": [{"id": MODEL, "object": "model"}]}), status=200)

    def _answer(self, request: ModelRequest, step: Step) -> None:
        if step.raw is not None or step.body is not None:
            body = step.raw if step.raw is not None else as_json(step.body)
            self._send(body, status=step.status, headers=dict(step.headers))
        elif request.path.endswith("/embeddings"):
            self._send(as_json(_embeddings(request, step, self.server.owner.dimension)), status=200)
        elif request.is_reranking and step.hang_after is None:
            self._send(as_json(_reranked(request, step)), status=200)
        elif request.is_streaming:
            self._stream(request, step)
        else:
            if step.hang_after is not None:
                self._begin(200, {"Content-Type": "application/json", "Content-Length": "9999"})
                self._wait_for_the_end()
                return
            self._send(as_json(_completion(request, step)), status=200)

    def _stream(self, request: ModelRequest, step: Step) -> None:
        self._begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        for number, chunk in enumerate(_chunks(request, step)):
            # The first chunk bears the role alone.
            if step.hang_after is not None and number > step.hang_after:
                self._wait_for_the_end()
                return
            if step.cut_after is not None and number > step.cut_after:
                self.close_connection = True  # without the last chunk of the encoding
                return
            if number > 1 and step.gap:
                time.sleep(step.gap)
            self._write(b"data: " + as_json(chunk) + b"\n\n")
        self._write(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _wait_for_the_end(self) -> None:
        """Stay silent until the client hangs up or the server stops."""
        self.close_connection = True
        self.connection.settimeout(0.02)
        while not self.server.owner.stopping.is_set():
            try:
                if not self.connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    def _begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()

    def _send(self, body: bytes, *, status: int, headers: dict[str, str] | None = None) -> None:
        self._begin(
            status,
            {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})},
        )
        self.wfile.write(body)

    def _write(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _spoken(request: ModelRequest, step: Step) -> str:
    if step.pieces is not None:
        return "".join(step.pieces)
    if step.text is None:
        return brain.reply_to(request)
    return step.text if isinstance(step.text, str) else step.text(request)


def _usage(request: ModelRequest, step: Step, text: str) -> dict[str, Any]:
    read = sum(brain.tokens(str(message.get("content"))) for message in request.messages)
    written = brain.tokens(text)
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": step.cached_tokens},
    }


def _completion(request: ModelRequest, step: Step) -> dict[str, Any]:
    text = _spoken(request, step)
    message: dict[str, Any] = {"role": "assistant", "content": text, **step.message}
    finish = step.finish
    if tool_call := brain.tool_call_to(request):
        message |= {"content": None, "tool_calls": [tool_call]}
        finish = "tool_calls"
    made: dict[str, Any] = {
        "id": f"chatcmpl-{next(_serial)}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return made | ({"usage": _usage(request, step, text)} if step.has_usage else {})


def _chunks(request: ModelRequest, step: Step) -> Iterator[dict[str, Any]]:
    """The role, the pieces, the finish reason; the usage last, in a chunk without choices."""
    made = {
        "id": f"chatcmpl-{next(_serial)}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": MODEL,
    }

    def delta(fields: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**made, "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}

    text = _spoken(request, step)
    yield delta({"role": "assistant", "content": ""})
    if tool_call := brain.tool_call_to(request):
        yield delta({"tool_calls": [{"index": 0, **tool_call}]})
        yield delta({}, "tool_calls")
    else:
        pieces = step.pieces if step.pieces is not None else re.findall(r"\S+\s*|\s+", text)
        for piece in pieces:
            yield delta({"content": piece})
        yield delta(dict(step.message), step.finish)
    if request.wants_usage and step.has_usage:
        yield {**made, "choices": [], "usage": _usage(request, step, text)}


def _embeddings(request: ModelRequest, step: Step, dimension: int) -> dict[str, Any]:
    if step.vectors is None:
        made: list[Any] = [brain.embed(text, dimension=dimension) for text in request.texts]
    else:
        made = step.vectors(request.texts)
    took = sum(map(brain.tokens, request.texts))
    pairs = [item if isinstance(item, tuple) else (number, item) for number, item in enumerate(made)]
    return {
        "object": "list",
        "model": MODEL,
        "data": [{"object": "embedding", "index": index, "embedding": vector} for index, vector in pairs],
        **({"usage": {"prompt_tokens": took, "total_tokens": took}} if step.has_usage else {}),
    }


def _reranked(request: ModelRequest, step: Step) -> dict[str, Any]:
    """Best first, as such servers answer."""
    question, texts = str(request.body["query"]), request.documents
    made = step.scores(texts) if step.scores else [brain.relevance(question, text) for text in texts]
    pairs = [item if isinstance(item, tuple) else (number, item) for number, item in enumerate(made)]
    took = sum(brain.tokens(f"{question} {text}") for text in texts)
    ranked = pairs if step.scores else sorted(pairs, key=lambda pair: -pair[1])
    return {
        "id": f"rerank-{next(_serial)}",
        "model": MODEL,
        "results": [{"index": index, "relevance_score": score} for index, score in ranked],
        **({"usage": {"total_tokens": took}} if step.has_usage else {}),
    }

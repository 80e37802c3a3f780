"""What our side adds to a model's own time: a call, a first token, a stream that is closed.

Against the test server, which waits 300 ms before its first byte, so that a slow model
is part of the measure; the baseline is a bare HTTP client on the same server.
"""

import json
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx

from benchmarks.figures import Figure
from memory.domain.prompts import Message
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient
from memory.providers.model_settings import ModelSettings
from tests.model_server import ModelServer, Step

ROUNDS = 20
DELAY_SECONDS = 0.3
ASK = (Message("user", "Say something."),)
PURPOSE = Purpose("answer", seconds=30, output_tokens=100)


def run(scratch: Path) -> list[Figure]:
    """Medians over 20 rounds, after a warm-up."""
    del scratch
    with ModelServer() as server, httpx.Client(base_url=server.url) as bare:
        client = ModelClient(ModelSettings("openai/test-model", api_base=server.url))
        client.complete(ASK, PURPOSE)
        list(client.stream(ASK, PURPOSE))
        quick = (
            _median_ms(lambda: client.complete(ASK, PURPOSE)),
            _median_ms(lambda: _post(bare)),
        )
        server.default = Step(delay=DELAY_SECONDS)
        first = _median_ms(lambda: _first_piece(client)), _median_ms(lambda: _first_bare_piece(bare))
        server.default = Step(text="word " * 2_000, gap=0.005)
        closed = _median_ms(lambda: _close_early(client, server))
    name = "bare HTTP client"
    return [
        Figure("model call, a server that answers at once", quick[0], "ms", name, quick[1], "reported"),
        Figure(
            "first token after the model's first byte",
            first[0] - DELAY_SECONDS * 1000,
            "ms",
            name,
            first[1] - DELAY_SECONDS * 1000,
            "at most 40 ms",
        ),
        Figure(
            "closed stream until its connection is gone", closed, "ms", "the promise", 1_000, "at most 1 s"
        ),
    ]


def _median_ms(measure: Callable[[], object]) -> float:
    """The median wall time; a measure that returns seconds is taken at its word."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        took = measure()
        times.append(took if isinstance(took, float) else time.perf_counter() - started)
    return statistics.median(times) * 1000


def _body(*, stream: bool) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": ASK[0].content}], "stream": stream}


def _post(bare: httpx.Client) -> None:
    bare.post("/chat/completions", json=_body(stream=False)).raise_for_status()


def _first_piece(client: ModelClient) -> float:
    started = time.perf_counter()
    with closing(client.stream(ASK, PURPOSE)) as stream:
        next(stream)
        return time.perf_counter() - started


def _first_bare_piece(bare: httpx.Client) -> float:
    started = time.perf_counter()
    with bare.stream("POST", "/chat/completions", json=_body(stream=True)) as reply:
        for line in reply.iter_lines():
            chunk = json.loads(line.removeprefix("data: ") or "{}") if line else {}
            if chunk and chunk["choices"][0]["delta"].get("content"):
                return time.perf_counter() - started
    raise AssertionError("the test server said nothing")


def _close_early(client: ModelClient, server: ModelServer) -> float:
    stream = client.stream(ASK, PURPOSE)
    next(stream)
    started = time.perf_counter()
    stream.close()
    server.wait_for(lambda running: running.open_streams == 0)
    return time.perf_counter() - started

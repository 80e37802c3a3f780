"""What the whole application adds to a model's own time, and whether its event loop ever stands still.

A real `serve` in a process of its own, with the test server as its model, which waits 300 ms
before its first byte. The first byte is the moment at which the test server begins to write;
the first token is a client's, over server-sent events and over the websocket. Model calls are
counted by the test server. The watchdog (watched.py) measures the loop during all of it and
during a crowd of writers, talkers and readers; its baseline is an idle loop at the same time.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect

from benchmarks.figures import Figure
from benchmarks.start import ROOT, free_port, wait_for
from benchmarks.watched import WATCH_PATH
from tests.model_server import ModelRequest, ModelServer, Step, brain

TURNS = 20  # measured of each kind, one after the other
DELAY_SECONDS = 0.3
CROWD_SECONDS = 15.0
PEOPLE = ("Ada", "Bela", "Cora", "Dino", "Edda", "Falk", "Gina", "Hugo")
TOLD = (
    "lives in the town of Lund.",
    "keeps bees behind the house.",
    "is allergic to nuts.",
    "plays the cello.",
)


class Stamped:
    """What the model says by itself; when it began to is kept."""

    def __init__(self) -> None:
        self.first_byte = 0.0

    def __call__(self, request: ModelRequest) -> str:
        """The reply's text, asked for right before the first byte is written."""
        text = brain.reply_to(request)
        if request.purpose == "answer":
            self.first_byte = time.perf_counter()
        return text


class Asker:
    """A signed-in client of both doors."""

    def __init__(self, address: str, server: ModelServer, stamped: Stamped) -> None:
        self.http = httpx.Client(base_url=address, timeout=60)
        self.server = server
        self.stamped = stamped
        self.socket_address = address.replace("http", "ws", 1)
        person = {"username": "bench", "password": "a long walk by the sea"}
        reply = self.http.post("/auth/register", json=person).raise_for_status()
        self.http.headers["Authorization"] = f"Bearer {reply.json()['token']}"

    def post(self, path: str, **body: object) -> Any:
        """POST JSON, return JSON."""
        return self.http.post(path, json=body).raise_for_status().json()

    def by_events(self, session: str, text: str, effort: str = "standard") -> Iterator[dict[str, Any]]:
        """Frames of POST /chat."""
        body = {"session_id": session, "message": text, "effort": effort}
        with self.http.stream("POST", "/chat", json=body) as reply:
            for line in reply.raise_for_status().iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def by_socket(self, session: str, text: str, effort: str = "standard") -> Iterator[dict[str, Any]]:
        """Frames of the websocket."""
        ticket = self.post("/auth/ws-ticket")["ticket"]
        with connect(f"{self.socket_address}/ws/chat/{session}?ticket={ticket}") as socket:
            socket.send(json.dumps({"type": "message", "text": text, "effort": effort}))
            for message in socket:
                frame = json.loads(message)
                yield frame
                if frame["type"] in ("done", "error"):
                    return

    def turn(self, frames: Iterator[dict[str, Any]]) -> tuple[float, int]:
        """Ask, read to the end; seconds from the model's first byte to the first token, and its calls."""
        before, first = len(self.server.requests), 0.0
        for frame in frames:
            assert frame["type"] != "error", frame
            if frame["type"] == "token" and not first:
                first = time.perf_counter()
        return first - self.stamped.first_byte, len(self.server.requests) - before


def run(scratch: Path) -> list[Figure]:
    """First tokens, calls and the loop's lag, of one run."""
    stamped = Stamped()
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer())
        server.default = Step(text=stamped, delay=DELAY_SECONDS)
        asker = Asker(stack.enter_context(_watched_serve(scratch, server)), server, stamped)
        bare = stack.enter_context(httpx.Client(base_url=server.url))
        _tell(asker)
        for door in (asker.by_events, asker.by_socket):  # what a first call loads is no steady state
            asker.turn(door("warm", "Where does Ada live?"))
        idle = stack.enter_context(_idle_loop())
        asker.http.get(WATCH_PATH)
        doors = {"SSE": asker.by_events, "websocket": asker.by_socket}
        standard = {name: _turns(asker, door, "standard") for name, door in doors.items()}
        fast = _turns(asker, asker.by_events, "fast")
        alone = [_bare_turn(bare, stamped) for _ in range(TURNS)]
        _crowd(asker)
        watched, rested = asker.http.get(WATCH_PATH).json(), _stop(idle)
        asker.http.close()
    figures = [
        _first_token(name, p, measured, alone) for name, measured in standard.items() for p in (50, 90)
    ]
    calls = {"standard": standard["SSE"] + standard["websocket"], "fast": fast}
    figures += [
        Figure(
            f"model calls of a {name} turn, {word}",
            pick(count for _, count in made),
            "",
            "the promise",
            2 if name == "standard" else 1,
            "exactly",
        )
        for name, made in calls.items()
        for word, pick in (("fewest", min), ("most", max))
    ]
    return figures + _loop_figures(watched, rested)


def _first_token(name: str, p: int, measured: list[tuple[float, int]], alone: list[float]) -> Figure:
    return Figure(
        f"first token after the model's first byte, {name}, {'median' if p == 50 else 'p90'}",
        _percentile([seconds * 1000 for seconds, _ in measured], p),
        "ms",
        "bare HTTP client",
        _percentile([seconds * 1000 for seconds in alone], p),
        "at most 40 ms",
    )


def _loop_figures(watched: dict[str, Any], rested: dict[str, Any]) -> list[Figure]:
    worst = watched["worst"]
    sys.stderr.write(
        f"The loop's longest lag: {worst['lag_ms']:.0f} ms, its thread ran {worst['busy_ms']:.0f} ms of it:\n"
        f"{worst['stack'] or '(nothing was seen to run)'}\n"
    )
    name = "an idle loop meanwhile"
    return [
        Figure(
            f"event loop, {label}", _percentile(watched[key], p), "ms", name, _percentile(rested[key], p), to
        )
        for label, key, p, to in (
            ("longest lag", "lag_ms", 100, "at most 50 ms"),
            ("lag, p99.9", "lag_ms", 99.9, "reported"),
            ("longest run without a pause (CPU)", "busy_ms", 100, "at most 50 ms"),
        )
    ]


def _percentile(values: list[float], p: float) -> float:
    ordered = sorted(values)
    return (
        statistics.median(ordered) if p == 50 else ordered[min(len(ordered) - 1, int(len(ordered) * p / 100))]
    )


def _tell(asker: Asker) -> None:
    turns = [{"role": "user", "content": f"{name} {fact}"} for name in PEOPLE for fact in TOLD]
    asker.post("/memory/append-turns", session_id="facts", turns=turns)
    asker.post("/memory/consolidate", session_id="facts", background=False)


def _turns(
    asker: Asker, door: Callable[[str, str, str], Iterator[dict[str, Any]]], effort: str
) -> list[tuple[float, int]]:
    return [
        asker.turn(
            door(f"{door.__name__}-{effort}-{n}", f"Where does {PEOPLE[n % len(PEOPLE)]} live?", effort)
        )
        for n in range(TURNS)
    ]


def _bare_turn(bare: httpx.Client, stamped: Stamped) -> float:
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Say something."}]}
    with bare.stream("POST", "/chat/completions", json=body) as reply:
        for line in reply.iter_lines():
            chunk = json.loads(line.removeprefix("data: ") or "{}") if line.startswith("data: {") else {}
            if chunk and chunk["choices"][0]["delta"].get("content"):
                return time.perf_counter() - stamped.first_byte
    raise AssertionError("the test server said nothing")


def _crowd(asker: Asker) -> None:
    """Everybody at once for a while: four talk, one writes and files, one reads."""
    until = time.perf_counter() + CROWD_SECONDS

    def talk(n: int) -> None:
        while time.perf_counter() < until:
            list(asker.by_events(f"crowd-{n}", f"What does {PEOPLE[n]} play?"))

    def write(n: int) -> None:
        while time.perf_counter() < until:
            turns = [{"role": "user", "content": f"{name} was seen at gate {n}."} for name in PEOPLE]
            asker.post("/memory/append-turns", session_id=f"notes-{n}", turns=turns)
            asker.post("/memory/consolidate", session_id=f"notes-{n}")

    def read(_: int) -> None:
        while time.perf_counter() < until:
            asker.post("/memory/search", query="Who keeps bees?", effort="fast")
            asker.http.get("/memory/records?limit=100").raise_for_status()

    with ThreadPoolExecutor() as pool:
        made = [pool.submit(work, n) for n, work in enumerate((talk, talk, talk, talk, write, read))]
    for each in made:
        each.result()


@contextmanager
def _watched_serve(scratch: Path, server: ModelServer) -> Iterator[str]:
    folder, port = scratch / "application", free_port()
    folder.mkdir()
    process = subprocess.Popen(  # noqa: S603 (our own command line)
        [sys.executable, "-m", "benchmarks.watched", "serve", "--port", str(port)],
        env={
            **os.environ,
            "LYCHEE_DATA_DIR": str(folder),
            "LLM_MODEL": "openai/test-model",
            "LLM_API_BASE": server.url,
        },
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def _idle_loop() -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.watched"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(timeout=20)


def _stop(idle: "subprocess.Popen[str]") -> dict[str, Any]:
    measured: dict[str, Any] = json.loads(idle.communicate("", timeout=20)[0])
    return measured

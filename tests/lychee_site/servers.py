"""A real `manage.py serve` in a process of its own, for tests that start and stop it."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_SECONDS = 180  # ends a hang; how fast a start is, the benchmark tells


@dataclass
class Server:
    """A running server: its address, its process, and the file that holds what it printed."""

    address: str
    process: "subprocess.Popen[bytes]"
    output: Path

    def printed(self) -> str:
        return self.output.read_text()

    def one_time_password(self) -> str | None:
        found = re.search(r"one-time password\s+(\S+)", self.printed())
        return found and found[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return {**kept, "LYCHEE_DATA_DIR": str(folder), "REDIS_URL": "", "DATABASE_URL": ""}


def manage(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *words]


def serve_command(port: int) -> list[str]:
    return manage("serve", "--port", str(port))


@contextmanager
def running_server(
    folder: Path,
    more: Mapping[str, str] | None = None,
    *,
    port: int | None = None,
    flags: Sequence[str] = (),
) -> Iterator[Server]:
    """A server on this folder; `more` are further variables of its environment."""
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"printed-{port}-{time.monotonic_ns()}.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [*serve_command(port), *flags],
            env={**environment(folder), **(more or {})},
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    server = Server(f"http://127.0.0.1:{port}", process, output)
    try:
        _wait(server)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=60)  # the work in hand, and the warming


def _wait(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    # One client: each new one reads the certificates of the whole world.
    with httpx.Client(base_url=server.address, timeout=2) as client:
        while time.monotonic() < deadline:
            assert server.process.poll() is None, server.printed()
            try:
                client.get("/livez").raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.02)  # the condition is the server's own answer
            else:
                return
    raise AssertionError(f"no answer in {START_SECONDS} s: {server.printed()}")

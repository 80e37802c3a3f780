"""From the command `serve` to the first answered request, first and second start."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from benchmarks.figures import Figure

TIMEOUT_SECONDS = 120
ROOT = Path(__file__).parents[1]


def run(scratch: Path) -> list[Figure]:
    """Seconds of a start that migrates, of one that finds its data, and of Django's bare set-up."""
    folder = scratch / "start"
    first, second = _start_seconds(folder), _start_seconds(folder)
    bare = _bare_seconds()
    return [
        Figure("serve to first answer, empty folder", first, "s", "bare django.setup()", bare, "reported"),
        Figure("serve to first answer, second start", second, "s", "bare django.setup()", bare, "reported"),
    ]


def _start_seconds(folder: Path) -> float:
    port = free_port()
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 (our own command line)
        [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)],
        env={**os.environ, "LYCHEE_DATA_DIR": str(folder)},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        return time.perf_counter() - started
    finally:
        process.terminate()
        process.wait(timeout=20)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Return once a server answers there. Raises TimeoutError."""
    started = time.perf_counter()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as client:
        while time.perf_counter() - started < TIMEOUT_SECONDS:
            try:
                if client.get("/health").is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.02)
    raise TimeoutError("serve did not answer")


def _bare_seconds() -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "lychee_site.settings"},
        cwd=ROOT,
        check=True,
    )
    return time.perf_counter() - started

"""A real server for tests: uvicorn in a thread on a free port, the real ASGI application."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import httpx
import uvicorn

from tests.api.cast import Person

START_SECONDS = 20


@dataclass(frozen=True)
class Live:
    """Where it listens."""

    port: int

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, who: Person) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.http, headers=who.headers, timeout=30)

    def ws(self, session: str, **query: str) -> str:
        return f"ws://127.0.0.1:{self.port}/ws/chat/{quote(session, safe='')}?{urlencode(query)}"

    @property
    def origin(self) -> str:
        return self.http


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_listening = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_listening.set()


@contextmanager
def serving() -> Iterator[Live]:
    """Serve until left."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = _Server(
            uvicorn.Config(
                "lychee_site.asgi:application",
                lifespan="off",
                log_level="error",
                timeout_graceful_shutdown=2,
            )
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        assert server.is_listening.wait(START_SECONDS)
        try:
            yield Live(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)

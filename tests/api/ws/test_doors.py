"""Which Origin may open a websocket, and what the address says."""

from typing import Any

import pytest

from api.ws.doors import OriginOrTicket, query_of


class Inner:
    """The application behind the door."""

    def __init__(self) -> None:
        self.was_reached = False

    async def __call__(self, _scope: Any, _receive: Any, _send: Any) -> None:
        self.was_reached = True


async def reaches(*, origin: str | None, query: bytes = b"") -> bool:
    inner = Inner()
    headers = [(b"host", b"localhost:8000")]
    headers += [(b"origin", origin.encode())] if origin is not None else []
    scope = {"type": "websocket", "headers": headers, "query_string": query, "path": "/ws/chat/x"}

    messages = iter(["websocket.connect", "websocket.disconnect"])

    async def receive() -> dict[str, Any]:
        return {"type": next(messages), "code": 1006}

    async def send(_message: Any) -> None:
        return None

    await OriginOrTicket(inner)(scope, receive, send)
    return inner.was_reached


@pytest.mark.django_db  # a refusal closes connections
@pytest.mark.parametrize(
    ("origin", "query", "expected"),
    [
        ("http://localhost:8000", b"", True),
        ("https://localhost:8000", b"", True),
        ("http://localhost:9999", b"", False),
        ("http://localhost", b"", False),
        ("http://127.0.0.1", b"", False),
        ("https://memory.example", b"", True),
        ("http://memory.example", b"", False),
        ("http://evil.example", b"", False),
        ("http://evil.example", b"ticket=x", False),
        ("http://localhost.evil.example", b"", False),
        ("null", b"ticket=x", False),
        ("", b"", False),
        (None, b"", False),
        (None, b"space=a", False),
        (None, b"ticket=x", True),
    ],
)
async def test_only_our_own_pages_and_bearers_of_tickets_come_in(
    settings: Any, origin: str | None, query: bytes, expected: bool
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://memory.example"]
    assert await reaches(origin=origin, query=query) is expected


def test_the_last_value_of_a_name_counts() -> None:
    assert query_of({"query_string": b"space=a&space=b&x="}) == {"space": "b", "x": ""}
    assert list(query_of({"query_string": b"\xff%00%ff"}).values()) == [""]

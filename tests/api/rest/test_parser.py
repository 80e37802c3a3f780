"""A body is JSON to the letter, and no larger than the limit however it comes."""

from typing import Any

import httpx
import pytest
from django.test import RequestFactory

from accounts.errors import TooLarge
from api.rest.parser import StrictParser
from tests.api.live import Live


def parse(body: bytes) -> Any:
    return StrictParser().parse_body(RequestFactory().post("/x", body, "application/json"))


def test_json_is_read() -> None:
    assert parse(b'{"a": [1, 2.5, "\\u00e9", null, true]}') == {"a": [1, 2.5, "é", None, True]}


@pytest.mark.parametrize(
    "body", [b"NaN", b"[Infinity]", b'{"a": -Infinity}', b"{'a': 1}", b"\xff", b"1" * 5_000]
)
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (of several kinds)
        parse(body)


def test_depth_is_bounded() -> None:
    with pytest.raises(RecursionError):
        parse(b"[" * 200_000)


def test_a_body_over_the_limit_is_refused(settings: Any) -> None:
    request = RequestFactory().post("/x", b'"12345678"', "application/json")
    assert request.body
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5
    with pytest.raises(TooLarge):
        StrictParser().parse_body(request)


@pytest.mark.django_db(transaction=True)
async def test_a_body_in_chunks_is_measured_too(live: Live, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000

    async def chunks() -> Any:
        for _ in range(20):
            yield b" " * 100

    async with httpx.AsyncClient(base_url=live.http) as client:
        reply = await client.post("/auth/login", content=chunks())
    assert (reply.status_code, reply.json()["code"]) == (413, "too_large")

"""Bodies that may hold an image are larger than others, and no body is larger than its limit."""

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.conf import settings as configured
from django.test import Client
from PIL import Image

from api.limits import WITH_IMAGES
from lychee_site.management.commands.serve import _server
from tests.api.cast import JSON, Cast, Person, problem
from tests.api.live import Live
from tests.api.ws.test_consumer import chat
from tests.visual.conftest import image_dir  # noqa: F401 - a fixture
from tests.visual.pictures import data_url, encoded
from visual.models import VisualRecord

OTHERS = ("/memory/append-turn", "/memory/search", "/spaces", "/auth/login")
SIDE = 1_732  # pixels of a square image that takes 9 MB


def noise() -> bytes:
    """A PNG of 9 MB, which no compression makes smaller."""
    pixels = random.Random(7).randbytes(3 * SIDE * SIDE)
    return encoded(Image.frombytes("RGB", (SIDE, SIDE), pixels), compress_level=0)


@pytest.fixture
def small_limits(settings: Any) -> None:
    """A body has 1,000 bytes, one that may hold an image 2,000."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.MAX_IMAGE_BODY_BYTES = 1_000, 2_000


def padded(size: int) -> bytes:
    """A body of JSON of so many bytes that no address takes for a request of its own."""
    return b'{"padding": "' + b"x" * (size - 15) + b'"}'


def sent(who: Person, path: str, size: int, **headers: str) -> Any:
    body = padded(size)
    assert len(body) == size
    return Client().post(path, body, JSON, headers={**who.headers, **headers})


def test_the_limit_holds_one_image_as_a_data_url_beside_what_every_body_may_have() -> None:
    largest = data_url(bytes(configured.MAX_IMAGE_BYTES)).partition(",")[2]
    assert configured.DATA_UPLOAD_MAX_MEMORY_SIZE + len(largest) == configured.MAX_IMAGE_BODY_BYTES


def test_the_servers_pass_websocket_frames_up_to_the_same_limit() -> None:
    assert _server().config.ws_max_size == configured.MAX_IMAGE_BODY_BYTES
    assert configured.DAPHNE_WEBSOCKET_MAX_FRAME_SIZE == configured.MAX_IMAGE_BODY_BYTES
    assert configured.DAPHNE_WEBSOCKET_MAX_MESSAGE_SIZE == configured.MAX_IMAGE_BODY_BYTES


@pytest.mark.usefixtures("image_dir")
def test_an_image_of_nine_megabytes_is_taken_where_as_much_text_is_refused(cast: Cast) -> None:
    image = noise()
    assert 9_000_000 <= len(image) < configured.MAX_IMAGE_BYTES
    body = json.dumps({"session_id": "garden", "images": [data_url(image)]})
    once = {**cast.alice.headers, "Idempotency-Key": "one-image"}
    reply = Client().post("/visual/memories", body, JSON, headers=once)
    assert reply.status_code == 201, reply.content
    (made,) = reply.json()["items"]
    assert (made["width"], made["height"]) == (SIDE, SIDE)
    again = Client().post("/visual/memories", body, JSON, headers=once)
    assert (again.content, again["Idempotent-Replayed"]) == (reply.content, "true")
    assert VisualRecord.everyone.count() == 1

    turn = {"session_id": "garden", "role": "user", "content": ""}
    turn["content"] = "x" * (len(body) - len(json.dumps(turn)))
    problem(cast.alice.post("/memory/append-turn", turn), 413, "too_large")


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("path", sorted(WITH_IMAGES))
def test_a_body_that_may_hold_an_image_is_read_up_to_the_larger_limit(cast: Cast, path: str) -> None:
    problem(sent(cast.alice, path, 2_000), 422, "invalid_input")
    refused = problem(sent(cast.alice, path, 2_001), 413, "too_large")
    assert "2,000 bytes" in refused["detail"]
    assert refused["instance"] == path


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("path", OTHERS)
def test_every_other_body_is_read_up_to_the_smaller_one(cast: Cast, path: str) -> None:
    problem(sent(cast.alice, path, 1_000), 422, "invalid_input")
    problem(sent(cast.alice, path, 1_001), 413, "too_large")
    problem(sent(cast.alice, path, 2_001), 413, "too_large")


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("path", ["/visual/memories", "/memory/search"])
def test_a_key_does_not_carry_a_body_past_its_limit(cast: Cast, path: str) -> None:
    headers = {"Idempotency-Key": "too-much"}
    for _ in range(2):
        problem(sent(cast.alice, path, 2_001, **headers), 413, "too_large")


@pytest.mark.usefixtures("small_limits")
def test_who_is_nobody_is_told_so_whatever_they_send() -> None:
    problem(Client().post("/visual/search", padded(1_500), JSON), 401, "not_authenticated")
    problem(Client().post("/visual/search", padded(2_001), JSON), 413, "too_large")


@pytest.mark.usefixtures("small_limits")
def test_the_fields_of_a_form_keep_the_limit_of_every_body(cast: Cast) -> None:
    form = {"session_id": "garden", "context": "x" * 1_500}
    problem(Client().post("/visual/memories", form, headers=cast.alice.headers), 413, "too_large")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("path", "size", "status"),
    [("/visual/search", 2_000, 422), ("/visual/search", 2_001, 413), ("/memory/search", 1_001, 413)],
)
async def test_a_body_in_chunks_has_the_same_limits(
    live: Live, live_cast: Cast, path: str, size: int, status: int
) -> None:
    def chunks() -> Iterator[bytes]:
        body = padded(size)
        yield from (body[start : start + 100] for start in range(0, size, 100))

    def post() -> httpx.Response:
        headers = {**live_cast.alice.headers, "Content-Type": JSON}
        return httpx.post(f"{live.http}{path}", content=chunks(), headers=headers, timeout=30)

    reply = await asyncio.to_thread(post)
    assert reply.status_code == status, reply.text
    assert reply.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_limits")
async def test_a_frame_above_the_larger_limit_is_refused_and_the_socket_stays(
    live: Live, live_cast: Cast
) -> None:
    async with chat(live, live_cast.alice) as socket:
        for pad, code in ((1_500, "invalid_frame"), (2_001, "too_large"), (1_500, "invalid_frame")):
            await socket.send(type="message", padding="x" * pad)
            assert (await socket.until("error"))["code"] == code

"""Images in a bucket that speaks S3: the same promises as in a folder, against a server by hand."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import override_settings

from accounts.errors import NotFound, StorageFailed
from visual.stores.images import (
    delete_image,
    file_name,
    read_image,
    stored_images,
    stored_spaces,
    write_image,
)

pytestmark = pytest.mark.filterwarnings("ignore")
SPACE = uuid4()


class Bucket(BaseHTTPRequestHandler):
    """PUT, GET, HEAD, DELETE and lists of one bucket, in memory."""

    objects: dict[str, bytes]
    is_full = False
    is_silent = False
    over: Event

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class says so
        """Silence."""

    @property
    def key(self) -> str:
        return urlsplit(self.path).path.removeprefix("/pictures/")

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if Bucket.is_full:
            return self.say(507, b"")
        self.objects[self.key] = _unchunked(data) if "aws-chunked" in str(self.headers) else data
        return self.say(200, b"")

    def do_DELETE(self) -> None:
        self.objects.pop(self.key, None)
        self.say(204, b"")

    def do_HEAD(self) -> None:
        if Bucket.is_silent:
            Bucket.over.wait(30)
        self.do_GET()

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        if "delimiter" in query:
            return self.say(200, self.listing(query.get("prefix", [""])[0]))
        found = self.objects.get(self.key)
        return self.say(404, b"") if found is None else self.say(200, found)

    def listing(self, prefix: str) -> bytes:
        rest = [key.removeprefix(prefix) for key in self.objects if key.startswith(prefix)]
        folders = sorted({f"{each.partition('/')[0]}/" for each in rest if "/" in each})
        files = [each for each in rest if "/" not in each]
        told = "".join(
            f"<CommonPrefixes><Prefix>{prefix}{each}</Prefix></CommonPrefixes>" for each in folders
        )
        told += "".join(f"<Contents><Key>{prefix}{each}</Key><Size>1</Size></Contents>" for each in files)
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{told}</ListBucketResult>".encode()

    def say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Wed, 01 Jul 2026 12:00:00 GMT")
        self.send_header("ETag", '"0"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _unchunked(data: bytes) -> bytes:
    """The first chunk of AWS's own encoding."""
    size, _, rest = data.partition(b"\r\n")
    return rest[: int(size.partition(b";")[0], 16)]


@pytest.fixture
def bucket() -> Iterator[dict[str, bytes]]:
    Bucket.objects, Bucket.is_full, Bucket.is_silent, Bucket.over = {}, False, False, Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    options = {
        "bucket_name": "pictures",
        "endpoint_url": f"http://127.0.0.1:{server.server_address[1]}",
        "region_name": "eu-central-1",
        "access_key": "key",
        "secret_key": "secret",
        "default_acl": None,
        "file_overwrite": True,
    }
    images = {"BACKEND": "visual.stores.bucket.BucketStorage", "OPTIONS": options}
    with override_settings(STORAGES={**settings.STORAGES, "images": images}):
        yield Bucket.objects
    Bucket.over.set()
    server.shutdown()
    server.server_close()


def test_an_image_is_written_read_listed_and_deleted(bucket: dict[str, bytes]) -> None:
    name = file_name(SPACE, b"pixels")
    assert write_image(name, b"pixels") is True
    assert write_image(name, b"pixels") is False
    assert bucket == {name: b"pixels"}
    assert read_image(name) == b"pixels"
    assert stored_spaces() == {SPACE}
    now = datetime(2026, 7, 2, tzinfo=UTC)
    assert stored_images(SPACE, before=now) == [name]
    assert stored_images(SPACE, before=now - timedelta(days=30)) == []
    delete_image(name)
    assert bucket == {}
    with pytest.raises(NotFound):
        read_image(name)


def test_a_bucket_that_takes_nothing_is_told_as_such(
    bucket: dict[str, bytes],
) -> None:
    Bucket.is_full = True
    with pytest.raises(StorageFailed):
        write_image(file_name(SPACE, b"pixels"), b"pixels")
    assert bucket == {}


def test_a_bucket_that_is_silent_is_not_waited_for(
    bucket: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("visual.stores.bucket.READ_SECONDS", 0.2)
    Bucket.is_silent, begun = True, monotonic()
    with pytest.raises(StorageFailed):
        write_image(file_name(SPACE, b"pixels"), b"pixels")
    assert monotonic() - begun < 10
    assert bucket == {}

"""Images from addresses: a real TLS server on loopback, which passes for a public one in some tests."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import trustme

from accounts.errors import InvalidInput, TooLarge
from tests.visual.pictures import plain
from visual.config import ImageLimits
from visual.domain.types import Upload
from visual.providers import remote
from visual.providers.remote import Deadline, fetch_upload, is_public

PATIENT = 20.0
INSIDE = """
    127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255
    ::1 :: fe80::1%eth0 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::a00:1
    2002:7f00:1:: 2001:0:7f00:1::
"""


@dataclass
class Host:
    """A host whose answers a test writes: by path, a status, headers and a body in pieces."""

    port: int = 0
    answers: dict[str, tuple[int, dict[str, str], list[bytes]]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    pause: float = 0.0  # seconds before each piece

    def url(self, path: str, host: str = "localhost") -> str:
        return f"https://{host}:{self.port}{path}"

    def tells(self, path: str, *pieces: bytes, status: int = 200, **headers: str) -> str:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, named, list(pieces))
        return self.url(path)


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def host(ca: trustme.CA) -> Iterator[Host]:
    told = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append((self.path, dict(self.headers)))
            status, headers, pieces = told.answers[self.path.partition("?")[0]]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            for piece in pieces:
                time.sleep(told.pause)  # what is tested is how long it takes
                self.wfile.write(piece)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # who was hung up on
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("localhost", "moved.example").configure_cert(tls)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    told.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield told
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture
def trusted(ca: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificates of our hosts are good."""
    context = ssl.create_default_context()
    ca.configure_trust(context)
    monkeypatch.setattr(remote, "_tls", lambda: context)


@pytest.fixture
def public(trusted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback passes for the internet."""
    monkeypatch.setattr(remote, "is_public", lambda address: address == "127.0.0.1")


def fetched(
    address: str, *, name: str = "", limits: ImageLimits | None = None, seconds: float = PATIENT
) -> Upload:
    sent = Upload(b"", name, address)
    until = Deadline(time.monotonic() + seconds)
    return fetch_upload(sent, limits or ImageLimits(), pointer="images", deadline=until)


def refused(address: str, **more: Any) -> str:
    with pytest.raises(InvalidInput) as told:
        fetched(address, **more)
    (error,) = told.value.errors
    assert (error.pointer, error.code) == ("/images", "image_address")
    return error.message


@pytest.mark.usefixtures("public")
class TestFetching:
    def test_an_image_comes_whole_under_the_name_in_its_address(self, host: Host) -> None:
        image = plain()
        address = host.tells("/a/rote%20T%C3%BCr.png", image[:40], image[40:])
        assert fetched(f"{address}?size=large") == Upload(image, "rote Tür.png")
        assert fetched(address, name="door.png").name == "door.png"

    def test_nothing_of_ours_is_told_to_the_host(self, host: Host) -> None:
        fetched(host.tells("/a.png", b"x"))
        ((_, headers),) = host.asked
        assert set(headers) == {"Host", "Accept", "Accept-Encoding", "User-Agent"}

    def test_a_redirect_is_followed(self, host: Host) -> None:
        host.tells("/there.png", b"image")
        assert fetched(host.tells("/here", status=302, Location="/there.png")) == Upload(
            b"image", "there.png"
        )

    def test_redirects_end(self, host: Host) -> None:
        assert "without end" in refused(host.tells("/round", status=301, Location="/round"))
        assert len(host.asked) == 4

    @pytest.mark.parametrize(
        "where", ["http://localhost/a.png", "file:///etc/passwd", "https://u:p@localhost/"]
    )
    def test_a_redirect_is_held_to_the_rules(self, host: Host, where: str) -> None:
        assert refused(host.tells("/here", status=302, Location=where))
        assert len(host.asked) == 1

    @pytest.mark.parametrize("status", [204, 206, 401, 404, 500])
    def test_what_is_not_there_is_told(self, host: Host, status: int) -> None:
        assert str(status) in refused(host.tells("/a.png", status=status))

    def test_what_is_packed_is_refused(self, host: Host) -> None:
        assert "packed" in refused(host.tells("/a.png", b"x", Content_Encoding="gzip"))

    def test_what_is_too_large_is_not_read_to_its_end(self, host: Host) -> None:
        with pytest.raises(TooLarge):
            fetched(host.tells("/a.png", *[b"x" * 600_000] * 3), limits=ImageLimits(max_bytes=1_000_000))

    def test_what_comes_drop_by_drop_ends_by_the_deadline(self, host: Host) -> None:
        host.pause = 0.05
        address = host.tells("/a.png", *[b"x"] * 1_000)
        began = time.monotonic()
        assert refused(address, seconds=0.5)
        assert time.monotonic() - began < 25  # all of it would take fifty

    def test_a_certificate_of_another_name_is_refused(self, host: Host) -> None:
        assert "Nothing could be fetched" in refused(host.url("/a.png", "127.0.0.1"))
        assert host.asked == []


@pytest.mark.usefixtures("trusted")
class TestPrivateHosts:
    def test_a_name_that_leads_inside_is_refused_without_a_word_to_the_host(self, host: Host) -> None:
        host.tells("/a.png", b"x")
        assert "public internet" in refused(host.url("/a.png"))
        assert host.asked == []

    def test_a_redirect_inside_is_refused(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        real = socket.getaddrinfo
        seen: list[Any] = []

        def resolved(name: Any, *more: Any, **named: Any) -> Any:
            if name != "127.0.0.1":
                seen.append(name)
            return real("127.0.0.1", *more, **named)

        monkeypatch.setattr(socket, "getaddrinfo", resolved)
        monkeypatch.setattr(remote, "is_public", lambda _: len(seen) == 1)  # the first name alone
        elsewhere = host.url("/b.png", "moved.example")
        assert "public internet" in refused(host.tells("/a.png", status=302, Location=elsewhere))
        assert len(seen) == 2
        assert [path for path, _ in host.asked] == ["/a.png"]

    @pytest.mark.parametrize("address", INSIDE.split())
    def test_addresses_inside(self, address: str) -> None:
        assert not is_public(address)

    @pytest.mark.parametrize(
        "address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"]
    )
    def test_addresses_of_the_internet(self, address: str) -> None:
        assert is_public(address)


@pytest.mark.parametrize(
    "address",
    ["http://example.com/a.png", "ftp://example.com/a.png", "file:///etc/passwd", "https:///a.png", "https://",
     "https://user:word@example.com/a.png", "https://exa mple.com/", "https://[::1", "javascript:alert(1)",
     f"https://{'a' * 64}.example/"],
)  # fmt: skip
def test_what_is_no_address_to_fetch_is_refused_in_words(address: str) -> None:
    assert refused(address)


def test_nobody_answers(trusted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "is_public", lambda _: True)
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        assert "Nothing could be fetched" in refused(f"https://127.0.0.1:{unheard.getsockname()[1]}/a.png")

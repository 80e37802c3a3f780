"""Images from addresses: over https, from public hosts, in bounded size and time; off unless switched on.

Whoever sends an address chooses what this server connects to. So the address that a name resolves to is
checked as the connection is made, which leaves no time to answer differently in between; each redirect is
another address, held to the same rules; and whatever is wrong with one is told in the same few words.
"""

import ipaddress
import logging
import socket
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote

import certifi
import httpcore
import httpx

from accounts.errors import InvalidInput, TooLarge
from visual.config import ImageLimits, RemoteLimits
from visual.domain.types import Upload

logger = logging.getLogger(__name__)

_BROKEN = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError, UnicodeError)
_MOVED = frozenset((301, 302, 303, 307, 308))
# Hand packets on to an IPv4 address written in them: NAT64, 6to4, Teredo.
_RELAYS = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
_HEADERS = [(b"Accept", b"image/*"), (b"Accept-Encoding", b"identity"), (b"User-Agent", b"LycheeMemory")]


class Unfetched(Exception):
    """Nothing could be had from an address; the text says why, to whoever sent it."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The instant, in monotonic seconds, by which everything is to be over."""

    at: float

    def remaining(self) -> float:
        """Seconds that are left. Raises Unfetched when none are."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise Unfetched("The address took too long to answer.")
        return left


def fetch_upload(upload: Upload, limits: ImageLimits, *, pointer: str, deadline: Deadline) -> Upload:
    """The image at the upload's address, called as the upload is, else as the address ends.

    Raises InvalidInput that says what is wrong with the address, TooLarge above `limits.max_bytes`.
    """
    try:
        url, data = _fetch(_checked(upload.address), limits.max_bytes, deadline)
    except Unfetched as fault:
        raise InvalidInput.field(pointer, str(fault), code="image_address") from fault
    return Upload(data, upload.name or unquote(url.path.rpartition("/")[2]))


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet at large, by itself and by what it stands for."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    is_relay = any(found.version == network.version and found in network for network in _RELAYS)
    return found.is_global and not found.is_multicast and not is_relay


def _checked(address: str) -> httpx.URL:
    try:
        url = httpx.URL(address.strip())
    except httpx.InvalidURL as error:
        raise Unfetched("This is no address: send one that begins with https://, or a data URL.") from error
    if url.scheme != "https" or not url.host:
        raise Unfetched("Only addresses that begin with https:// are fetched.")
    if url.userinfo:
        raise Unfetched("An address with a password in it is not fetched.")
    return url


def _fetch(url: httpx.URL, max_bytes: int, deadline: Deadline) -> tuple[httpx.URL, bytes]:
    """The last address of the redirects, and what is there."""
    with httpcore.ConnectionPool(ssl_context=_tls(), network_backend=_Public(deadline)) as pool:
        for _ in range(RemoteLimits().redirects + 1):
            try:
                found = _ask(pool, url, max_bytes, deadline)
            except _BROKEN as error:
                logger.info("an image's address could not be read: %s", type(error).__name__)
                raise Unfetched("Nothing could be fetched from the address.") from error
            if isinstance(found, bytes):
                return url, found
            url = found
    raise Unfetched("The address leads from one place to the next without end.")


def _ask(
    pool: httpcore.ConnectionPool, url: httpx.URL, max_bytes: int, deadline: Deadline
) -> httpx.URL | bytes:
    """What is at the address, or where it has moved."""
    asked = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), deadline.remaining())
    with pool.stream("GET", asked, headers=_HEADERS, extensions={"timeout": timeouts}) as reply:
        headers = {name.lower(): value.decode("ascii", "replace") for name, value in reply.headers}
        if reply.status in _MOVED and b"location" in headers:
            return _checked(str(url.join(headers[b"location"])))
        if reply.status != httpx.codes.OK:
            raise Unfetched(f"The address answers with status {reply.status}.")
        if headers.get(b"content-encoding", "identity") != "identity":
            raise Unfetched("The address sends something packed, not an image.")
        return _within(reply.iter_stream(), max_bytes)


def _within(pieces: Iterable[bytes], max_bytes: int) -> bytes:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > max_bytes:
            raise TooLarge(f"An image may have {max_bytes // 1_000_000} MB; send it smaller.")
    return bytes(data)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certifi.where())


class _Public(httpcore.SyncBackend):
    """Connects to public addresses alone, and reads and writes until the deadline."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline

    def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> httpcore.NetworkStream:
        """A connection to one of the host's public addresses."""
        found = (info[4][0] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        public = next((str(address) for address in found if is_public(str(address))), None)
        if public is None:
            raise Unfetched("Only addresses of the public internet are fetched.")
        return _Bounded(super().connect_tcp(public, port, *args, **options), self.deadline)


class _Bounded(httpcore.NetworkStream):
    """A stream on which everything ends by the deadline, however slowly it comes."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self.stream = stream
        self.deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Some bytes, or none at the end."""
        return self.stream.read(max_bytes, self.deadline.remaining())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of it."""
        self.stream.write(buffer, self.deadline.remaining())

    def close(self) -> None:
        """Hang up."""
        self.stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The stream in TLS, with the certificate of the name that was asked for."""
        secure = self.stream.start_tls(ssl_context, server_hostname, self.deadline.remaining())
        return _Bounded(secure, self.deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the stream below knows."""
        return self.stream.get_extra_info(info)

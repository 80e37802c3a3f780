"""Versions as HTTP tells them: `ETag` out, `If-Match` in (RFC 9110, section 13.1.1)."""

from accounts.errors import Outdated


def etag_of(version: int) -> str:
    """The version as a strong validator."""
    return f'"{version}"'


def matching_version(if_match: str, version: int) -> int:
    """The version now, where the header names it or says `*`. Raises Outdated.

    The caller still hands it to the service, which compares again under its lock.
    """
    named = {tag.strip() for tag in if_match.split(",")}
    if named & {"*", etag_of(version)}:
        return version
    raise Outdated("Somebody has changed this meanwhile; read it again, then send your change.")

"""Versions as HTTP tells them: `ETag` out, `If-Match` in (RFC 9110, section 13.1.1)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from ninja import Header

from accounts.errors import Conflict, Outdated
from memory.services.curate_rows import EDITED_MEANWHILE

IfMatch = Annotated[str, Header(max_length=1_024)]  # the header's name is the parameter's


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


@contextmanager
def guarded(if_match: str, version_now: Callable[[], int]) -> Iterator[int | None]:
    """The version that `If-Match` names, None where it is not sent. Raises Outdated where it is
    another, also when that shows only between the look and the lock.
    """
    if not if_match:
        yield None
        return
    version = matching_version(if_match, version_now())
    try:
        yield version
    except Conflict as error:
        if error.error_code == EDITED_MEANWHILE:
            raise Outdated(error.detail) from error
        raise

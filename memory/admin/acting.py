"""Administrators act as persons of a space: every change goes through the same services."""

from django.http import HttpRequest

from accounts.models import Membership, User
from accounts.principals import Principal
from accounts.tenancy import SpaceOwned


def acting_on(request: HttpRequest, record: SpaceOwned) -> Principal:
    """The administrator as one who may write in the space of this row."""
    assert isinstance(request.user, User)  # noqa: S101 - staff only, for mypy
    return Principal(
        user_id=request.user.id,
        username=request.user.username,
        speaker=request.user.speaker,
        time_zone=request.user.time_zone,
        space_id=record.space_id,
        space_slug=record.space.slug,
        role=Membership.Role.OWNER,
    )

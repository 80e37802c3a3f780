"""Administrators act as persons of a space: every change goes through the same services."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest

from accounts.admin import LycheeAdmin
from accounts.errors import LycheeError
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


def act_on_each(
    model_admin: LycheeAdmin,
    request: HttpRequest,
    rows: Iterable[Any],
    act: Callable[[Principal, UUID], object],
    told: str,
) -> None:
    """Do it to each row; tell how many (`%(n)d`), and once each what was refused."""
    count, refused = 0, set[str]()
    for row in rows:
        try:
            act(acting_on(request, row), row.pk)
            count += 1
        except LycheeError as error:
            refused.add(str(error.detail))
    model_admin.message_user(request, told % {"n": count})
    for detail in sorted(refused):
        model_admin.message_user(request, detail, messages.ERROR)

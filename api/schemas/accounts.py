"""People, tokens and spaces on the wire."""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.principals import Principal
from accounts.selectors import Member, SpaceSummary
from accounts.services.credentials import Tokens
from api.schemas.wire import Clean, Name, RequestBody, Slug

if TYPE_CHECKING:
    from accounts.models import User

Password = Annotated[str, Field(min_length=8, max_length=1_024)]
Username = Annotated[str, Field(min_length=2, max_length=64), Clean]
Mail = Annotated[str, Field(max_length=254), Clean]
Zone = Annotated[str, Field(min_length=1, max_length=64, description="IANA, e.g. Europe/Berlin."), Clean]


class Registration(RequestBody):
    """A new account."""

    username: Username
    password: Password
    display_name: Name = ""
    email: Mail = ""
    time_zone: Zone = "UTC"


class Login(RequestBody):
    """A name and its password."""

    username: Annotated[str, Field(min_length=1, max_length=64), Clean]
    password: Annotated[str, Field(min_length=1, max_length=1_024)]


class RefreshRequest(RequestBody):
    """A refresh token, used up by this request."""

    refresh: Annotated[str, Field(min_length=1, max_length=4_096)]


class PasswordChange(RequestBody):
    """The password so far and the one to come."""

    old_password: Annotated[str, Field(min_length=1, max_length=1_024)]
    new_password: Password


class ProfileChange(RequestBody):
    """What you may change about yourself; what is left out stays."""

    display_name: Name | None = None
    email: Mail | None = None
    time_zone: Zone | None = None


class TokenPair(Schema):
    """`token` is the access token."""

    token: str
    refresh: str

    @classmethod
    def of(cls, tokens: Tokens) -> "TokenPair":
        """From what the service issued."""
        return cls(token=tokens.access, refresh=tokens.refresh)


class SignedInUser(TokenPair):
    """An account with its tokens."""

    user_id: UUID
    username: str
    display_name: str
    must_change_password: bool

    @classmethod
    def with_tokens(cls, user: "User", tokens: Tokens) -> "SignedInUser":
        """The reply of registering and signing in."""
        return cls(**_person(user), token=tokens.access, refresh=tokens.refresh)


class Profile(Schema):
    """Who you are, and the space this request acts in."""

    user_id: UUID
    username: str
    display_name: str
    email: str
    time_zone: str
    must_change_password: bool
    space: str
    role: str

    @classmethod
    def of(cls, user: "User", principal: Principal) -> "Profile":
        """From the user and where they act."""
        return cls(
            **_person(user),
            email=user.email,
            time_zone=user.time_zone,
            space=principal.space_slug,
            role=principal.role,
        )


def _person(user: "User") -> dict[str, Any]:
    return {
        "user_id": user.id,
        "username": user.username,
        "display_name": user.speaker,
        "must_change_password": user.must_change_password,
    }


class Ticket(Schema):
    """Opens one websocket: `/ws/chat/{session_id}?ticket=…`."""

    ticket: str
    expires_in: int


class NewSpace(RequestBody):
    """A memory to share with others."""

    slug: Slug
    name: Annotated[str, Field(min_length=1, max_length=128), Clean]


class SpaceItem(Schema):
    """A space you are a member of."""

    slug: str
    name: str
    role: str
    is_personal: bool
    member_count: int
    created_at: datetime

    @classmethod
    def of(cls, space: SpaceSummary) -> "SpaceItem":
        """From a space as its member sees it."""
        return cls.model_validate(space)


class Role(StrEnum):
    """Owners decide who belongs to a space, editors write, viewers recall."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"


class NewMember(RequestBody):
    """Whom to let in, and as what."""

    username: Annotated[str, Field(min_length=1, max_length=64), Clean]
    role: Role = Role.VIEWER


class RoleChange(RequestBody):
    """What a member is from now on."""

    role: Role


class MemberItem(Schema):
    """A member of a space."""

    username: str
    display_name: str
    role: str
    is_you: bool
    since: datetime

    @classmethod
    def of(cls, member: Member) -> "MemberItem":
        """From a member as another sees them."""
        return cls.model_validate(member)


class MemberList(Schema):
    """Everybody of a space, owners first."""

    items: list[MemberItem]
    total: int


class SpaceList(Schema):
    """All of yours."""

    items: list[SpaceItem]
    total: int

"""`/spaces`: the memories you are a member of, and who else is."""

from typing import Annotated

from ninja import Path, Router, Status

from accounts.selectors import list_members, list_spaces, member_of
from accounts.services.members import add_member, change_role, remove_member
from accounts.services.spaces import create_space
from api.auth import SIGNED_IN, SignedIn
from api.schemas.accounts import MemberItem, MemberList, NewMember, NewSpace, RoleChange, SpaceItem, SpaceList

router = Router(tags=["spaces"], auth=SIGNED_IN)

SpaceName = Annotated[str, Path(max_length=64, description="The slug of a space.")]
Username = Annotated[str, Path(max_length=64, description="The member's user name.")]


@router.get("", response=SpaceList, summary="List your spaces")
def spaces(request: SignedIn) -> SpaceList:
    """Every space you are a member of, with your role."""
    items = [SpaceItem.of(space) for space in list_spaces(request.auth.user_id)]
    return SpaceList(items=items, total=len(items))


@router.post("", response={201: SpaceItem}, summary="Make a space")
def new_space(request: SignedIn, payload: NewSpace) -> Status[SpaceItem]:
    """A shared memory that you own. Name it in `X-Memory-Space` to use it."""
    space = create_space(request.user, slug=payload.slug, name=payload.name)
    (item,) = (SpaceItem.of(mine) for mine in list_spaces(request.auth.user_id) if mine.id == space.id)
    return Status(201, item)


@router.get("/{slug}/members", response=MemberList, summary="List a space's members")
def members(request: SignedIn, slug: SpaceName) -> MemberList:
    """Everybody of a space of yours, owners first."""
    items = [MemberItem.of(member) for member in list_members(request.auth.user_id, slug)]
    return MemberList(items=items, total=len(items))


@router.post("/{slug}/members", response={201: MemberItem}, summary="Let a person in")
def new_member(request: SignedIn, slug: SpaceName, payload: NewMember) -> Status[MemberItem]:
    """For owners. 409 for who is a member already, and for a personal space."""
    added = add_member(request.user, slug=slug, username=payload.username, role=payload.role)
    return Status(201, MemberItem.of(member_of(added, request.auth.user_id)))


@router.patch("/{slug}/members/{username}", response=MemberItem, summary="Change a member's role")
def set_role(request: SignedIn, slug: SpaceName, username: Username, payload: RoleChange) -> MemberItem:
    """For owners. 409 where no owner would be left."""
    changed = change_role(request.user, slug=slug, username=username, role=payload.role)
    return MemberItem.of(member_of(changed, request.auth.user_id))


@router.delete("/{slug}/members/{username}", response={204: None}, summary="Take a member out, or leave")
def remove(request: SignedIn, slug: SpaceName, username: Username) -> Status[None]:
    """For owners, and for yourself. Their private sessions stay theirs, and nobody sees them.

    409 for the last owner.
    """
    remove_member(request.user, slug=slug, username=username)
    return Status(204, None)

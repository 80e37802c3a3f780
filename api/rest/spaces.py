"""`/spaces`: the memories you are a member of."""

from ninja import Router, Status

from accounts.selectors import list_spaces
from accounts.services.spaces import create_space
from api.auth import SIGNED_IN, SignedIn
from api.schemas.accounts import NewSpace, SpaceItem, SpaceList

router = Router(tags=["spaces"], auth=SIGNED_IN)


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

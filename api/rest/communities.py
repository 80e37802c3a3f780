"""`/memory/communities`: who and what is told of together."""

from typing import Annotated

from ninja import Query, Router, Schema

from api.auth import SIGNED_IN, SignedIn
from api.schemas.communities import CommunityList
from api.schemas.wire import Cursor, PageSize
from memory.domain.types import Reader
from memory.selectors import list_communities
from memory.services.communities import top_records_of

router = Router(tags=["records"], auth=SIGNED_IN)


class CommunityQuery(Schema):
    """Which page."""

    cursor: Cursor = ""
    limit: PageSize = 20


@router.get("", response=CommunityList, summary="List the communities of entities")
def communities(request: SignedIn, query: Annotated[CommunityQuery, Query()]) -> CommunityList:
    """The largest first, page by page. They are made anew every 50 filings, under other ids."""
    reader = Reader(request.auth.space_id, request.auth.user_id)
    page = list_communities(reader, cursor=query.cursor, limit=query.limit)
    return CommunityList.of(page, top_records_of(reader, [community.id for community in page.items]))

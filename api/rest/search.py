"""`/memory/search` and `/memory/smart-search`: a question put to the memory."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from accounts.errors import NotFound
from accounts.principals import Principal
from api.auth import SIGNED_IN, SignedIn
from api.schemas.provenance import status_of
from api.schemas.search import SearchQuery, SearchResults, SmartSearchQuery, SmartSearchResults
from memory.domain.types import Recalled
from sessions_app.services.search import search_memories
from sessions_app.services.sessions import find_session

router = Router(tags=["recall"], auth=SIGNED_IN)


@router.post("/search", response=SearchResults, summary="Recall with evidence")
def search(request: SignedIn, payload: SearchQuery, response: HttpResponse) -> SearchResults:
    """The best items of the space, each with where it came from and why it was recalled."""
    recalled = _recall(request.auth, payload)
    response["X-Memory-Status"] = status_of(recalled)
    return SearchResults.of(payload, recalled)


@router.post("/smart-search", response=SmartSearchResults, exclude_none=True, summary="Recall as one context")
def smart_search(request: SignedIn, payload: SmartSearchQuery, response: HttpResponse) -> SmartSearchResults:
    """`background_context` is ready for a prompt. Fragments are quoted, not yet fused into one."""
    recalled = _recall(request.auth, payload)
    response["X-Memory-Status"] = status_of(recalled)
    return SmartSearchResults.of(payload, recalled)


def _recall(principal: Principal, asked: SearchQuery) -> Recalled:
    excluded = _session_id(principal, asked.exclude_session_id)
    return search_memories(
        principal,
        asked.to_request(
            principal,
            now=timezone.now(),
            session_id=_session_id(principal, asked.session_id),
            excluded=frozenset([excluded] if excluded else []),
        ),
    )


def _session_id(principal: Principal, name: str | None) -> UUID | None:
    """The id of a session that exists; clients ask before they say anything in a new one."""
    if name is None:
        return None
    try:
        return find_session(principal, name).id
    except NotFound:
        return None

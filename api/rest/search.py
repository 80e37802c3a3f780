"""`/memory/search`, `/memory/smart-search`, `/memory/synthesize`: a question put to the memory."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from accounts.errors import NotFound
from accounts.principals import Principal
from api.auth import SIGNED_IN, SignedIn
from api.schemas.provenance import status_of
from api.schemas.search import SearchQuery, SearchResults, SmartSearchQuery, SmartSearchResults
from api.schemas.skills import given_scores
from api.schemas.synthesis import SynthesisQuery, SynthesisResult
from memory.domain.formatting import dated_text
from memory.domain.types import Reader
from memory.services.synthesize import Synthesized
from sessions_app.bridge import in_request_thread
from sessions_app.domain.types import Recollection
from sessions_app.services.recollect import Beside
from sessions_app.services.search import search_memories, synthesize_memories
from sessions_app.services.sessions import find_session
from skills.domain.hyde import reuse_plan
from skills.services.recall import active_hits

router = Router(tags=["recall"], auth=SIGNED_IN)


@router.post("/search", response=SearchResults, summary="Recall with evidence")
async def search(request: SignedIn, payload: SearchQuery, response: HttpResponse) -> SearchResults:
    """The best items of the space, each with where it came from and why it was recalled."""
    recalled = await in_request_thread(_recall, request.auth, payload)
    response["X-Memory-Status"] = status_of(recalled.records)
    return SearchResults.of(payload, recalled)


@router.post("/smart-search", response=SmartSearchResults, exclude_none=True, summary="Recall as one context")
async def smart_search(
    request: SignedIn, payload: SmartSearchQuery, response: HttpResponse
) -> SmartSearchResults:
    """`background_context` is ready for a prompt: with `synthesize` only what is of use, condensed."""
    recalled, made = await in_request_thread(_condense, request.auth, payload)
    is_partial = made is not None and bool(made.notes)
    response["X-Memory-Status"] = "partial" if is_partial else status_of(recalled.records)
    return SmartSearchResults.of(payload, recalled, made)


@router.post("/synthesize", response=SynthesisResult, summary="Condense recalled results")
async def synthesize(request: SignedIn, payload: SynthesisQuery) -> SynthesisResult:
    """Each fragment is judged by itself, 0 to 1; those of at least 0.6 become one text with citations."""
    return await in_request_thread(_synthesize, request.auth, payload)


def _condense(principal: Principal, asked: SmartSearchQuery) -> tuple[Recollection, Synthesized | None]:
    """What was recalled, and what is of use of it where that is asked for."""
    recalled = _recall(principal, asked)
    if not asked.synthesize or not recalled.records.hits:
        return recalled, None
    hits = recalled.records.hits
    shown = [dated_text(hit, time_zone=principal.time_zone) for hit in hits]
    texts = [hit.text for hit in hits]
    return recalled, synthesize_memories(principal, asked.query, texts, shown=shown)


def _synthesize(principal: Principal, given: SynthesisQuery) -> SynthesisResult:
    """Skills that are handed back are looked up: only active ones of this reader's may be followed."""
    items = given.items()
    made = synthesize_memories(principal, given.user_query, list(items))
    reader = Reader(principal.space_id, principal.user_id)
    skills = reuse_plan(active_hits(reader, given_scores(given.skill_results)))
    return SynthesisResult.of(list(items.values()), made, skills)


def _recall(principal: Principal, asked: SearchQuery) -> Recollection:
    excluded = _session_id(principal, asked.exclude_session_id)
    return search_memories(
        principal,
        asked.to_request(
            principal,
            now=timezone.now(),
            session_id=_session_id(principal, asked.session_id),
            excluded=frozenset([excluded] if excluded else []),
        ),
        include=Beside(skills=asked.include_skills, visuals=asked.include_visual),
    )


def _session_id(principal: Principal, name: str | None) -> UUID | None:
    """The id of a session that exists; clients ask before they say anything in a new one."""
    if name is None:
        return None
    try:
        return find_session(principal, name).id
    except NotFound:
        return None

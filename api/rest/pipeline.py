"""`/pipeline/*`: what the space holds and what is under way."""

from ninja import Router

from api.auth import SIGNED_IN, SignedIn
from api.schemas.pipeline import LastConsolidation, PipelineStatus
from api.schemas.wire import SessionName
from sessions_app.selectors import last_consolidation, space_status
from sessions_app.services.sessions import find_session

router = Router(tags=["pipeline"], auth=SIGNED_IN)


@router.get("/status", response=PipelineStatus, summary="Count what is there")
def status(request: SignedIn) -> PipelineStatus:
    """Sessions, turns, records, and the work that waits; of what you may see."""
    return PipelineStatus.of(space_status(request.auth))


@router.get("/last-consolidation", response=LastConsolidation, summary="The newest filing")
def last(request: SignedIn, session_id: SessionName | None = None) -> LastConsolidation:
    """Of one session, or of any you may see."""
    session = find_session(request.auth, session_id) if session_id is not None else None
    return LastConsolidation.of(last_consolidation(request.auth, session))

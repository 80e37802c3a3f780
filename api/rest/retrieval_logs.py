"""`/memory/retrieval-logs`: your recalls, and what came of them."""

from typing import Annotated
from uuid import UUID

from ninja import Query, Router, Schema

from api.auth import SIGNED_IN, SignedIn
from api.schemas.feedback import FeedbackIn, LogList, LogOut
from api.schemas.wire import Cursor, PageSize
from memory.domain.feedback import Outcome
from memory.domain.types import Reader
from memory.selectors import list_logs
from memory.services.feedback_rate import rate_log

router = Router(tags=["feedback"], auth=SIGNED_IN)


class LogQuery(Schema):
    """Which recalls to list."""

    outcome: Outcome | None = None
    cursor: Cursor = ""
    limit: PageSize = 50


@router.get("", response=LogList, summary="List your recalls")
def logs(request: SignedIn, query: Annotated[LogQuery, Query()]) -> LogList:
    """Newest first, page by page. They are kept for 90 days, and seen by who asked alone."""
    reader = Reader(request.auth.space_id, request.auth.user_id)
    return LogList.of(list_logs(reader, outcome=query.outcome, cursor=query.cursor, limit=query.limit))


@router.post("/{uuid:log_id}/feedback", response=LogOut, summary="Say what came of a recall")
def feedback(request: SignedIn, log_id: UUID, payload: FeedbackIn) -> LogOut:
    """Your word counts before what was read from the conversation, and may be changed."""
    return LogOut.of(rate_log(request.auth, log_id, payload.outcome))

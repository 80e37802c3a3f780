"""`/memory/records`: list what is remembered, read it, correct it, take it out of recall."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from ninja import Query, Router, Schema
from pydantic import Field

from accounts.principals import Principal
from api.auth import SIGNED_IN, SignedIn
from api.schemas.records import Expiry, RecordChange, RecordList, RecordOut
from api.schemas.wire import Cursor, Instant, OptionalText, PageSize, SessionName
from memory.domain.types import MemoryType, Reader
from memory.selectors import RecordFilters, get_record, list_records
from memory.services.curate import edit_record, expire_record
from sessions_app.services.sessions import find_session

router = Router(tags=["records"], auth=SIGNED_IN)


class RecordState(StrEnum):
    """Which records: those that are recalled, those that are not any more, or all."""

    LIVE = "live"
    EXPIRED = "expired"
    ALL = "all"


class RecordQuery(Schema):
    """Which records to list; every filter narrows."""

    type: MemoryType | None = None
    entity: OptionalText = ""
    topic: OptionalText = ""
    session: SessionName | None = None
    since: Instant | None = Field(None, description="Said at or after.")
    until: Instant | None = Field(None, description="Said before.")
    as_of: Instant | None = Field(None, description="True at this moment.")
    q: OptionalText = ""
    state: RecordState = RecordState.LIVE
    cursor: Cursor = ""
    limit: PageSize = 50

    def to_filters(self, principal: Principal) -> RecordFilters:
        """As the selector takes them. Raises NotFound for a session you may not see."""
        session = find_session(principal, self.session) if self.session is not None else None
        return RecordFilters(
            type=self.type,
            entity=self.entity,
            topic=self.topic,
            session_id=session.id if session else None,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            q=self.q,
            state=self.state,
        )


@router.get("", response=RecordList, summary="List what is remembered")
def records(request: SignedIn, query: Annotated[RecordQuery, Query()]) -> RecordList:
    """Newest first, page by page."""
    filters = query.to_filters(request.auth)
    return RecordList.of(list_records(_reader(request), filters, cursor=query.cursor, limit=query.limit))


@router.get("/{uuid:record_id}", response=RecordOut, summary="Read a record")
def record(request: SignedIn, record_id: UUID) -> RecordOut:
    """With the turns it rests on."""
    return RecordOut.of(get_record(_reader(request), record_id))


@router.patch("/{uuid:record_id}", response=RecordOut, summary="Correct a record")
def change(request: SignedIn, record_id: UUID, payload: RecordChange) -> RecordOut:
    """What is left out stays. A correction wins over whatever is encoded later."""
    return RecordOut.of(edit_record(request.auth, record_id, payload.changes()))


@router.post("/{uuid:record_id}/expire", response=RecordOut, summary="Take a record out of recall")
def expire(request: SignedIn, record_id: UUID, payload: Expiry | None = None) -> RecordOut:
    """It stays readable here, and is recalled no more."""
    reason = payload.reason if payload else ""
    return RecordOut.of(expire_record(request.auth, record_id, reason))


def _reader(request: SignedIn) -> Reader:
    return Reader(request.auth.space_id, request.auth.user_id)

"""`/memory/records`: list what is remembered, read it, correct it, take it out of recall."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

from django.http import HttpResponse
from ninja import Header, Query, Router, Schema
from pydantic import Field

from accounts.errors import Conflict, Outdated
from accounts.principals import Principal
from api.auth import SIGNED_IN, SignedIn
from api.rest.versions import etag_of, matching_version
from api.schemas.records import Expiry, RecordChange, RecordList, RecordOut
from api.schemas.wire import Cursor, Instant, OptionalText, PageSize, SessionName
from memory.domain.types import MemoryType, Reader
from memory.selectors import RecordFilters, get_record, list_records
from memory.services.curate import EDITED_MEANWHILE, edit_record, expire_record
from sessions_app.services.sessions import find_session

if TYPE_CHECKING:
    from memory.models import MemoryRecord

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
    known_at: Instant | None = Field(None, description="Known at this moment, whatever `state`.")
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
            known_at=self.known_at,
            q=self.q,
            state=self.state,
        )


@router.get("", response=RecordList, summary="List what is remembered")
def records(request: SignedIn, query: Annotated[RecordQuery, Query()]) -> RecordList:
    """Newest first, page by page."""
    filters = query.to_filters(request.auth)
    return RecordList.of(list_records(_reader(request), filters, cursor=query.cursor, limit=query.limit))


@router.get("/{uuid:record_id}", response=RecordOut, summary="Read a record")
def record(request: SignedIn, record_id: UUID, response: HttpResponse) -> RecordOut:
    """With the turns it rests on. `ETag` is its version."""
    return _told(get_record(_reader(request), record_id), response)


@router.patch("/{uuid:record_id}", response=RecordOut, summary="Correct a record")
def change(
    request: SignedIn,
    record_id: UUID,
    payload: RecordChange,
    response: HttpResponse,
    if_match: Annotated[str, Header(max_length=1_024)] = "",
) -> RecordOut:
    """What is left out stays. A correction wins over whatever is encoded later.

    Send the version you read, as `If-Match` (412 if it has moved on) or as `version` (409), and
    nobody's correction is overwritten unseen; without either the last one wins.
    """
    changes = payload.changes()
    if if_match:
        changes["version"] = matching_version(if_match, get_record(_reader(request), record_id).version)
    try:
        return _told(edit_record(request.auth, record_id, changes), response)
    except Conflict as error:
        if if_match and error.error_code == EDITED_MEANWHILE:  # between the look and the lock
            raise Outdated(error.detail) from error
        raise


@router.post("/{uuid:record_id}/expire", response=RecordOut, summary="Take a record out of recall")
def expire(
    request: SignedIn, record_id: UUID, response: HttpResponse, payload: Expiry | None = None
) -> RecordOut:
    """It stays readable here, and is recalled no more."""
    reason = payload.reason if payload else ""
    return _told(expire_record(request.auth, record_id, reason), response)


def _told(row: "MemoryRecord", response: HttpResponse) -> RecordOut:
    response["ETag"] = etag_of(row.version)
    return RecordOut.of(row)


def _reader(request: SignedIn) -> Reader:
    return Reader(request.auth.space_id, request.auth.user_id)

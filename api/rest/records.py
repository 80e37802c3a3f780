"""`/memory/records`: list what is remembered, read it, and every act of curation."""

from contextlib import AbstractContextManager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

from django.http import HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from accounts.principals import Principal
from api.auth import SIGNED_IN, SignedIn
from api.rest.versions import IfMatch, etag_of, guarded
from api.schemas.feedback import FeedbackIn, RatedOut, UsageOut
from api.schemas.records import (
    Expiry,
    HistoryOut,
    Merge,
    Pinning,
    Purged,
    RecordChange,
    RecordIn,
    RecordList,
    RecordOut,
)
from api.schemas.wire import Cursor, Instant, OptionalText, PageSize, SessionName
from memory.domain.types import MemoryType, Reader
from memory.selectors import RecordFilters, get_record, list_records, record_history, usage_of
from memory.services.curate import edit_record, expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.curate_state import pin_record, restore_record
from memory.services.feedback_rate import rate_record
from memory.services.import_record import import_record
from sessions_app.services.sessions import find_session

if TYPE_CHECKING:
    from memory.models import MemoryRecord

router = Router(tags=["records"], auth=SIGNED_IN)
HISTORY = 200  # changes that are told


class RecordState(StrEnum):
    """Which records: those that are recalled (and of these what is current, or what a newer value has
    replaced, which is history), those that are not recalled any more, or all.
    """

    LIVE = "live"
    CURRENT = "current"
    REPLACED = "replaced"
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


@router.post("", response={201: RecordOut, 200: RecordOut}, summary="Import a single fact")
def bring(request: SignedIn, payload: RecordIn, response: HttpResponse) -> Status[RecordOut]:
    """201 and the record; 200 and the record there was, if the same is remembered already. It rests on no
    turn, and is found by its words at once. 409 for a statement that was erased.
    """
    made = import_record(request.auth, payload.values(), said_at=payload.said_at, is_private=payload.private)
    return Status(201 if made.is_new else 200, _told(made.record, response))


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
    if_match: IfMatch = "",
) -> RecordOut:
    """What is left out stays. A correction wins over whatever is encoded later.

    Send the version you read, as `If-Match` (412 if it has moved on) or as `version` (409), and
    nobody's correction is overwritten unseen; without either the last one wins.
    """
    changes = payload.changes()
    with _guarded(request, record_id, if_match) as version:
        if version is not None:
            changes["version"] = version
        return _told(edit_record(request.auth, record_id, changes), response)


@router.delete("/{uuid:record_id}", response=Purged, summary="Erase a record without trace")
def purge(request: SignedIn, record_id: UUID, if_match: IfMatch = "") -> Purged:
    """The record, its evidence, its index entries and its place in logs go for good; a keyed hash
    keeps it from coming back until somebody says it anew. What was said stays in its session.
    """
    with _guarded(request, record_id, if_match) as version:
        purge_record(request.auth, record_id, version=version)
    return Purged(record_id=record_id)


@router.get("/{uuid:record_id}/history", response=HistoryOut, summary="Who changed what")
def history(request: SignedIn, record_id: UUID) -> HistoryOut:
    """Newest first, with the values before and after."""
    return HistoryOut.of(record_history(_reader(request), record_id, limit=HISTORY))


@router.post("/{uuid:record_id}/pin", response=RecordOut, summary="Pin a record, or unpin it")
def pin(
    request: SignedIn,
    record_id: UUID,
    response: HttpResponse,
    payload: Pinning | None = None,
    if_match: IfMatch = "",
) -> RecordOut:
    """Nothing automatic takes a pinned record out of recall. `{"pinned": false}` ends that."""
    is_pinned = payload.pinned if payload else True
    with _guarded(request, record_id, if_match) as version:
        return _told(pin_record(request.auth, record_id, is_pinned=is_pinned, version=version), response)


@router.post("/{uuid:record_id}/expire", response=RecordOut, summary="Take a record out of recall")
def expire(
    request: SignedIn,
    record_id: UUID,
    response: HttpResponse,
    payload: Expiry | None = None,
    if_match: IfMatch = "",
) -> RecordOut:
    """It stays readable here, and is recalled no more."""
    reason = payload.reason if payload else ""
    with _guarded(request, record_id, if_match) as version:
        return _told(expire_record(request.auth, record_id, reason, version=version), response)


@router.post("/{uuid:record_id}/restore", response=RecordOut, summary="Let a record be recalled again")
def restore(request: SignedIn, record_id: UUID, response: HttpResponse, if_match: IfMatch = "") -> RecordOut:
    """Takes back an expiry, whoever or whatever expired it. 409 if the same statement is live."""
    with _guarded(request, record_id, if_match) as version:
        return _told(restore_record(request.auth, record_id, version=version), response)


@router.post("/{uuid:record_id}/merge", response=RecordOut, summary="Merge other records into one")
def merge(
    request: SignedIn, record_id: UUID, payload: Merge, response: HttpResponse, if_match: IfMatch = ""
) -> RecordOut:
    """The record keeps its wording and gains what the others rest on; they are expired with the
    reason `merged_into:<id>` and can be restored.
    """
    with _guarded(request, record_id, if_match) as version:
        return _told(merge_records(request.auth, record_id, payload.record_ids, version=version), response)


@router.post("/{uuid:record_id}/feedback", response=RatedOut, summary="Rate a record")
def feedback(request: SignedIn, record_id: UUID, payload: FeedbackIn) -> RatedOut:
    """Whether it helped you: one rating each, which may change; `open` takes it back."""
    rate_record(request.auth, record_id, payload.outcome)
    usage = UsageOut.of(usage_of(_reader(request), record_id))
    return RatedOut(record_id=record_id, outcome=payload.outcome, usage=usage)


def _guarded(request: SignedIn, record_id: UUID, if_match: str) -> AbstractContextManager[int | None]:
    return guarded(if_match, lambda: get_record(_reader(request), record_id).version)


def _told(row: "MemoryRecord", response: HttpResponse) -> RecordOut:
    response["ETag"] = etag_of(row.version)
    return RecordOut.of(row)


def _reader(request: SignedIn) -> Reader:
    return Reader(request.auth.space_id, request.auth.user_id)

"""`/sessions` and `/memory/session/{id}`: lists, transcripts, names and tags, who sees them, deletion."""

from enum import StrEnum

from ninja import Router

from accounts.errors import InvalidInput
from api.auth import SIGNED_IN, SignedIn
from api.schemas.sessions import Deleted, SessionList, SessionMeta, SessionOut, Transcript
from api.schemas.wire import Cursor, OptionalText, PageSize, SessionName
from sessions_app.selectors import list_sessions, open_segment, summarize_session, transcript
from sessions_app.services.session_meta import describe_session
from sessions_app.services.sessions import delete_session, find_session
from sessions_app.services.window import current_window

list_router = Router(tags=["sessions"], auth=SIGNED_IN)
router = Router(tags=["sessions"], auth=SIGNED_IN)


class Memories(StrEnum):
    """What becomes of the memories of a deleted session."""

    KEEP = "keep"
    ERASE = "erase"


@list_router.get("", response=SessionList, summary="List sessions")
def sessions(
    request: SignedIn, q: OptionalText = "", cursor: Cursor = "", limit: PageSize = 50
) -> SessionList:
    """Yours and those shared in the space, last used first. GET makes nothing."""
    return SessionList.of(list_sessions(request.auth, cursor=cursor, limit=limit, query=q))


# Before the other addresses of a session, of which a name may hold slashes.
@router.patch("/session/{path:session_id}/meta", response=SessionOut, summary="Rename, tag, share a session")
def describe(request: SignedIn, session_id: SessionName, payload: SessionMeta) -> SessionOut:
    """Title, topic and tags; what is left out stays. For its author, and for whoever may write. `private`,
    for its author alone, hides the session and all that came of it from others at once, or shows it.
    """
    found = describe_session(request.auth, find_session(request.auth, session_id), **payload.dict())
    return SessionOut.of(summarize_session(request.auth, found))


@router.get("/session/{path:session_id}", response=Transcript, summary="Read a session")
def session(
    request: SignedIn,
    session_id: SessionName,
    cursor: Cursor = "",
    limit: PageSize = 100,
    newest: bool = False,  # noqa: FBT001, FBT002 (a query parameter)
) -> Transcript:
    """Its turns in order, page by page; `newest=true` begins with the last page. With them what a
    model would see of it now: the summaries of older turns and the use of tokens.
    """
    found = find_session(request.auth, session_id)
    page = transcript(request.auth, found, cursor=cursor, limit=limit, is_newest=newest)
    facts, unfiled = summarize_session(request.auth, found), open_segment(found)
    return Transcript.with_turns(facts, page, unfiled, current_window(found))


@router.delete("/session/{path:session_id}", response=Deleted, summary="Delete a session")
def delete(request: SignedIn, session_id: SessionName, memories: Memories = Memories.KEEP) -> Deleted:
    """The conversation goes, what was remembered of it stays. `memories=erase` is refused with 422 for
    now, so that nobody takes for erased what is not: erase the records, or delete the conversation alone.
    """
    if memories is Memories.ERASE:
        raise InvalidInput.field(
            "memories", "Erasing is not available yet; `keep` deletes the conversation alone."
        )
    delete_session(request.auth, find_session(request.auth, session_id))
    return Deleted(session_id=session_id, memories=memories)

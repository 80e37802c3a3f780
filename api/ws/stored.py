"""What a resume gets when the answer's frames are gone: the stored text, in one frame."""

from accounts.errors import NotFound
from accounts.principals import Principal
from api.framing import Frame
from sessions_app.selectors import transcript
from sessions_app.services.sessions import find_session

NOTHING: Frame = {
    "type": "error",
    "code": "nothing_to_resume",
    "content": "There is no answer to resume; send your message again.",
}
ELSEWHERE: Frame = {
    "type": "error",
    "code": "session_busy",
    "content": "The answer is being written elsewhere; resume again in a moment.",
    "retry_after": 2,
}
INTERRUPTED: Frame = {
    "type": "error",
    "code": "interrupted",
    "content": "The answer was interrupted; this is as far as it came.",
}


def stored_answer(principal: Principal, session: str) -> list[Frame]:
    """The frames that stand for the session's newest answer. Reads the database."""
    try:
        found = find_session(principal, session)
    except NotFound:
        return [NOTHING]
    newest = transcript(principal, found, limit=1, is_newest=True).items
    if not newest or newest[0].role != "assistant":
        return [NOTHING]
    turn = newest[0]
    if turn.state == "pending":
        return [ELSEWHERE]
    answer: Frame = {"type": "answer", "content": turn.content}
    if turn.state == "interrupted":
        return [answer, INTERRUPTED]
    done: Frame = {
        "type": "done",
        "session_id": session,
        "session_uuid": found.id,
        "turn_index": turn.index,
        "status": "stored",
    }
    return [answer, done]

"""The first agent: the question becomes a turn, the session becomes a window."""

from dataclasses import dataclass
from uuid import UUID

from accounts.errors import LycheeError
from accounts.principals import Principal, principal_in
from memory.domain.types import Reader
from memory.services.recall_items import expired_turns
from sessions_app.domain.types import ChatRequest, Window
from sessions_app.models import Session
from sessions_app.services.answers import OpenAnswer, begin_answer
from sessions_app.services.sessions import find_session, open_session
from sessions_app.services.window import load_window

_LOOKED_AT = 100  # turns of the window, the newest: rules quote from fewer


@dataclass(frozen=True, slots=True)
class Opened:
    """A question that was stored, with what it is to be answered from. `excluded` is another
    session whose turns and records must not be recalled, `withdrawn` are turns of the window
    that a person has taken out of memory since.
    """

    request: ChatRequest
    principal: Principal
    open_answer: OpenAnswer
    window: Window
    excluded: Session | None
    withdrawn: frozenset[UUID] = frozenset()

    @property
    def session(self) -> Session:
        """The session that asks."""
        return self.open_answer.session


def open_question(request: ChatRequest) -> Opened:
    """Store the question, claim its answer, cut the window.

    Raises SessionBusy, NotFound, Forbidden, InvalidInput or TooLarge; then nothing is stored.
    """
    principal = principal_in(request.space_id, request.user_id)
    session = open_session(principal, request.session)
    excluded = _excluded(principal, request.exclude_session)
    open_answer = begin_answer(
        principal,
        session,
        text=request.text,
        said_at=request.reference_time or request.now,
        is_consolidated=request.is_consolidated,
    )
    window = load_window(open_answer.session, open_answer.question.id)
    reader = Reader(principal.space_id, principal.user_id)
    withdrawn = expired_turns(reader, window.recent[-_LOOKED_AT:-1])
    return Opened(request, principal, open_answer, window, excluded, withdrawn)


def _excluded(principal: Principal, name: str | None) -> Session | None:
    """The session to leave out; one that is not there yet holds nothing to leave out."""
    if not name:
        return None
    try:
        return find_session(principal, name)
    except LycheeError:
        return None

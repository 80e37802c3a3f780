"""The first agent: the question becomes a turn, the session becomes a window with room for the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from accounts.errors import LycheeError
from accounts.principals import Principal, principal_in
from accounts.registries import register_job_kind
from memory.domain.types import Reader
from memory.ports import LanguageModel, OnUsage
from memory.services.recall_items import expired_turns
from sessions_app.config import COMPRESS
from sessions_app.domain.types import ChatRequest, Window
from sessions_app.models import Session
from sessions_app.services.answers import OpenAnswer, begin_answer, clean_question
from sessions_app.services.compress import compress_now, compress_session, request_compression
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


def register() -> None:
    """Offer compression to the workers as a kind of job."""
    register_job_kind(COMPRESS, compress_session)


def open_question(request: ChatRequest) -> Opened:
    """Store the question, claim its answer, cut the window.

    Raises SessionBusy, NotFound, Forbidden, InvalidInput or TooLarge; then nothing is stored.
    """
    principal = principal_in(request.space_id, request.user_id)
    asked = clean_question(
        principal,
        request.text,
        said_at=request.reference_time or request.now,
        is_consolidated=request.is_consolidated,
    )
    session = open_session(principal, request.session)
    excluded = _excluded(principal, request.exclude_session)
    open_answer = begin_answer(principal, session, asked)
    return _with_window(Opened(request, principal, open_answer, load_window(*_asked(open_answer)), excluded))


def make_room(opened: Opened, *, language: LanguageModel, on_usage: OnUsage, notes: Sequence[str]) -> Opened:
    """Summarise what is older: past the block line before going on, past the warn line in the background.

    Where that fails the window is as it was, and says so. Raises CallLeft alone.
    """
    failure, window = "", opened.window
    if window.level == "block":
        failure = compress_now(opened.session, language=language, on_usage=on_usage, note=" ".join(notes))
        window = load_window(*_asked(opened.open_answer))
    if window.level:
        request_compression(opened.session)
    note = " ".join(filter(None, (window.note, failure)))
    return _with_window(replace(opened, window=replace(window, note=note)))


def _asked(open_answer: OpenAnswer) -> tuple[Session, UUID]:
    return open_answer.session, open_answer.question.id


def _with_window(opened: Opened) -> Opened:
    """With what of its window's turns was taken out of memory."""
    reader = Reader(opened.principal.space_id, opened.principal.user_id)
    return replace(opened, withdrawn=expired_turns(reader, opened.window.recent[-_LOOKED_AT:-1]))


def _excluded(principal: Principal, name: str | None) -> Session | None:
    """The session to leave out; one that is not there yet holds nothing to leave out."""
    if not name:
        return None
    try:
        return find_session(principal, name)
    except LycheeError:
        return None

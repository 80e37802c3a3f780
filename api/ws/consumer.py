"""The chat's websocket: client frames to calls, the stream's frames to the client."""

import asyncio
import logging
from contextlib import suppress

from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from accounts.errors import Forbidden, InvalidInput, LycheeError, NotAuthenticated, NotFound, TooManyRequests
from accounts.principals import Principal
from api.framing import INTERNAL_ERROR, Frame, error_frame
from api.schemas.chat import chat_request
from api.ws.doors import principal_of, renewed
from api.ws.frames import ClientFrame, FeedbackFrame, MessageFrame, ResumeFrame, StopFrame, read_frame
from api.ws.memory import watch_memory
from api.ws.stored import stored_answer
from api.ws.streams import ChatStream, Socket, StreamKey, open_sockets, stream_for
from memory.domain.text import clean_text
from memory.services.feedback_rate import rate_log
from sessions_app.bridge import in_thread

logger = logging.getLogger(__name__)

MAX_SOCKETS = 16  # of one user in this process
MAX_NAME_CHARS = 128
CLOSE_CODES: dict[type[LycheeError], int] = {
    NotAuthenticated: 4401,
    Forbidden: 4403,
    NotFound: 4404,
    InvalidInput: 4404,  # only the address can be faulty here, and it names nothing
    TooManyRequests: 4429,
}


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """One connection to one session, which need not exist before the first message."""

    principal: Principal
    stream: ChatStream
    socket: Socket | None = None

    async def connect(self) -> None:
        """Accept, then close with a code that says why if this may not go on."""
        await self.accept()
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        try:
            await self._open()
        except LycheeError as error:
            await self.close(code=_close_code(error), reason=error.error_code)

    async def disconnect(self, code: int) -> None:
        """Leave the stream; an answer goes on for a while, to be resumed."""
        for task in self._tasks:
            task.cancel()
        if self.socket:
            self.stream.detach(self.socket)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle one client frame; a faulty one is answered, never a crash."""
        if self.socket is None:
            return
        try:
            await self._handle(read_frame(text_data, time_zone=self.principal.time_zone), self.socket)
        except (NotAuthenticated, NotFound) as error:  # the membership has ended
            await self.close(code=_close_code(error), reason=error.error_code)
        except LycheeError as error:
            self._tell(error_frame(error))
        except Exception:
            logger.exception("A websocket frame could not be handled")
            self._tell(INTERNAL_ERROR)

    async def _open(self) -> None:
        self.principal = await in_thread(principal_of, self.scope)
        if open_sockets(self.principal.user_id) >= MAX_SOCKETS:
            raise TooManyRequests(f"At most {MAX_SOCKETS} connections at once.", code="too_many_sockets")
        session = clean_text(self.scope["url_route"]["kwargs"]["session"])
        if not 1 <= len(session) <= MAX_NAME_CHARS:
            raise NotFound("A session's name has 1 to 128 characters.")
        self.stream = stream_for(StreamKey(self.principal.space_id, self.principal.user_id, session))
        self.socket = self.stream.attach(self._outbox.put_nowait)
        self._tasks = [
            asyncio.create_task(self._send_all()),
            asyncio.create_task(watch_memory(self.principal, session, self._tell)),
        ]

    async def _handle(self, frame: ClientFrame, socket: Socket) -> None:
        match frame:
            case MessageFrame():
                principal = await in_thread(renewed, self.principal)
                socket.is_following = socket.is_following or not self.stream.is_answering
                self.stream.start(
                    chat_request(
                        principal,
                        session=self.stream.key.session,
                        text=frame.text,
                        options=frame,
                        now=timezone.now(),
                    )
                )
            case StopFrame():
                await self.stream.stop()
            case ResumeFrame():
                if not self.stream.resume(socket, frame.last_seq):
                    await self._send_stored()
            case FeedbackFrame():
                principal = await in_thread(renewed, self.principal)
                await in_thread(_rate, principal, frame)

    async def _send_stored(self) -> None:
        """What another process, or one long over, has answered: one frame with the stored text."""
        principal = await in_thread(renewed, self.principal)
        for frame in await in_thread(stored_answer, principal, self.stream.key.session):
            self._tell(frame)

    def _tell(self, frame: Frame) -> None:
        """Send a frame to this connection alone."""
        self._outbox.put_nowait(self.stream.number(frame))

    async def _send_all(self) -> None:
        while True:
            text = await self._outbox.get()
            with suppress(ConnectionError, RuntimeError):  # the client has gone; disconnect follows
                await self.send(text_data=text)


def _rate(principal: Principal, frame: FeedbackFrame) -> None:
    """What the client says came of a recall. A foreign one is told in an error: the socket stays."""
    try:
        rate_log(principal, frame.log_id, frame.outcome)
    except NotFound as error:
        raise InvalidInput(error.detail, code="not_found") from error


def _close_code(error: LycheeError) -> int:
    return next((CLOSE_CODES[kind] for kind in type(error).__mro__ if kind in CLOSE_CODES), 4404)


class NowhereConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """An address at which there is nothing."""

    async def connect(self) -> None:
        """Close with the code that says so."""
        await self.accept()
        await self.close(code=4404, reason="not_found")

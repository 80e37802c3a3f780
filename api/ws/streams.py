"""What one person's sockets on one session share: numbered frames, and the answer in the making.

An answer is written in a task of this process that outlives its socket by
`resume_seconds`; its frames are kept so that whoever comes back misses none and gets
none twice. Everything here runs on the event loop's one thread, so between two awaits
nothing moves.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from accounts.errors import LycheeError, SessionBusy
from api.answering import Answering, Finished
from api.framing import INTERNAL_ERROR, Frame, encode, error_frame, frame_of
from sessions_app.config import AnswerConfig
from sessions_app.domain.types import ChatRequest, Done, Failed

logger = logging.getLogger(__name__)

Send = Callable[[str], None]
STOPPED: Frame = {"type": "error", "code": "stopped", "content": "You stopped the answer."}


@dataclass(frozen=True, slots=True)
class StreamKey:
    """Whose sockets, on which session (by the name they use)."""

    space_id: UUID
    user_id: UUID
    session: str


@dataclass(eq=False, slots=True)
class Socket:
    """One open connection. It follows once it may: a socket that opens while an answer is
    being written waits for `resume`, or for the answer's end, so that no frame overtakes.
    """

    send: Send
    is_following: bool


@dataclass(eq=False)
class ChatStream:
    """The frames of one key, in order."""

    key: StreamKey
    config: AnswerConfig = field(default_factory=AnswerConfig)
    sockets: set[Socket] = field(default_factory=set)
    # Numbers begin at the clock (ms): those of a stream that was forgotten are all below
    # those of its successor, so an old `last_seq` is never taken for a place in this one.
    _seq: int = field(default_factory=lambda: int(time.time() * 1000))
    _kept: list[tuple[int, str]] = field(default_factory=list)
    is_answering: bool = False
    _task: "asyncio.Task[None] | None" = None
    _expiry: asyncio.TimerHandle | None = None

    def attach(self, send: Send) -> Socket:
        """Let a connection listen."""
        if self._expiry:
            self._expiry.cancel()
            self._expiry = None
        socket = Socket(send=send, is_following=not self.is_answering)
        self.sockets.add(socket)
        return socket

    def detach(self, socket: Socket) -> None:
        """A connection has gone; the last one leaves an answer `resume_seconds` to be fetched."""
        self.sockets.discard(socket)
        if not self.sockets:
            loop = asyncio.get_running_loop()
            self._expiry = loop.call_later(self.config.resume_seconds, self._expire)

    def start(self, request: ChatRequest) -> None:
        """Begin to answer. Raises SessionBusy while an answer is being written."""
        if self.is_answering:
            raise SessionBusy("This session is answering; wait for its end, or send `stop`.", retry_after=1)
        self._kept.clear()
        self.is_answering = True
        self._task = asyncio.create_task(self._answer(request))

    async def stop(self) -> None:
        """End the answer that is being written; what was written is kept as interrupted."""
        if self.is_answering and self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._end(STOPPED)

    def resume(self, socket: Socket, last_seq: int) -> bool:
        """Send what came after `last_seq` and follow. False where that is no longer known
        and no answer is being written.
        """
        first = self._kept[0][0] if self._kept else self._seq + 1
        is_known = first - 1 <= last_seq <= self._seq
        if not (is_known or self.is_answering):
            return False
        for seq, text in self._kept:
            if seq > last_seq:
                socket.send(text)
        socket.is_following = True
        return True

    def publish(self, frame: Frame) -> None:
        """Number a frame, keep it, and send it to every connection that follows."""
        text = self.number(frame)
        self._kept.append((self._seq, text))
        for socket in self.sockets:
            if socket.is_following:
                socket.send(text)

    def number(self, frame: Frame) -> str:
        """The frame with the next number, for one connection only."""
        self._seq += 1
        return encode({"seq": self._seq, **frame})

    async def _answer(self, request: ChatRequest) -> None:
        async with Answering(request) as answering:
            try:
                while True:
                    event = await answering.next()
                    frame = frame_of(event, session=self.key.session)
                    if isinstance(event, Done | Failed):
                        self._end(frame)
                        return
                    self.publish(frame)
            except Finished:
                self._end(INTERNAL_ERROR)
            except LycheeError as error:
                self._end(error_frame(error))
            except Exception:
                logger.exception("An answer failed while it streamed")
                self._end(INTERNAL_ERROR)

    def _end(self, frame: Frame) -> None:
        # First free, then told: a client may send its next message with the last frame.
        self.is_answering = False
        self.publish(frame)
        for socket in self.sockets:
            socket.is_following = True

    def _expire(self) -> None:
        if not self.sockets:
            if self._task:
                self._task.cancel()
            _streams.pop(self.key, None)


_streams: dict[StreamKey, ChatStream] = {}


def stream_for(key: StreamKey) -> ChatStream:
    """The stream that this process keeps for the key, or a new one."""
    return _streams.setdefault(key, ChatStream(key))


def open_sockets(user_id: UUID) -> int:
    """How many connections of this user the process holds."""
    return sum(len(stream.sockets) for key, stream in _streams.items() if key.user_id == user_id)

"""ChatEvents as server-sent events: one `data:` line each, a comment to keep proxies awake."""

import logging
from collections.abc import AsyncIterator

from accounts.errors import LycheeError
from api.answering import Answering, Finished
from api.framing import INTERNAL_ERROR, Frame, encode, error_frame, frame_of
from sessions_app.domain.types import ChatEvent

logger = logging.getLogger(__name__)

KEEP_ALIVE = b": keep-alive\n\n"


async def event_lines(
    answering: Answering, first: ChatEvent, *, session: str, keepalive_seconds: float
) -> AsyncIterator[bytes]:
    """The lines of a stream whose first event has come already.

    Closing or cancelling this (the client has gone) cancels the generation.
    """
    async with answering:
        yield _line(frame_of(first, session=session))
        while True:
            try:
                event = await answering.next(within_seconds=keepalive_seconds)
            except TimeoutError:
                yield KEEP_ALIVE
                continue
            except Finished:
                return
            except LycheeError as error:
                yield _line(error_frame(error))
                return
            except Exception:
                logger.exception("An answer failed while it streamed")
                yield _line(INTERNAL_ERROR)
                return
            yield _line(frame_of(event, session=session))


def _line(frame: Frame) -> bytes:
    return f"data: {encode(frame)}\n\n".encode()

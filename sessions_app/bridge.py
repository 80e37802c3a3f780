"""From ordinary functions to the event loop: work in threads, and streams out of them.

Only the pipeline and doors use it: domain, stores and services know no loop. Connections
that a thread opened are closed when its piece of work ends.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import CancelledError as FutureCancelledError
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connections

from memory.ports import LiveAnswer
from memory.providers.call_scope import CallScope

P = ParamSpec("P")
T = TypeVar("T")

# Of their own: a hung model must not starve the threads in which others write their turns.
_WORKERS = ThreadPoolExecutor(max_workers=8, thread_name_prefix="chat")
_BUFFERED_PIECES = 64

_END: Final = object()


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a blocking function in a worker thread and close the connections it opened."""

    def call() -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await sync_to_async(call, thread_sensitive=False, executor=_WORKERS)()


async def release_connection() -> None:
    """Give back the connection with which the request was let in, before waiting for a model.

    A request keeps its thread to its end; those that wait for models would keep the pool from
    the very threads that answer them. One inside a transaction is kept.
    """

    def release() -> None:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()

    await sync_to_async(release, thread_sensitive=True)()


async def in_calling_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same for work that calls models: cancelling who waits for it ends the calls at once."""
    scope = CallScope()
    try:
        return await in_thread(lambda: scope.run(function, *args, **kwargs))
    except asyncio.CancelledError:
        scope.leave()
        raise


async def in_request_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same in the thread, and on the connection, that the request has anyway."""
    scope = CallScope()
    try:
        return await sync_to_async(lambda: scope.run(function, *args, **kwargs), thread_sensitive=True)()
    except asyncio.CancelledError:
        scope.leave()
        raise


async def stream_from_thread(start: Callable[[], Iterator[str]]) -> AsyncGenerator[str]:
    """The pieces of a blocking iterator, which runs in a thread of its own.

    At most a few pieces are produced ahead of their reader. Closing the stream, or cancelling
    who reads it, ends the iterator: a live answer at once, another before its next piece.
    """
    loop = asyncio.get_running_loop()
    pieces: asyncio.Queue[object] = asyncio.Queue(maxsize=_BUFFERED_PIECES)
    is_closed = threading.Event()
    received: list[LiveAnswer] = []  # what is waited for now

    def put(piece: object) -> None:
        with contextlib.suppress(RuntimeError, FutureCancelledError):  # the loop has ended
            asyncio.run_coroutine_threadsafe(pieces.put(piece), loop).result()

    def produce() -> None:
        outcome: object = _END
        try:
            iterator = start()
            if isinstance(iterator, LiveAnswer):
                received.append(iterator)
            for piece in () if is_closed.is_set() else iterator:
                if is_closed.is_set():
                    break
                put(piece)
            close = getattr(iterator, "close", None)
            if close:
                close()
        except BaseException as error:  # handed to the reader, in whose task it is raised
            outcome = error
        finally:
            close_old_connections()
            if not is_closed.is_set():
                put(outcome)

    thread = threading.Thread(target=produce, name="answer", daemon=True)
    thread.start()
    try:
        while (piece := await pieces.get()) is not _END:
            if isinstance(piece, BaseException):
                raise piece
            yield str(piece)
    finally:
        is_closed.set()
        while not pieces.empty():  # frees a producer that waits for room
            pieces.get_nowait()
        for live in received:  # frees one that waits for a silent model
            await asyncio.shield(asyncio.to_thread(live.close))

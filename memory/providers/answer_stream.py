"""A streamed answer: pieces made in the model's loop, read in the caller's thread."""

from collections.abc import Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Event

from memory.errors import ProviderError

_FAREWELL_SECONDS = 0.5  # a call that is cancelled ends within milliseconds


class AnswerStream(Iterator[str]):
    """The answer's pieces in order; raises ProviderError where the stream breaks.

    `close` may be called from any thread at any time: it ends the iteration and the call
    behind it at once. Not to be iterated by two threads.
    """

    def __init__(self) -> None:
        self._pieces: SimpleQueue[str | ProviderError | None] = SimpleQueue()
        self._call: Future[None] | None = None
        self._is_over = False
        self._has_ended = Event()
        self.has_begun = False  # whether any piece was delivered: then it cannot be tried again
        self.is_cut = False  # whether the output limit ended the answer

    def __next__(self) -> str:
        if self._is_over:
            raise StopIteration
        piece = self._pieces.get()
        if isinstance(piece, str):
            return piece
        self._is_over = True
        if piece is None:
            raise StopIteration
        raise piece

    def close(self) -> None:
        """Stop: cancel the call, wake whoever waits for a piece. Idempotent.

        Returns when what the call took has been told.
        """
        self._is_over = True
        if self._call is not None and self._call.cancel():
            self._has_ended.wait(_FAREWELL_SECONDS)
        self._pieces.put(None)

    def follow(self, call: "Future[None]") -> None:
        """Bind the call that makes the pieces, so that `close` can cancel it."""
        self._call = call

    def put(self, piece: str) -> None:
        """Deliver a piece."""
        self.has_begun = True
        self._pieces.put(piece)

    def end(self, error: ProviderError | None = None) -> None:
        """No piece follows; with an error, because the stream broke."""
        self._pieces.put(error)
        self._has_ended.set()
